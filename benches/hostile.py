#!/usr/bin/env python3
"""Measures what captures that are made to hurt cost: benches/hostile.py [--short]

Makes each capture of benches/hostile_captures.py, hostile_messages.py and hostile_parts.py in sizes
that double three times, builds the release binary, runs every command on them, and prints a row for
each command and shape: the time of the largest by the clock, the processor's time, the peak of
resident memory, by which factor the processor's time grows with each doubling, and what it warned of.
A command breaks a bound where

- it takes more than 256 MB, or `open` more than 512 MB;
- its time grows by more than 2.3 with each doubling, where it takes long enough to be measured;
- it takes longer than two minutes, or ends in another way than with the status 0 or 1;
- `report` takes more than three times the time of `check`, where that takes long enough to compare;
- it says nothing of what the capture is known to make it leave out.

What breaks a bound is measured again, and the least of three counts. The status is 1 where
something is broken for good.

The command `wireshark` is tshark with the dissector of the program, on captures of an eighth, since
tshark takes minutes for the others. Its memory is tshark's own and is not judged, and a bound that
tshark breaks alone too is not broken by the dissector. It is left out where there is no tshark.

With --short two sizes and a few commands, on captures of a third: those with the largest tables, and
for hurting messages those that show most of one. Linux only.
"""
import argparse
import fcntl
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
import time
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True
import hostile_messages  # noqa: E402
import hostile_parts  # noqa: E402
from hostile_captures import SHAPES  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent
COMMANDS = {
    "count": "decode --count",
    "decode": "decode",
    "verbose": "decode -v",
    "filter": "decode -Y finding",
    "state": "decode -Y exchange.state==unanswered||finding",
    "ladder": "decode --sequence",
    "check": "check --severity note",
    "explain": "explain --server 192.0.2.10",
    **{what: f"export --what {what}" for what in (
        "sessions", "exchanges", "messages", "servers", "registrations", "listed", "masters", "players", "flows",
        "findings", "endpoints")},
    "all": "export --what all -o {output}",
    "parquet": "export --what messages --format parquet",
    "report": "report -o {output}",
    "svg": "decode --sequence=svg",
    "packets": "export --format pcapng",
    "redacted": "export --format pcapng --redact",
    "pseudonyms": "export --what sessions --redact",
    "unknown": "decode -v --unknown",
    "open": "open",
    "plain": "open",
    "wireshark": "wireshark lua",
}
# Runs tshark, on captures that are smaller by this factor.
WIRESHARK, SMALLER = "wireshark", 8
# tshark without the dissector, to compare with.
ALONE = "tshark"
# The terminal of each command of the interface.
TERMINALS = {"open": "xterm-256color", "plain": "dumb"}
SHORT = ("check", "sessions", "ladder", "open")
SHORT_OF_MESSAGES = ("report", "all")
# The commands that warn of every table.
WARNING_COMMANDS = ("check", "open")
# How many times as long as `check` a page may take, where `check` takes so many seconds.
REPORT, COMPARED = 3, 1
MEGABYTES, MEGABYTES_OF_OPEN = 256, 512
DOUBLINGS, FACTOR = 3, 2.3
# Less of the processor's time than this, in seconds, says nothing of how it grows.
FLOOR = 0.1
PATIENCE = 120
# Control sequences of a terminal.
CONTROLS = re.compile(r"\x1b\[[^a-zA-Z]*[a-zA-Z]")
TRIES = 3


@dataclass
class Run:
    """What one run of a command cost, and what it printed."""
    wall: float
    processor: float
    megabytes: float
    status: int
    warnings: str


