"""Prints the table of a stream on standard input as DuckDB reads it over pyarrow."""
import json
import sys

import duckdb
import pyarrow.ipc

stream = pyarrow.ipc.open_stream(sys.stdin.buffer)
table = stream.read_all()
cells = [f'epoch_us("{field.name}")' if pyarrow.types.is_timestamp(field.type) else f'"{field.name}"'
         for field in table.schema]
rows = duckdb.from_arrow(table).project(", ".join(cells)).fetchall()
about = {name.decode(): value.decode() for name, value in table.schema.metadata.items()}
print(json.dumps({"types": [str(kind) for kind in table.schema.types], "rows": rows,
                  "about": about}))
