#!/usr/bin/env python3
"""Writes what captures together say of their servers, for `fragshark export --known FILE`.

    spark-submit known.py DIRECTORY -o servers.parquet
    python3 known.py --duckdb DIRECTORY -o servers.parquet
"""
import argparse

import pyarrow.parquet

import ask


def main():
    raw = argparse.RawDescriptionHelpFormatter
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    arguments.add_argument("directory")
    arguments.add_argument("-o", "--output", required=True, metavar="FILE")
    arguments.add_argument("--duckdb", action="store_true", help="without Spark")
    options = arguments.parse_args()
    table = ask.engine(options)("SELECT * FROM merged_servers ORDER BY server, server_port")
    pyarrow.parquet.write_table(table, options.output)


if __name__ == "__main__":
    main()
