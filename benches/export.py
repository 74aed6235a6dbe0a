#!/usr/bin/env python3
"""Measures exports on one core: benches/export.py [--packets N] [--runs N] [--binary FILE]
[--against FILE]

Writes every message of the benchmark capture (that of benches/stream.py) as a table, with all
fields, to a file, in each format. Prints messages a second, by the processor's time (user and
system) and by the clock on the wall, and the most memory of its own. With --against, another binary
takes turns with this one, and the two are compared.

Then it writes messages and sessions as CSV of that capture and of one twice as long, and prints the
most memory of its own that each took, and how much more the longer one took. `--memory` does
nothing else. The status is 1 only when something is broken, never because a machine is slow. Linux
only.
"""
import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import measure
import stream

# What the project promises, of a capture of a million packets or more, to CSV.
MESSAGES_A_SECOND = 300_000
# An export reads as a stream: a capture twice as long takes the same memory, but for what the
# system rounds up.
SAME = 1.1


def main():
    raw = argparse.RawDescriptionHelpFormatter
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    arguments.add_argument("--packets", type=int, default=stream.FULL, help="of the capture")
    arguments.add_argument("--runs", type=int, default=3, help="of each measurement")
    arguments.add_argument("--binary", type=Path, help="measured instead of a new build")
    arguments.add_argument("--against", type=Path, help="a binary to compare with")
    arguments.add_argument("--memory", action="store_true", help="measure nothing but memory")
    options = arguments.parse_args()
    binary = options.binary or measure.build()
    capture, _ = measure.made(options.packets)
    passed = True
    for form in () if options.memory else ("csv", "ndjson", "parquet"):
        binaries = [binary] + [options.against] * (options.against is not None and form != "parquet")
        runs = [(b, export(b, capture, form)) for _ in range(options.runs) for b in binaries]
        for of in binaries:
            figures = [figures for b, figures in runs if b == of]
            passed &= all(figures)
            if all(figures):
                show(f"{form} {of.parent.name}/{of.name}", form, figures, options.packets)
    for table in ("messages", "sessions"):
        passed &= memory(binary, table, options.packets)
    sys.exit(0 if passed else 1)


def memory(binary, table, packets):
    """Whether a table was written of a capture, and of one twice as long."""
    owns = []
    for count in (packets, 2 * packets):
        capture, _ = measure.made(count)
        figures = export(binary, capture, "csv", table)
        if figures is None:
            return False
        _, processor, _, own = figures
        owns.append(own)
        stream.figure(f"{table}, {count:,} packets", f"{own:.1f} MB of its own, "
                      f"{processor:.1f} s of the processor's", f"{stream.OWN_MEGABYTES} MB",
                      own < stream.OWN_MEGABYTES, packets)
    once, twice = owns
    stream.figure(f"{table}, twice as long", f"{twice / once:.2f} times the memory", "the same",
                  twice < once * SAME, packets)
    return True


def export(binary, capture, form, table="messages"):
    """Rows, the processor's seconds, seconds on the wall, and megabytes; none where it fails."""
    with tempfile.TemporaryDirectory(dir=capture.parent) as folder:
        out = Path(folder, table)
        command = [binary, "export", capture, "--what", table, "--format", form, "-o", out]
        start = time.perf_counter()
        child = subprocess.Popen(command, preexec_fn=measure.on_one_core)
        status, usage, own = measure.watched(child)
        took = time.perf_counter() - start
        if status != 0:
            print(f"export --format {form}: status {status}")
            return None
        with out.open("rb") as rows:
            lines = sum(chunk.count(b"\n") for chunk in iter(lambda: rows.read(1 << 20), b""))
    return lines - (form == "csv"), usage.ru_utime + usage.ru_stime, took, own


def show(what, form, figures, packets):
    """The best of several runs. Rows of Parquet are counted by those of the other formats."""
    if form != "parquet":
        show.rows = figures[0][0]
    processor, wall = (min(f[n] for f in figures) for n in (1, 2))
    own = max(f[3] for f in figures)
    promise = MESSAGES_A_SECOND if form == "csv" else 0
    rate = show.rows / processor
    stream.figure(what, f"{rate:,.0f} messages a second of the processor's "
                  f"({show.rows / wall:,.0f} by the wall), {own:.1f} MB",
                  f"{promise:,}", rate >= promise, packets if promise else 0)


if __name__ == "__main__":
    main()
