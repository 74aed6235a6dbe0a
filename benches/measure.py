"""What the benchmarks share: the benchmark capture, the release build, processors, memory, and a
terminal for `open`. Linux only."""
import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
GENERATOR = ROOT / "benches" / "gen_big.py"
# The messages of the Quake III family, and their games; the generator uses the same names. The
# last three games are those of some protocol numbers in its list requests.
NAMES = ("getservers", "getserversResponse", "heartbeat", "getinfo", "infoResponse", "getstatus",
         "statusResponse")
GAMES = ("quake3", "rtcw", "enemy-territory", "darkplaces", "openarena", "world-of-padman",
         "urban-terror")
# Longer than any of this takes unless something is broken, in seconds.
PATIENCE = 120


def build():
    """Builds the release binary, and returns its path."""
    subprocess.run(["cargo", "build", "--release", "--locked"], cwd=ROOT, check=True)
    return TARGET / "release" / "fragshark"


def made(packets, flows=None):
    """The capture, and what it holds; made anew when the generator has changed."""
    folder = TARGET / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{packets}" if flows is None else f"{packets}-{flows}"
    capture, truth = folder / f"{name}.pcap", folder / f"{name}.json"
    if not truth.exists() or truth.stat().st_mtime < GENERATOR.stat().st_mtime:
        print(f"writing {packets} packets to {capture}", file=sys.stderr, flush=True)
        command = [sys.executable, GENERATOR, capture, str(packets)]
        command += [] if flows is None else ["--flows", str(flows)]
        written = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
        truth.write_bytes(written)
    # Programs are measured, not the disk: the file is read once before.
    with capture.open("rb") as file:
        while file.read(1 << 24):
            pass
    return capture, json.loads(truth.read_text())


def on_cores(count):
    """What a child does before it starts, so that it runs on so many processors."""
    cores = sorted(os.sched_getaffinity(0))[-count:]
    return lambda: os.sched_setaffinity(0, cores)


on_one_core = on_cores(1)


def watched(child):
    """A child's status and usage at its end, and its most anonymous memory, in megabytes."""
    most = 0
    while True:
        most = max(most, own_memory(child.pid))
        ended, status, usage = os.wait4(child.pid, os.WNOHANG)
        if ended:
            child.returncode = os.waitstatus_to_exitcode(status)
            return child.returncode, usage, most
        time.sleep(0.002)


def own_memory(pid):
    """The anonymous memory of a process now, in megabytes: without its text and mapped files."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return 0
    pages = re.findall(r"Rss(?:Anon|Shmem):\s+(\d+) kB", status)
    return sum(map(int, pages)) / 1024


def opened(binary, capture, indexed=False):
    """Runs `open` on a terminal until it shows a row, and with `indexed` until it has analysed
    everything. Returns seconds to the first row, seconds to the end of the analysis, and the most
    anonymous memory; none of what never came."""
    row, done = re.compile("|".join(NAMES).encode()), re.compile(rb"\d flows?\b")
    start = time.perf_counter()
    child, terminal = pty.fork()
    if child == 0:
        # The terminal gets its size before the program can ask for it.
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        os.environ["TERM"] = "xterm-256color"
        try:
            os.execv(binary, [binary, "open", capture])
        finally:
            os._exit(127)
    drawn, first, last, memory = b"", None, None, 0
    while time.perf_counter() - start < PATIENCE:
        memory = max(memory, own_memory(child))
        if not select.select([terminal], [], [], 0.01)[0]:
            continue
        try:
            drawn += os.read(terminal, 1 << 16)
        except OSError:  # the program has ended
            break
        if first is None and row.search(drawn):
            first = time.perf_counter() - start
            if not indexed:
                break
            # The screen of exchanges: its header counts flows once everything is analysed.
            os.write(terminal, b"2")
        if first is not None and done.search(drawn):
            last = time.perf_counter() - start
            break
        drawn = drawn[-64:] if first is not None else drawn
    memory = max(memory, own_memory(child))
    leave(child, terminal)
    return first, last, memory


def leave(child, terminal):
    """Asks the program to quit as a user does, and ends it if it does not."""
    deadline = time.perf_counter() + 5
    try:
        os.write(terminal, b"q")
        while time.perf_counter() < deadline:
            if select.select([terminal], [], [], 0.1)[0]:
                os.read(terminal, 1 << 16)
    except OSError:
        pass
    os.close(terminal)
    if os.waitpid(child, os.WNOHANG)[0] == 0:
        os.kill(child, 9)
        os.waitpid(child, 0)
