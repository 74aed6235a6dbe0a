#!/usr/bin/env python3
"""Measures what the project promises of speed: benches/stream.py [--packets N] [--runs N]

Makes the benchmark capture once (benches/gen_big.py, kept in the target directory), builds the
release binary, and prints

- how many packets a second `decode --count` passes on one core: by the processor's time, which
  other programs disturb least, and by the clock on the wall, the best and the median run;
- how much memory of its own it takes at its peak: anonymous pages, that is without the program's
  text and mapped files; looked at every few milliseconds, beside the kernel's peak with both;
- how long `open` takes, on a terminal, from its start until its first row is drawn.

The counts are compared with what the generator wrote. The figures are for reading: the status is 1
only when something is broken (counts that differ, a program that fails or draws nothing), never
because a machine is slow. Linux only.
"""
import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from measure import GAMES, NAMES, build, made, on_one_core, opened, watched

# What the project promises, of a capture of so many packets.
FULL = 1_000_000
PACKETS_A_SECOND, OWN_MEGABYTES, FIRST_ROW_MS = 1_000_000, 64, 300


def main():
    raw = argparse.RawDescriptionHelpFormatter
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    arguments.add_argument("--packets", type=int, default=FULL, help="of the capture")
    arguments.add_argument("--runs", type=int, default=5, help="of each measurement")
    arguments.add_argument("--binary", type=Path, help="measured instead of a new build")
    options = arguments.parse_args()
    binary = options.binary or build()
    capture, truth = made(options.packets)
    print(f"{capture.stat().st_size / 1e6:.0f} MB, {options.packets} packets; {options.runs} runs each")
    passed = decode(binary, capture, truth, options.runs)
    passed &= first_row(binary, capture, options.packets, options.runs)
    sys.exit(0 if passed else 1)


def decode(binary, capture, truth, runs):
    seconds, processor, own, peak = [], [], 0, 0
    command = [binary, "decode", "--count", "--format", "json", capture]
    for _ in range(runs):
        with tempfile.TemporaryFile() as output:
            start = time.perf_counter()
            child = subprocess.Popen(command, stdout=output, preexec_fn=on_one_core)
            status, usage, most = watched(child)
            seconds.append(time.perf_counter() - start)
            output.seek(0)
            printed = output.read()
        if status != 0:
            print(f"decode --count: status {status}")
            return False
        processor.append(usage.ru_utime + usage.ru_stime)
        own, peak = max(own, most), max(peak, usage.ru_maxrss / 1024)
    rate, best, median = (truth["packets"] / of for of in (
        min(processor), min(seconds), statistics.median(seconds)))
    figure("decode --count, one core", f"{rate:,.0f} packets a second of the processor's",
           f"{PACKETS_A_SECOND:,}", rate >= PACKETS_A_SECOND, truth["packets"])
    print(f"{'':28}{best:,.0f} by the clock on the wall, {median:,.0f} median")
    figure("its own memory", f"{own:.1f} MB at most ({peak:.1f} MB with text and mapped files)",
           f"{OWN_MEGABYTES} MB", own < OWN_MEGABYTES, truth["packets"])
    return agree(json.loads(printed), truth)


def agree(counts, truth):
    """Whether what was counted is what was written."""
    pairs = counts_to_compare(counts, truth)
    wrong = [(what, got, want) for what, got, want in pairs if got != want]
    for what, got, want in wrong:
        print(f"WRONG: {what}: {got} counted, {want} written")
    if not wrong:
        print(f"{'counts':28}{len(pairs)} agree with what was written")
    return not wrong


def counts_to_compare(counts, truth):
    """What is counted, the number that `decode --count` has, and that of the generator."""
    games = counts["messages"]
    of_family = {name: sum(games.get(game, {}).get(name, 0) for game in GAMES) for name in NAMES}
    pairs = [(what, counts[what], truth[what])
             for what in ("packets", "datagrams", "segments", "flows")]
    pairs += [(name, of_family[name], truth["kinds"].get(name, 0)) for name in NAMES]
    # What servers say themselves is of their game, not only of their family.
    return pairs + [(f"{game} {name}", games.get(game, {}).get(name, 0), count)
                    for game, counts in truth["games"].items() for name, count in counts.items()]


def first_row(binary, capture, packets, runs):
    took = [opened(binary, capture)[0] for _ in range(runs)]
    if None in took:
        print("open: no row was drawn")
        return False
    milliseconds = [t * 1000 for t in took]
    best, median = min(milliseconds), statistics.median(milliseconds)
    figure("open, first row", f"{best:.0f} ms at best, {median:.0f} ms median",
           f"{FIRST_ROW_MS} ms", median < FIRST_ROW_MS, packets)
    return True


def figure(what, value, promise, kept, packets):
    """Prints a figure; of fewer packets than the promises are made for, without them."""
    verdict = f"; promised {promise}, {'kept' if kept else 'NOT KEPT'}" if packets >= FULL else ""
    print(f"{what:28}{value}{verdict}")


if __name__ == "__main__":
    main()
