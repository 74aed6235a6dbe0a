"""Reads the Arrow stream that `fragshark export --format arrow` writes to its standard output."""
from __future__ import annotations

import os
import subprocess
import tempfile
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeAlias

import pyarrow

if TYPE_CHECKING:
    import duckdb

#: A path.
PathName: TypeAlias = "str | os.PathLike[str]"
#: A capture, or several, which are read together as one.
Paths: TypeAlias = "PathName | Iterable[PathName]"

# What the program puts in front of its messages.
_PREFIX = "fragshark: "
# A part was read: captures were left out, or are damaged.
_PARTIAL = 3


class FragsharkError(RuntimeError):
    """The program could not do it; the text is its message, `status` its exit status."""

    def __init__(self, message: str, status: int):
        super().__init__(message)
        self.status = status


class FragsharkWarning(UserWarning):
    """What the program reports beside its rows: damage, limits, captures that were left out."""


def binary() -> Path:
    """The program: that of this package, or the one that FRAGSHARK_BINARY names."""
    named = os.environ.get("FRAGSHARK_BINARY")
    name = "fragshark.exe" if os.name == "nt" else "fragshark"
    return Path(named) if named else Path(__file__).with_name(name)


def read(path: Paths, table: str = "messages", *, filter: str | None = None,
         known: Paths | None = None, keep_going: bool = False,
         show_secrets: bool = False) -> pyarrow.Table:
    """Reads a table of a capture, or of several together.

    `table` is a name that `fragshark export --what` takes, such as `messages`, `sessions` or
    `servers`; `filter` a display filter; `known` a table `servers` or `endpoints` of an earlier
    run, or several. With `keep_going`, captures that cannot be read are left out, with a warning.

    Raises FragsharkError with the program's message.
    """
    with batches(path, table, filter=filter, known=known, keep_going=keep_going,
                 show_secrets=show_secrets) as reader:
        return reader.read_all()


def batches(path: Paths, table: str = "messages", *, filter: str | None = None,
            known: Paths | None = None, keep_going: bool = False,
            show_secrets: bool = False) -> pyarrow.RecordBatchReader:
    """The same as `read`, a batch at a time, so that a table need not fit into memory.

    A reader that is closed early, or forgotten, ends the program.
    """
    command = [os.fspath(binary()), "export", "--what", table, "--format", "arrow"]
    command += ["-Y", filter] if filter is not None else []
    for file in _paths(known if known is not None else []):
        command += ["--known", file]
    command += ["--keep-going"] if keep_going else []
    command += ["--show-secrets"] if show_secrets else []
    paths = _paths(path)
    if not paths:
        raise ValueError("no capture is named")
    stream = _batches([*command, "--", *paths])
    # The first is empty and has the columns.
    schema = next(stream).schema
    return pyarrow.RecordBatchReader.from_batches(schema, stream)


def _paths(path: Paths) -> list[str]:
    paths = [path] if isinstance(path, (str, os.PathLike)) else path
    return [os.fspath(of) for of in paths]


def _batches(command: list[str]) -> Iterator[pyarrow.RecordBatch]:
    """Runs the program; an empty batch, then its batches. When all are read, its end is judged."""
    with tempfile.TemporaryFile() as complaints:
        run = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=complaints)
        assert run.stdout is not None
        failure = None
        try:
            with pyarrow.ipc.open_stream(run.stdout) as stream:
                yield pyarrow.RecordBatch.from_pylist([], stream.schema)
                yield from stream
        except (pyarrow.ArrowInvalid, OSError) as error:
            failure = error
        except GeneratorExit:
            # Nobody reads the rest.
            run.kill()
            raise
        finally:
            run.stdout.close()
            run.wait()
        _judge(run.returncode, _lines(complaints), failure)


def _judge(status: int, lines: list[str], failure: Exception | None) -> None:
    if status not in (0, _PARTIAL):
        raise FragsharkError("\n".join(lines) or f"status {status}", status)
    if failure is not None:
        raise FragsharkError(f"the stream ended early: {failure}", status) from failure
    for line in lines:
        warnings.warn(line, FragsharkWarning, stacklevel=4)


def _lines(complaints: IO[bytes]) -> list[str]:
    complaints.seek(0)
    text = complaints.read().decode(errors="replace")
    return [line.removeprefix(_PREFIX) for line in text.splitlines() if line.strip()]


class _Stream:
    """Captures as DuckDB takes them: a query that reads them starts the program."""

    def __init__(self, path: Paths, table: str, options: dict[str, Any]):
        self.path, self.table, self.options = path, table, options
        with batches(path, table, **options) as reader:
            self.schema = reader.schema

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        # DuckDB asks for streams of which it reads only the schema.
        reader = pyarrow.RecordBatchReader.from_batches(self.schema, self.rows())
        return reader.__arrow_c_stream__(requested_schema)

    def rows(self) -> Iterator[pyarrow.RecordBatch]:
        with batches(self.path, self.table, **self.options) as reader:
            yield from reader


def scan(path: Paths, table: str = "messages", *, filter: str | None = None,
         known: Paths | None = None, keep_going: bool = False, show_secrets: bool = False,
         connection: duckdb.DuckDBPyConnection | None = None) -> duckdb.DuckDBPyRelation:
    """A table of captures as a DuckDB relation, in `connection` or in DuckDB's default one.

    The captures are decoded anew by each query that reads the relation; a query on several
    large captures with `LIMIT` stops early. Queries raise DuckDB's errors, which have the program's
    message.
    """
    import duckdb

    # Several are read more than once.
    paths, known = _paths(path), None if known is None else _paths(known)
    options = {"filter": filter, "known": known, "keep_going": keep_going,
               "show_secrets": show_secrets}
    stream = _Stream(paths, table, options)
    return (duckdb if connection is None else connection).from_arrow(stream)
