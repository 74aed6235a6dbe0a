"""Prints every table of a folder as DuckDB reads it: types, and rows with times in microseconds."""
import json
import sys
from pathlib import Path

import duckdb


def read(file):
    table = duckdb.read_parquet(str(file))
    cells = [f'epoch_us("{name}")' if str(kind).startswith("TIMESTAMP") else f'"{name}"'
             for name, kind in zip(table.columns, table.types)]
    return {"types": [str(kind) for kind in table.types],
            "rows": table.project(", ".join(cells)).fetchall()}


print(json.dumps({file.stem: read(file) for file in Path(sys.argv[1]).glob("*.parquet")}))
