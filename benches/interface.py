#!/usr/bin/env python3
"""How fast the interface is, and how much memory it takes: benches/interface.py

Drives the release build in a pseudo-terminal of 120 by 40 on two processors, as a user does, and
reads the screen that it draws. With `--limits`, a figure above its limit makes the status 1.
"""
import argparse
import fcntl
import os
import pty
import re
import select
import struct
import sys
import termios
import time

import measure

COLUMNS, ROWS = 120, 40
SEQUENCE = re.compile(rb"\x1b\[([0-9;?]*)([A-Za-z])|\x1b[^\[]")
# How often the memory is looked at, in seconds: that takes time on the processors of the program.
TICK = 0.01
# The figures, and what they may be at most: milliseconds, and megabytes at the end.
LIMITS = {
    "first screen": 100,
    "all screens": 2000,
    "key while reading, 99 of 100": 30,
    "key when all is read, 99 of 100": 30,
    "filter on a header field": 500,
    "filter on a message field": 500,
    "Esc stops a filter": 30,
    "most memory until all is read": 120,
    "most memory": 160,
}


class Screen:
    """The built program in a terminal, and what it shows."""

    def __init__(self, binary, *words):
        self.cells = [[" "] * COLUMNS for _ in range(ROWS)]
        self.row = self.column = 0
        self.left = b""
        self.most = 0
        self.next_look = 0
        self.begin = time.perf_counter()
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
            os.environ["TERM"] = "xterm-256color"
            # No configuration and no history of the user.
            os.environ["XDG_CONFIG_HOME"] = os.environ["XDG_STATE_HOME"] = "/nonexistent"
            os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[-2:])
            try:
                os.execv(binary, [binary, "open", *words])
            finally:
                os._exit(127)

    def read(self, wait=TICK):
        """Draws what the program has written; false if that is nothing."""
        if not select.select([self.terminal], [], [], wait)[0]:
            return False
        written = self.left + os.read(self.terminal, 1 << 16)
        # The last sequence, or the last character, may not be complete yet.
        begin = written.rfind(b"\x1b")
        is_cut = begin >= 0 and not SEQUENCE.match(written, begin)
        whole = begin if is_cut else len(written.decode(errors="ignore").encode())
        written, self.left = written[:whole], written[whole:]
        at = 0
        for found in SEQUENCE.finditer(written):
            self.write(written[at:found.start()])
            self.control(found)
            at = found.end()
        self.write(written[at:])
        return True

    def write(self, text):
        """Writes text at the cursor."""
        for character in text.decode(errors="replace"):
            if character >= " " and self.row < ROWS and self.column < COLUMNS:
                self.cells[self.row][self.column] = character
                self.column += 1

    def control(self, found):
        """Moves the cursor, or clears the screen."""
        if found[2] == b"H":
            row, _, column = (found[1] or b"1;1").partition(b";")
            self.row, self.column = int(row) - 1, int(column or b"1") - 1
        elif found[2] == b"J":
            self.cells = [[" "] * COLUMNS for _ in range(ROWS)]

    def lines(self):
        """The text of the screen."""
        return ["".join(line) for line in self.cells]

    def keys(self, keys):
        """Presses keys; returns when that was."""
        os.write(self.terminal, keys.encode())
        return time.perf_counter()

    def until(self, is_reached, since):
        """Milliseconds from `since` until the screen is as wanted."""
        is_new = True
        while not (is_new and is_reached(self.lines())):
            is_new = self.read()
            now = time.perf_counter()
            if now > self.next_look:
                self.most = max(self.most, self.memory())
                self.next_look = now + TICK
            if now - since > measure.PATIENCE:
                sys.exit("never came: the screen is\n" + "\n".join(self.lines()))
        return 1000 * (time.perf_counter() - since)

    def settle(self):
        """Reads until nothing is written for a while."""
        while self.read(0.1):
            self.most = max(self.most, self.memory())

    def memory(self):
        """Anonymous memory now, in megabytes."""
        return measure.own_memory(self.child)

    def close(self):
        """Ends the program."""
        measure.leave(self.child, self.terminal)


def position(lines):
    """`12 of 599,836 messages` in the header: the first number."""
    found = re.search(r"([\d,]+) of [\d,]+ \w+", lines[0])
    return found and int(found[1].replace(",", ""))


def is_analysed(lines):
    """Whether everything is read and analysed."""
    return not re.search(r"reading|analysed \d+%", lines[0]) and re.search(r"\d flows", lines[0])


