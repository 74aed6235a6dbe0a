"""The tables of benches/peers.py as Markdown, and where they stand in the documents."""
import os
import platform
import re
import subprocess
from pathlib import Path

import plot
import programs
from measure import ROOT

PAGE = ROOT / "docs" / "performance.md"
PLOT = ROOT / "docs" / "img" / "growth.svg"
# What memory every export stays below, in megabytes.
OWN_MEGABYTES = 64


def tables(capture, truth, runs, one_core, missing, threads, opened):
    """All that is measured on one capture."""
    size = capture.stat().st_size / 1e6
    return "\n".join([
        f"{truth['packets']:,} packets, {size:.0f} MB, {truth['flows']:,} flows; the best of "
        f"{runs} {'run' if runs == 1 else 'runs'}, `open` the median. {machine()}", "",
        "| one core | seconds | × tcpdump, copy | at most |", "|---|---:|---:|---:|",
        *of_one_core(one_core), *(absent(name) for name in missing), "",
        "| two cores, by the clock | one thread | two threads | times as fast | at least |",
        "|---|---:|---:|---:|---:|", *of_threads(threads), "",
        "| `open`, two cores | measured | at most |", "|---|---:|---:|", *of_screens(opened), ""])


def of_one_core(best):
    copy = next(seconds for row, seconds in best.items() if row.name == programs.COPY)
    for row, seconds in best.items():
        limit = "" if row.limit is None else f"{row.limit:g}"
        yield f"| {row.name} | {seconds:.2f} | {seconds / copy:.1f} | {limit} |"


def absent(program):
    return f"| {program} | not installed: Debian's `{programs.PACKAGES[program]}` | | |"


def of_threads(best):
    for row, (one, two) in best.items():
        yield f"| {row.name} | {one:.2f} s | {two:.2f} s | {one / two:.2f} | {row.faster:g} |"


def of_screens(opened):
    first, analysed, memory = opened
    yield f"| first row | {first:.2f} s | {programs.FIRST_ROW:g} s |"
    yield f"| all screens | {analysed:.1f} s | {programs.ANALYSED:g} s |"
    yield f"| memory | {memory:.0f} MB | {programs.OPEN_MEMORY} MB |"


def machine():
    """The processor, the system, and the peers' versions."""
    names = re.findall(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    cores = len(os.sched_getaffinity(0))
    peers = [of for name in programs.PACKAGES if (of := version(name))]
    return f"{names[0] if names else platform.machine()}, {cores} cores; " + ", ".join(peers) + "."


def version(program):
    try:
        shown = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    found = re.search(r"\d+(\.\d+)+", shown.stdout + shown.stderr)
    return f"{program} {found[0]}" if found else program


def growth(curves):
    """A picture and tables of time and memory over packets and over flows."""
    lines = ["![Time and memory over the number of packets and of flows](img/growth.svg)", ""]
    for what, points_by_name in curves.items():
        names = list(points_by_name)
        lines += [f"| {what} | " + " | ".join(f"{name}: s | MB" for name in names) + " |",
                  "|---:" * (1 + 2 * len(names)) + "|"]
        for points in zip(*points_by_name.values()):
            figures = " | ".join(f"{seconds:.2f} | {memory:.0f}" for _, seconds, memory in points)
            lines.append(f"| {points[0][0]:,} | {figures} |")
        lines.append("")
    return "\n".join(lines)


def drawing(curves):
    """The plot of the same."""
    names = list(curves["packets"])
    titles = {"packets": "a longer capture", "flows": "more flows, as many packets"}
    panels = []
    for at, unit, of, limit in ((1, "seconds", "Time", None),
                                (2, "MB", "Memory", (OWN_MEGABYTES, f"{OWN_MEGABYTES} MB"))):
        for what, by_name in curves.items():
            # A duration of zero has no place on a logarithmic axis.
            lines = {name: [(point[0], max(point[at], 0.001)) for point in points]
                     for name, points in by_name.items()}
            panels.append({"title": f"{of}, {titles[what]}", "x": what, "y": unit, "lines": lines,
                           "limit": limit})
    plain = {name: name.replace("`", "") for name in names}
    for panel in panels:
        panel["lines"] = {plain[name]: points for name, points in panel["lines"].items()}
    return plot.svg("Time and memory of fragshark", panels, list(plain.values()))


def write(text, curves):
    """Replaces what stands between the marks."""
    if curves:
        PLOT.write_text(drawing(curves))
        replace(PAGE, "growth", growth(curves))
    replace(PAGE, "peers", text)


def replace(page, name, text, by="benches/peers.sh"):
    start, end = f"<!-- {name}: written by {by} -->\n", f"<!-- end of {name} -->"
    before, _, rest = page.read_text().partition(start)
    _, found, after = rest.partition(end)
    if not found:
        raise SystemExit(f"{page}: the marks of {name} are missing")
    page.write_text(f"{before}{start}{text}{end}{after}")
