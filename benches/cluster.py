#!/usr/bin/env python3
"""Measures exports of many captures: benches/cluster.py [--binary FILE] [--short] [--write]

Prints, as Markdown, what the same captures take

- one process with one thread, a process a capture, and a Spark cluster (examples/spark) with one
  and with two workers of a core each: seconds by the clock, megabytes a second, and the seconds that
  each file takes more than in one process;
- for 10 to 2,000 small captures, so that the cost of a file is seen.

A job's seconds are those of its tasks' stage, without the start of Spark, which is a row of its own.
--write puts the tables into docs/distributed.md. Needs a Python with pyspark, and Java. Linux only.
"""
import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import measure
from performance_page import replace

EXAMPLES = measure.ROOT / "examples" / "spark"
sys.path.insert(0, str(EXAMPLES))

import standalone  # noqa: E402

SUBMIT = standalone.SPARK / "bin" / "spark-submit"
PAGE = measure.ROOT / "docs" / "distributed.md"
# How many captures, and packets of each: 200 of 5 MB; then more and more small ones.
LARGE, SMALL, SMALL_PACKETS = (200, 20_000), (10, 100, 500, 2_000), 500
SHORT_LARGE, SHORT_SMALL = (4, 2_000), (3, 6)


def main():
    raw = argparse.RawDescriptionHelpFormatter
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    arguments.add_argument("--binary", type=Path, help="measured instead of a new build")
    arguments.add_argument("--short", action="store_true", help="whether everything works")
    arguments.add_argument("--write", action="store_true", help="into docs/distributed.md")
    options = arguments.parse_args()
    binary = (options.binary or measure.build()).resolve()
    count, packets = SHORT_LARGE if options.short else LARGE
    with tempfile.TemporaryDirectory(dir=measure.TARGET / "bench") as folder:
        text = throughput(binary, Path(folder), count, packets) + "\n" + growth(
            binary, Path(folder), SHORT_SMALL if options.short else SMALL)
    print(text)
    if options.write:
        replace(PAGE, "cluster", text, "benches/cluster.py")


def throughput(binary, folder, count, packets):
    """The table of one set of captures."""
    captures = made(folder, count, packets)
    megabytes = sum(of.stat().st_size for of in captures) / 1e6
    one = one_process(binary, folder, captures)
    each = process_a_file(binary, folder, captures)
    lines = [f"{count} captures of {packets:,} packets, {megabytes:.0f} MB:", "",
             "| way | seconds | MB a second | more a file, ms |", "|---|---:|---:|---:|"]
    rows = [("one process, one thread", one), ("a process a file, one after the other", each)]
    for workers in (1, 2):
        with standalone.Cluster(workers) as cluster:
            start, took = job(binary, folder, captures, cluster.url)
        rows.append((f"Spark, {workers} {'worker' if workers == 1 else 'workers'}", took))
    for name, took in rows:
        more = (took - one) / count * 1000
        lines.append(f"| {name} | {took:.1f} | {megabytes / took:.0f} | {more:.0f} |")
    return "\n".join([*lines, f"| start and end of a Spark job | {start:.1f} | | |", ""])


def growth(binary, folder, counts):
    """The table of more and more small captures."""
    lines = [f"Captures of {SMALL_PACKETS} packets:", "",
             "| captures | one process: s | ms a file | a process a file: s | ms a file "
             "| Spark, 2 workers: s | ms a file |", "|---:" * 7 + "|"]
    captures = made(folder, max(counts), SMALL_PACKETS)
    with standalone.Cluster(2) as cluster:
        for count in counts:
            some = captures[:count]
            took = (one_process(binary, folder, some), process_a_file(binary, folder, some),
                    job(binary, folder, some, cluster.url)[1])
            cells = " | ".join(f"{of:.1f} | {of / count * 1000:.0f}" for of in took)
            lines.append(f"| {count:,} | {cells} |")
    return "\n".join([*lines, ""])


def made(folder, count, packets):
    """Captures with seeds of their own."""
    captures = [folder / f"{packets}-{number}.pcap" for number in range(count)]
    for number, capture in enumerate(captures):
        subprocess.run([sys.executable, measure.GENERATOR, capture, str(packets), "--seed",
                        str(number)], check=True, stdout=subprocess.DEVNULL)
    return captures


def one_process(binary, folder, captures):
    command = [binary, "export", *captures, "--what", "all", "--each", "--threads", "1"]
    return timed([[*command, "-o", emptied(folder)]])


def process_a_file(binary, folder, captures):
    out = emptied(folder)
    return timed([[binary, "export", capture, "--what", "all", "--threads", "1", "-o", out]
                  for capture in captures])


def timed(commands):
    start = time.perf_counter()
    for command in commands:
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def job(binary, folder, captures, master):
    """Seconds of the job around its tasks, and of its tasks' stage."""
    command = [SUBMIT, "--master", master, "--conf", "spark.ui.enabled=false", "--driver-memory",
               "512m", "--conf", "spark.executor.memory=512m", EXAMPLES / "export_captures.py",
               *captures, "-o", emptied(folder), "--program", binary]
    start = time.perf_counter()
    done = subprocess.run(command, check=True, capture_output=True, text=True,
                          env=standalone.environment())
    took = time.perf_counter() - start
    stage = re.search(r"captures in (\d+\.\d+) s", done.stdout)
    return took - float(stage[1]), float(stage[1])


def emptied(folder):
    out = folder / "out"
    shutil.rmtree(out, ignore_errors=True)
    return out


if __name__ == "__main__":
    main()
