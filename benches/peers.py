"""Measures fragshark beside its peers, in turn, on the same capture: benches/peers.sh [--runs N]
[--packets N] [--binary FILE] [--write] [--growth] [--short]

Makes the benchmark capture (benches/gen_big.py, kept in the target directory), builds the release
binary, and prints three tables as Markdown:

- user and system seconds on one core, the best of all runs, as multiples of what
  `tcpdump -nn -r FILE -w /dev/null udp` takes in the same run;
- the clock on the wall with one thread and with two, on two cores;
- `open` on two cores: the first row, everything analysed, memory.

Before that it runs every command once and compares what they count: packets, messages and rows; and
the bytes of one thread and of two. With --growth it also measures time and memory over captures of
10 thousand to 10 million packets and of 10 to 1 million flows (the largest has 2.4 GB; captures of
more than a million packets or with a number of flows are deleted after their measurement). --write
puts all of it into docs/performance.md and docs/img/growth.svg.
--short makes a small capture and runs each command once. Peers: Debian's packages tcpdump, tshark,
wireshark-common (capinfos) and libndpi-bin (ndpiReader); a missing one has a line that says so.

The status is 1 only when something is broken, never because a machine is slow. Linux only.
"""
import argparse
import sys
import tempfile
from pathlib import Path

import growth
import measure
import performance_page
import programs

FULL, SHORT = 1_000_000, 20_000


def main():
    raw = argparse.RawDescriptionHelpFormatter
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    arguments.add_argument("--packets", type=int, help="of the capture: a million, or 20,000")
    arguments.add_argument("--runs", type=int, help="of each command: five, or one")
    arguments.add_argument("--binary", type=Path, help="measured instead of a new build")
    arguments.add_argument("--write", action="store_true", help="into the documents")
    arguments.add_argument("--growth", action="store_true", help="over packets and flows, too")
    arguments.add_argument("--short", action="store_true", help="whether everything works")
    options = arguments.parse_args()
    packets = options.packets or (SHORT if options.short else FULL)
    runs = options.runs or (1 if options.short else 5)
    binary = (options.binary or measure.build()).resolve()
    capture, truth = measure.made(packets)
    with tempfile.TemporaryDirectory(dir=capture.parent) as folder:
        rows = programs.rows(binary, capture, Path(folder))
        missing = programs.missing(rows)
        rows = [row for row in rows if row.command[0] not in missing]
        wrong = programs.disagreements(binary, capture, truth, rows, Path(folder))
        for line in wrong:
            print(f"WRONG: {line}")
        if wrong:
            sys.exit(1)
        one_core = programs.one_core(rows, runs)
        threads = programs.threads(rows, runs)
    opened = programs.screens(binary, capture, runs)
    text = performance_page.tables(capture, truth, runs, one_core, missing, threads, opened)
    print(text)
    curves = growth.curves(binary, options.short, min(runs, 3)) if options.growth else None
    if curves:
        print(performance_page.growth(curves))
    if options.write:
        performance_page.write(text, curves)


if __name__ == "__main__":
    main()
