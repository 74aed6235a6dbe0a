#!/usr/bin/env python3
"""Measures replay: benches/replay.py [--sockets N] [--rate N] [--seconds N] [--messages N] [--rounds N]

Builds the release binary, makes a capture of many servers' heartbeats, plays it to a port of this
machine that takes everything and says nothing, and prints

- at a steady rate: by how much messages were late (p50, p99, at most), and the drift between the
  first and the last of them; beside it the same of a bare loop in C that does nothing but look at
  the clock and send, before and behind it: later than that is what the machine takes for itself;
- `--asap`: how many messages a second were sent, beside a bare loop of send calls in C, over as
  many sockets with the same bytes: one that names the target in each call (`sendto`), and one over
  sockets that are connected to it (`send`), for which the system does less. All run for a moment,
  in turn, and each round has its shares of the loops' rates: what else the machine does meets all
  alike, and the median of the rounds is what counts, for one that was disturbed does not move it;
- the same of tcpreplay, which sends frames through one socket, where it is installed and may.

The status is 1 only when something is broken, never because a machine is slow. Linux only.
"""
import argparse
import json
import os
import shutil
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BEAT = b"\xff\xff\xff\xffheartbeat DarkPlaces\n"
BARE = r"""
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
/* bare PORT SOCKETS MESSAGES CONNECTED [RATE]: sends over sockets of 127.2.x.y, one after the other,
   and prints how many a second; at a rate, by how many microseconds they were late. */
static const char BEAT[] = "\xff\xff\xff\xffheartbeat DarkPlaces\n";
static long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}
static int rising(const void *a, const void *b) {
    long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}
int main(int argc, char **argv) {
    int sockets = atoi(argv[2]), *s = calloc(sockets, sizeof *s);
    int connected = atoi(argv[4]);
    long messages = atol(argv[3]), rate = argc > 5 ? atol(argv[5]) : 0, n, start, due, at;
    long *late = calloc(messages, sizeof *late);
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(atoi(argv[1])) };
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (n = 0; n < sockets; n++) {
        struct sockaddr_in here = { .sin_family = AF_INET };
        here.sin_addr.s_addr = htonl(0x7f020000u + n);
        s[n] = socket(AF_INET, SOCK_DGRAM, 0);
        if (bind(s[n], (void *)&here, sizeof here)) { perror("bind"); return 1; }
        if (connected && connect(s[n], (void *)&to, sizeof to)) { perror("connect"); return 1; }
    }
    start = now();
    for (n = 0; n < messages; n++) {
        if (rate) {
            due = start + n * 1000000000L / rate;
            while ((at = now()) < due) {}
            late[n] = at - due;
        }
        if ((connected
                ? send(s[n % sockets], BEAT, sizeof BEAT - 1, 0)
                : sendto(s[n % sockets], BEAT, sizeof BEAT - 1, 0, (void *)&to, sizeof to)) < 0) {
            perror("send"); return 1;
        }
    }
    if (!rate) {
        printf("%f\n", messages / ((now() - start) / 1e9));
        return 0;
    }
    qsort(late, messages, sizeof *late, rising);
    printf("%f %f %f\n", late[messages / 2] / 1e3, late[messages * 99 / 100] / 1e3, late[messages - 1] / 1e3);
    return 0;
}
"""


def main():
    raw = argparse.RawDescriptionHelpFormatter
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    arguments.add_argument("--sockets", type=int, default=500)
    arguments.add_argument("--rate", type=int, default=10_000)
    arguments.add_argument("--seconds", type=int, default=30)
    arguments.add_argument("--messages", type=int, default=100_000, help="as fast as it goes, a round")
    arguments.add_argument("--rounds", type=int, default=9, help="rounds of the bare loops and of replay")
    arguments.add_argument("--binary", help="measure this one instead of building")
    options = arguments.parse_args()
    if not sys.platform.startswith("linux"):
        sys.exit("this measures on Linux only")
    binary = Path(options.binary) if options.binary else build()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        bare = folder / "bare"
        (folder / "bare.c").write_text(BARE)
        subprocess.run(["cc", "-O2", "-o", bare, folder / "bare.c"], check=True)
        capture = folder / "servers.pcap"
        write(capture, options.sockets, 10_000)
        steady(binary, bare, capture, options)
        asap(binary, bare, capture, options)
        beside(capture, options)


def build():
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=ROOT, check=True)
    target = os.environ.get("CARGO_TARGET_DIR", ROOT / "target")
    return Path(target) / "release" / "fragshark"


