#!/usr/bin/env python3
"""Measures the reference master: benches/master.py [--servers N] [--seconds N]

Builds the release binary, runs `fragshark master` on one core of the machine and the load on the
other, and prints

- how fast servers register, each from an address and port of its own message by message: heartbeat,
  challenge, answer;
- how many requests a second are answered while so many servers are listed: a heartbeat with its
  challenge, an answer to it, and a list of one packet, in equal parts; each waits for its answer in
  a window of open requests, so that nothing is lost and what is counted was answered;
- how much of one core the master took for that, and its memory.

The load is written in C, which is compiled beside it, because Python is slower than what it would
measure. The status is 1 only when something is broken, never because a machine is slow. Linux only.
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOAD = r"""
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
/* load PORT SERVERS SECONDS: registers SERVERS over sockets of 127.1.x.y, then asks in windows. */
enum { SOCKETS = 500, WINDOW = 64 };
static int sockets[SOCKETS];
static struct sockaddr_in master;
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}
static void say(int s, const char *text, size_t length) {
    if (send(s, text, length, 0) < 0) { perror("send"); exit(1); }
}
static int hear(int s, char *buffer) {
    struct pollfd wait = { s, POLLIN, 0 };
    int n = recv(s, buffer, 2000, MSG_DONTWAIT);
    if (n >= 0) return n;
    if (poll(&wait, 1, 2000) < 1) { fprintf(stderr, "no answer\n"); exit(1); }
    return recv(s, buffer, 2000, 0);
}
static int open_at(unsigned n, int port) {
    struct sockaddr_in here = { .sin_family = AF_INET, .sin_port = htons(port) };
    int s = socket(AF_INET, SOCK_DGRAM, 0);
    here.sin_addr.s_addr = htonl(0x7f010000u + n);
    if (bind(s, (void *)&here, sizeof here) || connect(s, (void *)&master, sizeof master)) {
        perror("bind"); exit(1);
    }
    return s;
}
static const char BEAT[] = "\xff\xff\xff\xffheartbeat DarkPlaces\n";
static int answer(char *out, const char *asked, int length, unsigned n) {
    return sprintf(out, "\xff\xff\xff\xffinfoResponse\n\\challenge\\%.*s\\protocol\\3\\clients\\1"
        "\\sv_maxclients\\8\\gamename\\Game%u\\hostname\\A server\\mapname\\start",
        length - 12, asked + 12, n / 180);
}
int main(int argc, char **argv) {
    char in[WINDOW][2000], out[2000];
    unsigned servers = atoi(argv[2]), n, k;
    double seconds = atof(argv[3]), start;
    master = (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons(atoi(argv[1])) };
    master.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    start = now();
    for (n = 0; n < servers; n += WINDOW) {
        unsigned many = servers - n < WINDOW ? servers - n : WINDOW;
        int open[WINDOW], length[WINDOW];
        for (k = 0; k < many; k++) {
            open[k] = open_at((n + k) / 8, 20000 + (n + k) % 8);
            say(open[k], BEAT, sizeof BEAT - 1);
        }
        for (k = 0; k < many; k++) length[k] = hear(open[k], in[k]);
        for (k = 0; k < many; k++) {
            say(open[k], out, answer(out, in[k], length[k], n + k));
            close(open[k]);
        }
    }
    printf("registered %.0f\n", servers / (now() - start));
    fflush(stdout);
    for (n = 0; n < SOCKETS; n++) sockets[n] = open_at(n, 20000 + n % 8);
    unsigned long beats = 0, infos = 0, lists = 0, records = 0;
    int length[WINDOW];
    start = now();
    for (unsigned at = 0; now() - start < seconds; at = (at + WINDOW) % (SOCKETS - WINDOW)) {
        for (k = 0; k < WINDOW; k++) say(sockets[at + k], BEAT, sizeof BEAT - 1);
        for (k = 0; k < WINDOW; k++) { length[k] = hear(sockets[at + k], in[k]); beats++; }
        for (k = 0; k < WINDOW; k++) {
            int many = answer(out, in[k], length[k], (at + k) * 8 + (at + k) % 8);
            say(sockets[at + k], out, many);
            infos++;
            many = sprintf(out, "\xff\xff\xff\xffgetservers Game%lu 3 empty full", lists % (servers / 180));
            say(sockets[at + k], out, many);
            lists++;
        }
        for (k = 0; k < WINDOW; k++) records += (hear(sockets[at + k], in[k]) - 29) / 7;
    }
    double took = now() - start;
    printf("requests %.0f beats %lu infos %lu lists %lu records %lu\n",
        (beats + infos + lists) / took, beats, infos, lists, records);
    return 0;
}
"""


def main():
    raw = argparse.RawDescriptionHelpFormatter
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    arguments.add_argument("--servers", type=int, default=50_000)
    arguments.add_argument("--seconds", type=float, default=10)
    options = arguments.parse_args()
    subprocess.run(["cargo", "build", "--release", "--locked"], cwd=ROOT, check=True)
    with tempfile.TemporaryDirectory() as folder:
        load = Path(folder) / "load"
        source = Path(folder) / "load.c"
        source.write_text(LOAD)
        subprocess.run(["cc", "-O2", "-o", load, source], check=True)
        return measure(load, options)


def measure(load, options):
    settings = f"max-servers={options.servers},max-per-address=100"
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    master = subprocess.Popen(
        [target / "release/fragshark", "master", "--listen", "127.0.0.1", "--only", "quake3",
         "--port", "quake3=0", "--set", settings], stdout=subprocess.PIPE, text=True)
    try:
        port = master.stdout.readline().rsplit(":", 1)[1].strip()
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(master.pid, cores[:1])
        for task in os.listdir(f"/proc/{master.pid}/task"):
            os.sched_setaffinity(int(task), cores[:1])
        running = subprocess.Popen([load, port, str(options.servers), str(options.seconds)],
                                   stdout=subprocess.PIPE, text=True)
        os.sched_setaffinity(running.pid, cores[-1:])
        registered = running.stdout.readline().split()
        before, begun = processor(master.pid), time.monotonic()
        answered = running.stdout.readline().split()
        used, took = processor(master.pid) - before, time.monotonic() - begun
        if running.wait() or not answered or master.poll() is not None:
            print("the load or the master has failed", file=sys.stderr)
            return 1
        counts = dict(zip(answered[::2], answered[1::2]))
        print(f"registrations a second   {int(registered[1]):>9}")
        print(f"requests a second        {int(counts['requests']):>9}")
        print(f"servers a list           {int(counts['records']) / int(counts['lists']):>9.1f}")
        print(f"of the master's core     {100 * used / took:>8.0f} %")
        print(f"memory of the master     {resident(master.pid) / 2**20:>8.1f} MiB")
        return 0 if int(counts["records"]) else 1
    finally:
        master.terminate()
        master.wait()


def processor(pid):
    """Seconds of processor time that a process took."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(pid):
    """Bytes that a process holds in memory."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    sys.exit(main())
