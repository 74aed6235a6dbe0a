#!/usr/bin/env python3
"""Decodes captures on a Spark cluster without files between: one task for each capture.

    spark-submit arrow_messages.py CAPTURE... -o DIRECTORY [--table NAME] [--program FRAGSHARK]

A task reads what `fragshark export CAPTURE --format arrow` writes to its output, as batches of
Arrow, which Spark takes as they are (mapInArrow). Here Spark writes them as Parquet; any other
transformation can come first. Nothing is resumed: a job that is run again decodes everything again.
"""
import argparse
import subprocess

import pyarrow
from pyspark.sql import SparkSession


def main():
    raw = argparse.RawDescriptionHelpFormatter
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    arguments.add_argument("captures", nargs="+", metavar="CAPTURE")
    arguments.add_argument("-o", "--output", required=True, metavar="DIRECTORY")
    arguments.add_argument("--table", default="messages")
    arguments.add_argument("--program", default="fragshark")
    options = arguments.parse_args()
    spark = SparkSession.builder.appName("fragshark arrow").getOrCreate()
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    read = reader(options.program, options.table)
    # The columns are the same for every capture, those of an empty one too.
    columns = next(read(options.captures[0])).schema.empty_table()
    schema = spark.createDataFrame(columns).schema
    captures = [(capture,) for capture in sorted(set(options.captures))]
    paths = spark.sparkContext.parallelize(captures, len(captures)).toDF(["path"])

    def rows(batches):
        for batch in batches:
            for path in batch.column("path").to_pylist():
                yield from read(path)

    paths.mapInArrow(rows, schema).write.mode("overwrite").parquet(options.output)
    spark.stop()


def reader(program, table):
    """What reads the rows of a capture, as batches of Arrow; at least one, that has the columns."""
    command = [program, "export", "--what", table, "--format", "arrow", "--keep-going"]

    def read(capture):
        with subprocess.Popen([*command, "--", capture], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=False) as run:
            try:
                with pyarrow.ipc.open_stream(run.stdout) as stream:
                    yield pyarrow.RecordBatch.from_pylist([], stream.schema)
                    yield from stream
                failure = None
            except pyarrow.ArrowInvalid as error:
                failure = error
            complaint = run.stderr.read().decode(errors="replace").strip()
            if run.wait() != 0 or failure is not None:
                raise RuntimeError(f"{capture}: {complaint or failure}")

    return read


if __name__ == "__main__":
    main()