def write(path, servers, messages):
    """Heartbeats of so many servers, in turn, a hundredth of a second apart."""
    with path.open("wb") as out:
        out.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101))
        for n in range(messages):
            server = n % servers
            source = struct.pack(">I", 0x0A00_0001 + server)
            udp = struct.pack(">HHHH", 26_000, 27_950, 8 + len(BEAT), 0) + BEAT
            head = struct.pack(
                ">BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), n & 0xFFFF, 0, 64, 17, 0, source, b"\xcb\0q\x01"
            )
            frame = head + udp
            seconds, rest = divmod(n * 10_000, 1_000_000)
            out.write(struct.pack("<IIII", 1_000_000_000 + seconds, rest, len(frame), len(frame)))
            out.write(frame)


class Sink:
    """A port that nobody reads: what does not fit is dropped by the system."""

    def __enter__(self):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        return self.socket.getsockname()[1]

    def __exit__(self, *_):
        self.socket.close()


def play(binary, capture, port, *arguments):
    command = [binary, "replay", capture, "--target", f"127.0.0.1:{port}", "--format", "ndjson"]
    # The capture has no answers, so none are missing.
    done = subprocess.run([*command, "--timeout", "50ms", *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"replay failed: {done.stderr}{done.stdout[:2000]}")
    entries = [json.loads(line) for line in done.stdout.splitlines()]
    return next(entry for entry in entries if entry["id"] == "replay/pacing")


def steady(binary, bare, capture, options):
    rounds = max(1, options.rate * options.seconds // 10_000)
    with Sink() as port:

        def loop():
            some = max(1, options.rate * options.seconds // 3)
            command = [bare, str(port), str(options.sockets), str(some), "1", str(options.rate)]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            return [float(word) for word in done.stdout.split()]

        before = loop()
        pacing = play(binary, capture, port, "--rate", str(options.rate), "--loop", str(rounds))
        behind = loop()
    print(f"{pacing['messages']} messages at {options.rate} a second over {pacing['seconds']:.1f} s, late by")
    ours = [pacing[f"late_{of}_us"] for of in ("p50", "p99", "max")]
    for name, (p50, p99, most) in (
        ("replay", ours), ("a bare loop before", before), ("and behind it", behind)
    ):
        print(f"  {name:20}{p50:>8.1f} µs at p50, {p99:>10.1f} µs at p99, {most:>8.0f} µs at most")
    print(f"  drift {pacing['drift_us']:.1f} µs")


def asap(binary, bare, capture, options):
    rounds = str(max(1, options.messages // 10_000))
    taken = {"sendto": [], "send": [], "replay": []}
    print(f"as fast as it goes, over {options.sockets} sockets, {options.messages} messages a round, a second:")
    with Sink() as port:

        def loop(connected):
            command = [bare, str(port), str(options.sockets), str(options.messages), str(connected)]
            return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

        runs = [
            ("sendto", lambda: loop(0)),
            ("replay", lambda: play(binary, capture, port, "--asap", "--loop", rounds)["rate"]),
            ("send", lambda: loop(1)),
        ]
        for number in range(max(1, options.rounds)):
            # Forth and back: a machine that gets slower, or faster, favours none.
            for name, run in runs if number % 2 == 0 else reversed(runs):
                taken[name].append(run())
            sendto, send, ours = (taken[name][-1] for name in ("sendto", "send", "replay"))
            print(
                f"  replay {ours:>9,.0f}   sendto {sendto:>9,.0f}, {ours / sendto:>4.0%} of it   "
                f"connected {send:>9,.0f}, {ours / send:>4.0%} of it"
            )

    def share(of):
        return statistics.median(ours / bare for ours, bare in zip(taken["replay"], taken[of]))

    print(
        f"  medians of {len(taken['replay'])} rounds: replay {statistics.median(taken['replay']):,.0f}, "
        f"{share('sendto'):.0%} of the bare loop, {share('send'):.0%} of the one over connected sockets"
    )


def beside(capture, options):
    """tcpreplay on the loopback device."""
    program = shutil.which("tcpreplay", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if program is None:
        return print("tcpreplay: not run, for it is not installed")
    if os.geteuid() != 0:
        return print("tcpreplay: not run, for it wants root")
    for what, arguments in (
        (f"at {options.rate} a second", ["--pps", str(options.rate), "--loop", str(options.rate * 5 // 10_000 or 1)]),
        ("as fast as it goes", ["--topspeed", "--loop", str(options.messages * options.rounds // 10_000 or 1)]),
    ):
        command = [program, "--intf1=lo", "--preload-pcap", *arguments, capture]
        done = subprocess.run(command, capture_output=True, text=True)
        lines = [line.strip() for line in done.stdout.splitlines()]
        told_of = [line for line in lines if line.startswith(("Actual", "Rated"))]
        print(f"tcpreplay {what}: {'; '.join(told_of) or done.stderr.strip()}")


if __name__ == "__main__":
    main()
