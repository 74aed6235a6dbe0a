"""Opens a directory that `fragshark export --what all -o DIRECTORY` wrote, in Spark or in DuckDB.

Only the files that the manifest names are read: a file of a capture that was replaced since, or of
a run that was stopped, is none of them. A capture that is there under several names is read once.
"""
import json
from pathlib import Path

SQL = Path(__file__).resolve().parent / "sql"
# The views that join what several captures say of the same server or master.
MERGED = ("merged_registrations", "merged_listed", "merged_servers", "merged_masters",
          "merged_findings")


def entries(directory):
    """The manifest: the last line of each path, by the path."""
    manifest = Path(directory, "manifest.ndjson")
    if not manifest.exists():
        return {}
    # The last line may be being written.
    lines = manifest.read_text().rpartition("\n")[0].splitlines()
    return {entry["path"]: entry for entry in map(json.loads, lines)}


def files(directory):
    """The Parquet files of each table, by its name."""
    sets = (entry["set"] for entry in entries(directory).values() if entry["set"] is not None)
    # A set's name ends in the hash of what it was made of.
    sets = {name.rpartition("-")[2]: name for name in sorted(sets, reverse=True)}.values()
    tables = sorted(of.name for of in Path(directory).iterdir() if of.is_dir())
    return {table: [str(Path(directory, table, f"{name}.parquet")) for name in sorted(sets)]
            for table in tables}


def open_in_spark(spark, directory):
    """Makes a view of each table, and the merged ones."""
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    for table, paths in files(directory).items():
        spark.read.parquet(*paths).createOrReplaceTempView(table)
    for view in MERGED:
        spark.sql(Path(SQL, f"{view}.sql").read_text())


def open_in_duckdb(connection, directory):
    """Makes a view of each table, and the merged ones."""
    connection.execute("SET TimeZone = 'UTC'")
    # What Spark calls so.
    connection.execute("CREATE OR REPLACE TEMP MACRO explode(list) AS unnest(list)")
    connection.execute("CREATE OR REPLACE TEMP MACRO array_repeat(value, times) AS "
                       "list_resize([]::VARCHAR[], times, value)")
    connection.execute("CREATE OR REPLACE TEMP MACRO array_min(list) AS list_min(list)")
    connection.execute("CREATE OR REPLACE TEMP MACRO slice(list, start, length) AS "
                       "list_slice(list, start, start + length - 1)")
    for table, paths in files(directory).items():
        connection.read_parquet(paths).create_view(table, replace=True)
    for view in MERGED:
        connection.execute(Path(SQL, f"{view}.sql").read_text())
