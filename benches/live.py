#!/usr/bin/env python3
"""Measures what live capture loses: benches/live.py [--rate N] [--seconds N] [--binary FILE]

Captures on the loopback device of a network namespace of its own (on the machine's own where none
can be made, which it says), and sends requests there from the same machine:

- --rate packets a second for --seconds, by absolute deadlines from one start;
- then as fast as one process can send, for --seconds.

Each time with the packets written to a file, and without. Prints sent, received, kernel drops, our
drops, and what was printed and written. The status is 1 where the steady rate lost anything, or
where received by the kernel is not what was sent, or delivered and dropped do not add up to it.
Linux only, as root.
"""
import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 60
PORT = 27960

# Sends in bursts of a millisecond, and prints how many it sent and how long that took.
SENDER = r"""
import socket, sys, time
rate, seconds = int(sys.argv[1]), float(sys.argv[2])
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
# Whoever receives is never short of room: nobody does, and refusals are not waited for.
s.connect(('127.0.0.1', %d))
payload, sent = b'\xff\xff\xff\xffgetinfo xyzzy', 0
r = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
r.bind(('127.0.0.1', %d))
send, start = s.send, time.perf_counter()
burst = max(1, rate // 1000) if rate else 256
while True:
    now = time.perf_counter() - start
    if now >= seconds and (not rate or sent >= rate * seconds): break
    if rate:
        due = min(int(now * rate), int(rate * seconds))
        if due <= sent:
            time.sleep(0.0005)
            continue
        count = due - sent
    else:
        count = burst
    for _ in range(count): send(payload)
    sent += count
print(sent, time.perf_counter() - start)
""" % (PORT, PORT)


def main():
    raw = argparse.RawDescriptionHelpFormatter
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    arguments.add_argument("--rate", type=int, default=100_000, help="packets a second")
    arguments.add_argument("--seconds", type=float, default=10)
    arguments.add_argument("--binary", type=Path, help="measured instead of a new build")
    options = arguments.parse_args()
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    binary = (options.binary or build(target)).resolve()
    # Whoever ends this early leaves no namespace behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    inside = namespace()
    try:
        passed = True
        for rate in (options.rate, 0):
            for writes in (False, True):
                passed &= measure(binary, inside, rate, options.seconds, writes)
    finally:
        if inside:
            subprocess.run(["ip", "netns", "delete", inside[-1]], check=True)
    sys.exit(0 if passed else 1)


def build(target):
    subprocess.run(["cargo", "build", "--release", "--locked"], cwd=ROOT, check=True)
    return target / "release" / "fragshark"


def namespace():
    """The words that run a command in a namespace of our own."""
    name = f"fragshark-bench-{os.getpid()}"
    made = shutil.which("ip") and subprocess.run(["ip", "netns", "add", name]).returncode == 0
    if not made:
        print("no network namespace can be made: the machine's loopback device is used")
        return []
    inside = ["ip", "netns", "exec", name]
    subprocess.run([*inside, "ip", "link", "set", "lo", "up"], check=True)
    return inside


def measure(binary, inside, rate, seconds, writes):
    with tempfile.TemporaryDirectory(prefix="fragshark-bench-") as folder:
        command = [*inside, binary, "capture", "-i", "lo", "-f", f"udp port {PORT}"]
        if writes:
            command += ["-w", f"{folder}/live.pcapng"]
        messages, printed = Path(folder, "messages"), Path(folder, "printed")
        with messages.open("wb") as errors, printed.open("wb") as out:
            capture = subprocess.Popen(command, stdout=out, stderr=errors)
            wait(lambda: b"rights: " in messages.read_bytes(), capture)
            sender = [*inside, sys.executable, "-c", SENDER, str(rate), str(seconds)]
            result = subprocess.run(sender, check=True, stdout=subprocess.PIPE).stdout.split()
            # What is in the kernel's buffer is taken after this, too.
            capture.send_signal(signal.SIGINT)
            capture.wait(PATIENCE)
        sent, duration = int(result[0]), float(result[1])
        text = messages.read_text()
        counts = re.search(r"lo: (\d+) packets received, (\d+) dropped by the kernel, (\d+) by us"
                           r"(?:.*?, (\d+) not read)?", text)
        taken = re.search(r"(\d+) packets captured", text)
        if capture.returncode != 0 or not counts or not taken:
            print(text)
            return False
        received, kernel, ours, left = (int(count or 0) for count in counts.groups())
        taken = int(taken[1])
        lines = sum(1 for _ in printed.open("rb"))
        title = f"{rate} packets/s" if rate else "as fast as it goes"
        print(f"{title} for {duration:.1f} s{', written to a file' if writes else ''}: "
              f"{sent} sent ({sent / duration:.0f}/s), {received} counted by the kernel, "
              f"{kernel} dropped by the kernel, {ours} dropped by us, {taken} taken, "
              f"{lines} messages printed", flush=True)
        passed = received == sent and taken + kernel + ours == sent and left == 0 and lines == taken
        if not passed:
            print("  received and dropped are not what was sent")
        if rate and (kernel or ours):
            print("  packets were lost")
            passed = False
        return passed


def wait(is_so, process):
    end = time.monotonic() + PATIENCE
    while not is_so():
        if process.poll() is not None or time.monotonic() > end:
            sys.exit("the capture did not begin")
        time.sleep(0.01)


if __name__ == "__main__":
    main()