def pressed(screen, keys, count):
    """The milliseconds of each of these keys, in turn, until the position has changed."""
    times = []
    for at in range(count):
        before = position(screen.lines())
        since = screen.keys(keys[at % len(keys)])
        times.append(screen.until(lambda lines: position(lines) not in (None, before), since))
    return times


def of_100(times, share=99):
    """The time that so many of a hundred do not exceed."""
    return sorted(times)[min(len(times) - 1, len(times) * share // 100)]


def filtered(screen, text):
    """Milliseconds until a filter has been tested on everything, and how many messages match."""
    screen.keys("1f")
    screen.until(lambda lines: lines[-1].startswith("filter:"), time.perf_counter())
    screen.keys(f"\x15{text}")
    screen.until(lambda lines: lines[-1].rstrip().endswith(text), time.perf_counter())
    done = re.compile(r"([\d,]+) of ([\d,]+) messages")
    since = screen.keys("\r")
    # The footer counts those that match, of all, when all are tested.
    took = screen.until(lambda lines: any(done.search(line) and "tested" not in line
                                          for line in lines[-2:]), since)
    count = next(done.search(line)[1] for line in screen.lines()[-2:] if done.search(line))
    return took, count


def measured(binary, capture, keys):
    """The figures of one run: the program is started twice, once without keys while it reads."""
    figures = {}

    def opened():
        screen = Screen(binary, str(capture))
        figures["first screen"] = screen.until(
            lambda lines: any(name in line for line in lines[2:] for name in measure.NAMES),
            screen.begin)
        return screen

    screen = opened()
    screen.keys("2")
    figures["all screens"] = screen.until(is_analysed, screen.begin)
    figures["most memory until all is read"] = screen.most
    screen.close()
    screen = opened()
    figures["key while reading, 99 of 100"] = of_100(pressed(screen, "jk", keys))
    if not re.search(r"reading|analysed \d+%", screen.lines()[0]):
        print("everything was read before the keys were pressed", file=sys.stderr)
    screen.keys("2")
    figures["all screens, with the keys"] = screen.until(is_analysed, screen.begin)
    figures["memory when all is read"] = screen.memory()
    screen.keys("1")
    screen.settle()
    figures["key when all is read, 99 of 100"] = of_100(pressed(screen, "jjjkGgj", keys))
    for name, text in (("header", "udp.port == 27960 and frame.number > 1000"),
                       ("message", "field.protocol == 68")):
        took, count = filtered(screen, text)
        figures[f"filter on a {name} field"] = took
        print(f"{text}: {count} messages", file=sys.stderr)
        screen.settle()
        screen.keys("x")
        screen.settle()
    screen.keys("f\x15field.hostname ~ \"a\"\r")
    screen.until(lambda lines: any("tested" in line for line in lines), time.perf_counter())
    since = screen.keys("\x1b")
    figures["Esc stops a filter"] = screen.until(
        lambda lines: any("the filter was stopped" in line for line in lines), since)
    screen.settle()
    # Sorted by a text, up and down: the message under the cursor gets another position.
    for _ in range(2):
        before = position(screen.lines())
        since = screen.keys("ssummary\r")
        screen.until(lambda lines: position(lines) not in (None, before), since)
    figures["most memory"] = max(screen.memory(), screen.most)
    screen.close()
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", 1)[0])
    parser.add_argument("--packets", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=3, help="the median is printed")
    parser.add_argument("--keys", type=int, default=200, help="keys of each measurement")
    parser.add_argument("--binary", help="this program instead of the release build")
    parser.add_argument("--limits", action="store_true", help="fail above a limit")
    options = parser.parse_args()
    binary = options.binary or str(measure.build())
    capture, _ = measure.made(options.packets)
    runs = [measured(binary, capture, options.keys) for _ in range(options.runs)]
    is_above = False
    for name in runs[0]:
        figures = sorted(run[name] for run in runs)
        median, limit = figures[len(figures) // 2], LIMITS.get(name)
        unit = "MB" if "memory" in name else "ms"
        above = limit is not None and median > limit
        is_above |= above
        most = f"at most {limit} {unit}" if limit else ""
        print(f"{name:32} {median:8.1f} {unit}   {most:16}{' <- above' if above else ''}")
    sys.exit(options.limits and is_above)


if __name__ == "__main__":
    main()