def main():
    raw = argparse.RawDescriptionHelpFormatter
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    arguments.add_argument("--binary", type=Path, help="measured instead of a new build")
    arguments.add_argument("--short", action="store_true", help="less of everything")
    arguments.add_argument("--shapes", default="", help="only these, separated by commas")
    arguments.add_argument("--commands", default="", help="only these, separated by commas")
    options = arguments.parse_args()
    binary = options.binary or build()
    shapes = options.shapes.split(",") if options.shapes else list(SHAPES)
    commands = options.commands.split(",") if options.commands else list(COMMANDS)
    if not shutil.which("tshark"):
        commands = [command for command in commands if command != WIRESHARK]
    print(f"{'capture':30}{'command':11}{'wall s':>8}{'cpu s':>8}{'MB':>7}{'growth':>8}  warnings", flush=True)
    broken = []
    with tempfile.TemporaryDirectory() as folder:
        for name in shapes:
            chosen = short_commands(name) if options.short and not options.commands else commands
            broken += measure(binary, Path(folder), name, chosen, options.short)
    print(f"{len(broken)} bounds are broken" if broken else "all bounds are kept")
    for what in broken:
        print(f"  {what}")
    sys.exit(1 if broken else 0)


def short_commands(name):
    """The commands that matter most for a shape."""
    of_messages = (hostile_messages.__name__, hostile_parts.__name__)
    return SHORT_OF_MESSAGES if SHAPES[name].make.__module__ in of_messages else SHORT


def build():
    subprocess.run(["cargo", "build", "--release", "--locked"], cwd=ROOT, check=True)
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "fragshark"


