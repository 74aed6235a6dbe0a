#!/usr/bin/env python3
"""Writes the tables of captures on a Spark cluster, one task for each capture.

    spark-submit export_captures.py CAPTURE... -o DIRECTORY [--known TABLE] [--program FRAGSHARK]

Captures, the directory and fragshark are paths that every worker has. A task runs

    fragshark export CAPTURE --what all -o DIRECTORY --resume

so a task that is retried, speculated or run again by a later job writes the same files, or none. A
capture that cannot be read has a line in DIRECTORY/manifest.ndjson and is no reason to stop: the
others are written, and the status is 3. Everything else that goes wrong (no program, no space)
fails the task, and Spark tries it again.
"""
import argparse
import subprocess
import sys
import time

from pyspark.sql import SparkSession

from tables import entries

# The statuses of `fragshark export`.
DONE, FAILED, PARTIAL = 0, 2, 3


def main():
    raw = argparse.RawDescriptionHelpFormatter
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    arguments.add_argument("captures", nargs="+", metavar="CAPTURE")
    arguments.add_argument("-o", "--output", required=True, metavar="DIRECTORY")
    arguments.add_argument("--known", metavar="TABLE", help="what known.py wrote")
    arguments.add_argument("--program", default="fragshark")
    options = arguments.parse_args()
    spark = SparkSession.builder.appName("fragshark export").getOrCreate()
    # The module of `entries`, for the workers.
    spark.sparkContext.addPyFile(sys.modules["tables"].__file__)
    export = task(options.program, options.output, options.known)
    captures = sorted(set(options.captures))
    start = time.monotonic()
    results = spark.sparkContext.parallelize(captures, len(captures)).map(export).collect()
    took = time.monotonic() - start
    spark.stop()
    unreadable = [(capture, why) for capture, why in results if why]
    print(f"{len(results)} captures in {took:.1f} s, {len(unreadable)} unreadable")
    for capture, why in unreadable:
        print(f"unreadable: {capture}: {why}")
    sys.exit(PARTIAL if unreadable else DONE)


def task(program, output, known):
    """What a task does with a capture: the capture, and why it is unreadable."""
    command = [program, "export", "--what", "all", "-o", output, "--resume"]
    command += [] if known is None else ["--known", known]

    def export(capture):
        run = subprocess.run([*command, "--", capture], stderr=subprocess.PIPE, text=True,
                             stdin=subprocess.DEVNULL, check=False)
        why = None
        if run.returncode in (FAILED, PARTIAL):
            why = entries(output).get(capture, {}).get("unreadable")
        if run.returncode != DONE and why is None:
            raise RuntimeError(f"{capture}: status {run.returncode}: {run.stderr.strip()}")
        return capture, why

    return export


if __name__ == "__main__":
    main()
