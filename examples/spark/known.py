#!/usr/bin/env python3
"""Writes what captures together say of all servers, masters and clients, for
`fragshark export --known FILE`.

    spark-submit known.py DIRECTORY -o known.parquet
    python3 known.py --duckdb DIRECTORY -o known.parquet
"""
import argparse

import pyarrow.parquet

import ask

# What is known of one endpoint may stand in several rows. The table of servers also says when they
# sent something.
KNOWN = """
    SELECT endpoint, endpoint_port, knowledge FROM endpoints WHERE knowledge IS NOT NULL
    UNION ALL
    SELECT server, server_port, knowledge FROM servers WHERE knowledge IS NOT NULL
    ORDER BY endpoint, endpoint_port, knowledge
"""


def main():
    raw = argparse.RawDescriptionHelpFormatter
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    arguments.add_argument("directory")
    arguments.add_argument("-o", "--output", required=True, metavar="FILE")
    arguments.add_argument("--duckdb", action="store_true", help="without Spark")
    options = arguments.parse_args()
    table = ask.engine(options)(KNOWN)
    pyarrow.parquet.write_table(table, options.output)


if __name__ == "__main__":
    main()