def measure(binary, folder, name, commands, short):
    """Runs the commands on all sizes of a shape; what they break."""
    shape = SHAPES[name]
    steps = (0, DOUBLINGS) if short else range(DOUBLINGS + 1)
    base = max(1, shape.n // 3) if short else shape.n
    broken, checked, captures, made = [], None, [], 0
    for command in commands:
        wanted = max(1, base // SMALLER) if command == WIRESHARK else base
        if made != wanted:
            captures, made = make(folder, shape, wanted, steps), wanted
        runs = [run(binary, command, capture) for capture in captures]
        faults = judge(command, runs, shape, short, checked)
        for _ in range(TRIES - 1):
            if not faults:
                break
            again = [run(binary, command, capture) for capture in captures]
            runs = [min(pair, key=lambda one: (one.processor, one.megabytes)) for pair in zip(runs, again)]
            faults = judge(command, runs, shape, short, checked)
        if faults and command == WIRESHARK:
            alone = judge(ALONE, [run(binary, ALONE, capture) for capture in captures], shape, short, checked)
            faults = [fault for fault in faults if fault not in alone]
        last = runs[-1]
        checked = last.processor if command == "check" else checked
        words = last.warnings.replace("fragshark: ", "").replace("warning: ", "").replace("\n", "; ")[:90]
        print(f"{name:30}{command:11}{last.wall:8.2f}{last.processor:8.2f}{max(one.megabytes for one in runs):7.0f}"
              f"{growth(runs):8.2f}  {'BROKEN: ' + ', '.join(faults) + '; ' if faults else ''}{words}", flush=True)
        broken += [f"{name}, {command}: {fault}" for fault in faults]
    return broken


def make(folder, shape, base, steps):
    """The captures of a shape, each of so many doublings of a size; they replace those before."""
    captures = []
    for step in steps:
        capture = folder / f"{step}.pcap"
        with capture.open("wb", buffering=1 << 20) as file:
            file.writelines(shape.make(base << step))
        captures.append(capture)
    return captures


def growth(runs):
    """The factor by which the time grows with each doubling, times below the floor taken for it."""
    first, last = (max(one.processor, FLOOR) for one in (runs[0], runs[-1]))
    return (last / first) ** (1 / DOUBLINGS)


def judge(command, runs, shape, short, checked):
    """What the runs of a command break; `checked` is the time of `check` for the largest capture."""
    faults = []
    most = MEGABYTES_OF_OPEN if command in TERMINALS else MEGABYTES
    if command not in (WIRESHARK, ALONE) and max(one.megabytes for one in runs) > most:
        faults.append(f"more than {most} MB")
    if growth(runs) > FACTOR:
        faults.append("worse than linear")
    if command == "report" and checked and checked > COMPARED and runs[-1].processor > REPORT * checked:
        faults.append(f"{runs[-1].processor / checked:.1f} times the time of check")
    if runs[-1].status not in (0, 1):
        faults.append(f"status {runs[-1].status}")
    if shape.warning and command in WARNING_COMMANDS and not short and not re.search(shape.warning, runs[-1].warnings):
        faults.append(f"does not warn of \"{shape.warning}\"")
    return faults


def run(binary, command, capture):
    output = capture.parent / "output"
    if command in (WIRESHARK, ALONE):
        words = ["tshark", *(dissector(binary, capture) if command == WIRESHARK else []), "-V", "-r", str(capture)]
    else:
        words = [str(binary), *COMMANDS[command].format(output=output).split(), str(capture)]
    begin = time.perf_counter()
    if command in TERMINALS:
        status, usage, text = shown(words, TERMINALS[command])
    else:
        with tempfile.TemporaryFile() as errors:
            child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=errors)
            status, usage = ended(child.pid, begin + PATIENCE)
            child.returncode = status
            errors.seek(0)
            text = errors.read().decode(errors="replace")
        remove(output)
    text = CONTROLS.sub("", text)
    warnings = "\n".join(line for line in text.splitlines() if "warning" in line)
    return Run(time.perf_counter() - begin, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, status, warnings)


def dissector(binary, capture):
    """tshark's options for the dissector of the program."""
    written = capture.parent / "fragshark.lua"
    if not written.exists():
        subprocess.run([binary, *COMMANDS[WIRESHARK].split(), "-o", written], check=True)
    return ["-X", f"lua_script:{written}"]


def remove(output):
    if output.is_dir():
        shutil.rmtree(output)
    else:
        output.unlink(missing_ok=True)


def ended(child, deadline):
    """A child's status and usage; it is ended where it takes too long."""
    while time.perf_counter() < deadline:
        pid, status, usage = os.wait4(child, os.WNOHANG)
        if pid:
            return os.waitstatus_to_exitcode(status), usage
        time.sleep(0.005)
    os.kill(child, 9)
    _, status, usage = os.wait4(child, 0)
    return os.waitstatus_to_exitcode(status), usage


def shown(words, kind):
    """The same on a terminal of this kind with 80 columns, left by `q` when everything is loaded."""
    child, terminal = pty.fork()
    if child == 0:
        # The terminal gets its size before the program can ask for it.
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        os.environ["TERM"] = kind
        try:
            os.execv(words[0], words)
        finally:
            os._exit(127)
    deadline = time.perf_counter() + PATIENCE
    drawn, spent, idle_since = b"", -1, time.perf_counter()
    while time.perf_counter() < deadline:
        drawn += drain(terminal, 0.1)
        now = processor_ticks(child)
        if now != spent or waits_for_the_machine(child):
            spent, idle_since = now, time.perf_counter()
        # It has drawn something and has nothing more to do.
        if drawn and time.perf_counter() - idle_since > 0.5:
            break
    os.write(terminal, b"q")
    rest = b""
    while time.perf_counter() < deadline:
        rest += drain(terminal, 0.02)
        pid, status, usage = os.wait4(child, os.WNOHANG)
        if pid:
            rest += drain(terminal, 0.02)
            os.close(terminal)
            return os.waitstatus_to_exitcode(status), usage, rest.decode(errors="replace")
    os.close(terminal)
    status, usage = ended(child, deadline)
    return status, usage, rest.decode(errors="replace")


def drain(terminal, seconds):
    """What is drawn next, if something is within so many seconds."""
    if not select.select([terminal], [], [], seconds)[0]:
        return b""
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # the program has ended
        return b""


def waits_for_the_machine(child):
    """Whether a thread would go on if it had a processor, or what it reads."""
    for thread in Path(f"/proc/{child}/task").glob("*/stat"):
        try:
            if thread.read_text().rpartition(")")[2].split()[0] in "RD":
                return True
        except OSError:  # the thread has ended
            continue
    return False


def processor_ticks(child):
    try:
        fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        return -1
    return int(fields[11]) + int(fields[12])


if __name__ == "__main__":
    main()
