#!/usr/bin/env python3
"""Decodes captures on a Spark cluster without files between: one task for each capture.

    spark-submit arrow_messages.py CAPTURE... -o DIRECTORY [--table NAME]

A task reads what `fragshark export CAPTURE --format arrow` writes to its output, as batches of
Arrow, which Spark takes as they are (mapInArrow). Here Spark writes them as Parquet; any other
transformation can come first. Nothing is resumed: a job that is run again decodes everything again.
The workers need the Python package fragshark (folder python/), which carries the program.
"""
import argparse

import fragshark
from pyspark.sql import SparkSession


def main():
    raw = argparse.RawDescriptionHelpFormatter
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    arguments.add_argument("captures", nargs="+", metavar="CAPTURE")
    arguments.add_argument("-o", "--output", required=True, metavar="DIRECTORY")
    arguments.add_argument("--table", default="messages")
    options = arguments.parse_args()
    spark = SparkSession.builder.appName("fragshark arrow").getOrCreate()
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    # As other programs read it too.
    spark.conf.set("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")
    # The columns are the same for every capture.
    with fragshark.batches(options.captures[0], options.table) as reader:
        schema = spark.createDataFrame(reader.schema.empty_table()).schema
    captures = [(capture,) for capture in sorted(set(options.captures))]
    paths = spark.sparkContext.parallelize(captures, len(captures)).toDF(["path"])

    def rows(batches):
        for batch in batches:
            for path in batch.column("path").to_pylist():
                yield from fragshark.batches(path, options.table)

    paths.mapInArrow(rows, schema).write.mode("overwrite").parquet(options.output)
    spark.stop()


if __name__ == "__main__":
    main()
