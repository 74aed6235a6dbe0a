"""Time and memory over the length of a capture and over its number of flows, for benches/peers.py.
"""
import tempfile
from pathlib import Path

import programs
from measure import TARGET, made

PACKETS = (10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000)
FLOWS = (10, 100, 1_000, 10_000, 100_000, 1_000_000)
# The packets of each capture that has a number of flows.
PACKETS_OF_FLOWS = 1_000_000
SHORT_PACKETS, SHORT_FLOWS, SHORT_PACKETS_OF_FLOWS = (1_000, 3_000, 10_000), (10, 100, 1_000), 10_000
# The rows of the table that are followed.
FOLLOWED = ("`decode --count`", "messages, CSV", "sessions, CSV", programs.ALL_TABLES)
# A capture with more packets is deleted when it has been measured.
KEPT_PACKETS = 1_000_000


def curves(binary, short, runs):
    """Of each command, points of (packets, seconds, megabytes), and of (flows, seconds, megabytes):
    {"packets": {name: [point]}, "flows": {name: [point]}}. Seconds are the least user and system
    seconds on one core, megabytes the most anonymous memory."""
    packets = SHORT_PACKETS if short else PACKETS
    flows, each = (SHORT_FLOWS, SHORT_PACKETS_OF_FLOWS) if short else (FLOWS, PACKETS_OF_FLOWS)
    return {
        "packets": collected(binary, [(count, None) for count in packets], runs),
        "flows": collected(binary, [(each, count) for count in flows], runs),
    }


def collected(binary, captures, runs):
    points = {name: [] for name in FOLLOWED}
    for packets, flows in captures:
        capture, truth = made(packets, flows)
        try:
            for name, seconds, memory in measured(binary, capture, runs):
                at = packets if flows is None else truth["flows"]
                points[name].append((at, seconds, memory))
        finally:
            if flows is not None or packets > KEPT_PACKETS:
                capture.unlink()
                capture.with_suffix(".json").unlink()
    return points


def measured(binary, capture, runs):
    with tempfile.TemporaryDirectory(dir=TARGET / "bench") as folder:
        for row in programs.rows(binary, capture, Path(folder)):
            if row.name in FOLLOWED:
                figures = [programs.run(row, cores=1) for _ in range(runs)]
                yield row.name, min(f[0] for f in figures), max(f[2] for f in figures)
