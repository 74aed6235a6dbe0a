"""The commands that benches/peers.py measures, ours and those of peers, and how they are run."""
import hashlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import namedtuple

import measure
import stream

# A command, a tuple. `limit` is what it may take at most, in multiples of tcpdump's copying; `faster` how many
# times as fast two threads must be; `folder` what it writes to, emptied before each run.
Row = namedtuple("Row", "name command limit faster folder", defaults=(None, None, None))
COPY = "tcpdump, copy"
ALL_TABLES = "all tables, Parquet"
# The directory that all tables are written to.
TABLES = "tables"
# Debian's packages of the peers.
PACKAGES = {"tcpdump": "tcpdump", "tshark": "tshark", "capinfos": "wireshark-common",
            "ndpiReader": "libndpi-bin"}
# A finding is no failure of `check`.
DONE = (0, 1)
# Of `open`, in seconds, and in megabytes.
FIRST_ROW, ANALYSED, OPEN_MEMORY = 0.1, 2.0, 160


def rows(binary, capture, folder):
    """Every command, in the order of the table."""
    def export(what, form, limit, faster):
        command = (binary, "export", capture, "--what", what, "--format", form)
        names = {"csv": "CSV", "ndjson": "NDJSON", "parquet": "Parquet"}
        return Row(f"{what}, {names[form]}", command, limit, faster)
    tables = folder / TABLES
    every = (binary, "export", capture, "--what", "all", "-o", tables)
    fields = ("frame.number", "frame.time_epoch", "ip.src", "ip.dst", "data.data")
    tshark = ("tshark", "-n", "-r", capture)
    return [
        Row(COPY, ("tcpdump", "-nn", "-r", capture, "-w", "/dev/null", "udp")),
        Row("`decode --count`", (binary, "decode", "--count", capture), 2.2, 1.3),
        Row("`decode`, text", (binary, "decode", capture), 5, 1.6),
        export("messages", "csv", 6, 1.6),
        export("messages", "ndjson", 6, 1.6),
        export("messages", "parquet", 10, 1.6),
        export("sessions", "csv", 12, 1.3),
        export("servers", "csv", 9, 1.3),
        Row("`check`", (binary, "check", capture), 9, 1.3),
        Row(ALL_TABLES, every, 20, None, tables),
        Row("tcpdump, text", ("tcpdump", "-nn", "-r", capture)),
        Row("tshark, five fields", (*tshark, "-T", "fields", *(
            part for field in fields for part in ("-e", field)))),
        Row("tshark, conversations", (*tshark, "-q", "-z", "conv,udp")),
        Row("capinfos", ("capinfos", capture)),
        Row("ndpiReader", ("ndpiReader", "-i", capture)),
    ]


def missing(of):
    """The peers that are not on this machine; tcpdump has to be there."""
    if shutil.which(PACKAGES["tcpdump"]) is None:
        sys.exit("tcpdump is missing: all figures are multiples of its time")
    return sorted({row.command[0] for row in of if shutil.which(row.command[0]) is None})


def run(row, cores, output=subprocess.DEVNULL, more=()):
    """Runs a command on so many cores; its user and system seconds, those by the clock, and its
    most anonymous memory in megabytes. The command's end ends the program if it failed."""
    if row.folder is not None:
        shutil.rmtree(row.folder, ignore_errors=True)
    with tempfile.TemporaryFile() as complaints:
        start = time.perf_counter()
        child = subprocess.Popen([*map(str, row.command), *more], stdin=subprocess.DEVNULL,
                                 stdout=output, stderr=complaints,
                                 preexec_fn=measure.on_cores(cores))
        status, usage, memory = measure.watched(child)
        wall = time.perf_counter() - start
        complaints.seek(0)
        if status not in DONE:
            reason = complaints.read().decode(errors="replace").strip()
            sys.exit(f"{row.name}: status {status}: {reason}")
    return usage.ru_utime + usage.ru_stime, wall, memory


def one_core(of, runs):
    """Each row's best user and system seconds; all rows take turns."""
    best = {}
    for _ in range(runs):
        for row in of:
            seconds, _, _ = run(row, cores=1)
            best[row] = min(seconds, best.get(row, seconds))
    return best


def threads(of, runs):
    """Each of our rows' best seconds by the clock, with one thread and with two."""
    ours = [row for row in of if row.faster is not None]
    best = {row: [float("inf"), float("inf")] for row in ours}
    for _ in range(runs):
        for row in ours:
            for at, count in enumerate((1, 2)):
                _, wall, _ = run(row, cores=2, more=("--threads", str(count)))
                best[row][at] = min(wall, best[row][at])
    return best


def screens(binary, capture, runs):
    """Of `open` on two cores: the median seconds to the first row and to the end of the analysis,
    and the most memory."""
    mask = os.sched_getaffinity(0)
    measure.on_cores(2)()
    got = [measure.opened(binary, capture, indexed=True) for _ in range(runs)]
    os.sched_setaffinity(0, mask)
    if any(None in of for of in got):
        sys.exit("open: no row was drawn, or its analysis did not end")
    first, analysed, memory = zip(*got)
    return statistics.median(first), statistics.median(analysed), max(memory)


def disagreements(binary, capture, truth, of, folder):
    """What the commands count differently, and which of ours write other bytes with two threads."""
    printed = {row.name: written(row, folder) for row in of}
    wrong = [f"{row.name}: other bytes with two threads" for row in of
             if row.faster is not None and written(row, folder, "--threads", "2") != printed[row.name]]
    counts = json.loads(subprocess.check_output(
        [binary, "decode", "--count", "--format", "json", capture]))
    wrong += [f"{what}: {got} counted, {want} written"
              for what, got, want in stream.counts_to_compare(counts, truth) if got != want]
    messages = sum(sum(names.values()) for names in counts["messages"].values())
    manifest = json.loads((folder / TABLES / "manifest.ndjson").read_text())
    lines = {name: count for name, (count, _) in printed.items()}
    pairs = [
        ("`decode`, text", lines["`decode`, text"], messages),
        ("messages, CSV", lines["messages, CSV"] - 1, messages),
        ("messages, NDJSON", lines["messages, NDJSON"], messages),
        ("messages of all tables", manifest["rows"]["messages"], messages),
        ("sessions of all tables", manifest["rows"]["sessions"], lines["sessions, CSV"] - 1),
        ("servers of all tables", manifest["rows"]["servers"], lines["servers, CSV"] - 1),
        ("packets of all tables", manifest["packets"], truth["packets"]),
    ]
    pairs += [(name, lines[name], truth["packets"])
              for name in ("tshark, five fields",) if name in lines]
    # A packet of another protocol may have several lines.
    pairs.append(("packets in tcpdump, text", min(lines["tcpdump, text"], truth["packets"]),
                  truth["packets"]))
    return wrong + [f"{name}: {got}, not {want}" for name, got, want in pairs if got != want]


def written(row, folder, *more):
    """The lines and the hash of what a command prints."""
    lines, hashed = 0, hashlib.blake2b()
    with tempfile.TemporaryFile(dir=folder) as output:
        run(row, cores=2, output=output, more=more)
        output.seek(0)
        while chunk := output.read(1 << 20):
            lines += chunk.count(b"\n")
            hashed.update(chunk)
    return lines, hashed.digest()
