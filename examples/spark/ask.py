#!/usr/bin/env python3
"""Answers questions in SQL from exported tables, with Spark or with DuckDB alone.

    spark-submit ask.py DIRECTORY sql/servers_by_day.sql ...
    python3 ask.py --duckdb DIRECTORY sql/servers_by_day.sql ...

The same SQL runs in both. Beside the tables of DIRECTORY there are the views merged_servers,
merged_masters, merged_listed and merged_registrations.
"""
import argparse
import csv
import sys
from pathlib import Path

import tables


def main():
    raw = argparse.RawDescriptionHelpFormatter
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    arguments.add_argument("directory")
    arguments.add_argument("queries", nargs="+", type=Path, metavar="QUERY.sql")
    arguments.add_argument("--duckdb", action="store_true", help="without Spark")
    options = arguments.parse_args()
    answer = engine(options)
    for query in options.queries:
        table = answer(query.read_text())
        print(f"# {query.stem}")
        out = csv.writer(sys.stdout, lineterminator="\n")
        out.writerow(table.column_names)
        out.writerows(row.values() for row in table.to_pylist())


def engine(options):
    """What answers a query with a pyarrow Table."""
    return in_duckdb(options.directory) if options.duckdb else in_spark(options.directory)


def in_spark(directory):
    from pyspark.sql import SparkSession
    spark = SparkSession.builder.appName("fragshark").getOrCreate()
    tables.open_in_spark(spark, directory)
    return lambda query: spark.sql(query).toArrow()


def in_duckdb(directory):
    import duckdb
    connection = duckdb.connect()
    tables.open_in_duckdb(connection, directory)
    return lambda query: connection.sql(query).to_arrow_table()


if __name__ == "__main__":
    main()
