#!/usr/bin/env python3
"""Instructions that the release build executes for a fixed capture: benches/instructions.py

Other programs on the machine make no difference, unlike for times. Compares with the recorded
figures in benches/instructions.json; `--write` records them again. Needs valgrind.
"""
import argparse
import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import measure

PACKETS = 20_000
FIGURES = measure.ROOT / "benches" / "instructions.json"
# How far a figure may be from the recorded one, as a part of it.
TOLERANCE = 0.05
COMMANDS = {
    "decode --count": ["decode", "--count"],
    "decode, text": ["decode"],
    "messages, CSV": ["export", "--what", "messages"],
    "messages, NDJSON": ["export", "--what", "messages", "--format", "ndjson"],
    "messages, Parquet": ["export", "--what", "messages", "--format", "parquet"],
    "sessions, CSV": ["export"],
    "servers, CSV": ["export", "--what", "servers"],
    "check": ["check"],
}


def instructions(binary, command, capture):
    """How many instructions a command executes, in one thread."""
    valgrind = ["valgrind", "--tool=callgrind", "--cache-sim=no", "--callgrind-out-file=/dev/null"]
    words = [*valgrind, binary, *command, "--threads", "1", capture]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, check=False)
    found = re.search(r"Collected : (\d+)", done.stderr)
    # `check` has status 1 if it finds something.
    if found is None or done.returncode > 1:
        sys.exit(f"{command}: status {done.returncode}\n{done.stderr}")
    return int(found[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[0])
    parser.add_argument("--write", action="store_true", help="record the figures")
    options = parser.parse_args()
    binary = measure.build()
    capture, _ = measure.made(PACKETS)
    with ThreadPoolExecutor(2) as pool:
        counted = pool.map(lambda command: instructions(binary, command, capture),
                           COMMANDS.values())
        figures = dict(zip(COMMANDS, counted))
    if options.write:
        FIGURES.write_text(json.dumps(figures, indent=4) + "\n")
        return
    recorded = json.loads(FIGURES.read_text())
    wrong = False
    for name, figure in figures.items():
        ratio = figure / recorded[name]
        is_close = abs(ratio - 1) <= TOLERANCE
        wrong |= not is_close
        note = "" if is_close else "  <- too far from it; if this is meant: --write"
        print(f"{name:20} {figure:15,} {ratio:6.3f} of the recorded figure{note}")
    sys.exit(wrong)


if __name__ == "__main__":
    main()
