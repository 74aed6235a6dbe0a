"""Prints every table of a folder as pandas reads it: types, and rows with times in microseconds."""
import json
import sys
from pathlib import Path

import pandas


def cell(value):
    if hasattr(value, "tolist") and getattr(value, "ndim", 0):
        return value.tolist()
    if pandas.isna(value):
        return None
    if isinstance(value, pandas.Timestamp):
        return value.value // 1_000
    return value.item() if hasattr(value, "item") else value


def read(file):
    table = pandas.read_parquet(file)
    columns = [[cell(value) for value in table[name]] for name in table.columns]
    return {"types": [str(kind) for kind in table.dtypes], "rows": list(zip(*columns))}


print(json.dumps({file.stem: read(file) for file in Path(sys.argv[1]).glob("*.parquet")}))
