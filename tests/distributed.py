#!/usr/bin/env python3
"""Tests of examples/spark: tests/distributed.py; FRAGSHARK_BINARY names another program than the
release build.

A cluster of a master and two workers on loopback exports small captures while one worker is killed,
one capture cannot be read, one is damaged and one is there twice. Then the job is run again. The
rows are compared with those of one process, and so is what Spark and DuckDB answer. Needs a Python
with pyspark, pyarrow and duckdb, and Java.
"""
import contextlib
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXAMPLES = ROOT / "examples" / "spark"
sys.path.insert(0, str(EXAMPLES))

import ask  # noqa: E402
import standalone  # noqa: E402
import tables  # noqa: E402

BINARY = Path(os.environ.get("FRAGSHARK_BINARY", ROOT / "target" / "release" / "fragshark"))
SUBMIT = standalone.SPARK / "bin" / "spark-submit"
# What a job needs here, and no more: less memory, no pages, no port that is known before.
LEAN = ["--conf", "spark.ui.enabled=false", "--driver-memory", "512m", "--conf",
        "spark.executor.memory=512m", "--conf", "spark.log.level=WARN"]
QUERIES = sorted(of for of in (EXAMPLES / "sql").glob("*.sql") if not of.stem.startswith("merged"))
PACKETS, PARTS = 20_000, 6
# Longer than anything takes unless something is broken, in seconds.
PATIENCE = 300
# What one process over all is not given: a file that is no capture, and a copy of another.
UNREADABLE, COPY = "unreadable", "second"
# What another process numbers in another way, and where it knows something from.
IDS = {"number", "flow", "flow_id", "exchange", "exchange_id", "frames", "steps",
       "request_number", "reply_number", "first_number", "reasons", "knowledge"}
# What is judged of all captures together, and not from what each of them says.
JUDGED = {"merged_registrations": {"listed", "failed_step", "cause", "verdict"},
          "merged_servers": {"listed_where", "causes"}}
# Findings that count the requests of several flows.
COUNTED = {"query.unanswered"}
# The tables whose rows are the same, and those that views merge.
TABLES = ("messages", "sessions", "flows", "players", *tables.MERGED)


class Distributed(unittest.TestCase):
    """One cluster and one set of captures for all tests, which build on each other."""

    @classmethod
    def setUpClass(cls):
        cls.folder = Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="distributed-")))
        cls.captures = make_captures(cls.folder / "captures")
        cls.out = cls.folder / "out"
        # One process over all captures together, and one that does them one after the other.
        good = [path for path in cls.captures if path.stem not in (UNREADABLE, COPY)]
        run(BINARY, "export", *good, "--what", "all", "-o", cls.folder / "together")
        # What each of them alone tells of the servers, and all of them with what all tell.
        each = ["--what", "all", "--each", "--keep-going", "-o"]
        run(BINARY, "export", *cls.captures, *each, cls.folder / "first", status=3)
        known = cls.folder / "known.parquet"
        run(sys.executable, EXAMPLES / "known.py", "--duckdb", cls.folder / "first", "-o", known)
        cls.known = ["--known", known]
        run(BINARY, "export", *cls.captures, *cls.known, *each, cls.folder / "single", status=3)

    def test_1_a_cluster_loses_nothing_when_a_worker_is_killed(self):
        with standalone.Cluster(memory="600m") as cluster:
            job = self.export(f"--master={cluster.url}", program=self.holding_program())
            worker = self.worker_of_held_task(cluster)
            worker.kill()
            self.assertEqual(self.ended(job), 3)
        self.assertEqual(contents(self.out), contents(self.folder / "single"))
        manifest = tables.entries(self.out)
        self.assertEqual(set(manifest), {str(path) for path in self.captures})
        self.assertEqual(manifest[str(self.folder / "captures" / f"{UNREADABLE}.pcap")]["set"], None)
        self.assertFalse(manifest[str(self.folder / "captures" / "damaged.pcap")]["whole"])

    def test_2_a_job_that_is_run_again_writes_nothing(self):
        before = times(self.out)
        job = self.export("--master=local[2]", "--conf", "spark.speculation=true")
        self.assertEqual(self.ended(job), 3)
        self.assertEqual(times(self.out), before)

    def test_3_a_cluster_says_what_one_process_says(self):
        one, many = (ask.in_duckdb(self.folder / name) for name in ("together", "out"))
        for table in TABLES:
            with self.subTest(table):
                together = one(f"SELECT * FROM {table.removeprefix('merged_')}")
                merged = many(f"SELECT * FROM {table}")
                if table == "merged_findings":
                    together, merged = self.findings(together), self.findings(merged)
                self.compare(together, merged, JUDGED.get(table, set()))

    def test_3_without_what_is_known_it_does_not(self):
        one, first = (ask.in_duckdb(self.folder / name) for name in ("together", "first"))
        for table in ("messages", "sessions", "flows", "merged_servers"):
            with self.subTest(table), self.assertRaises(AssertionError):
                self.compare(one(f"SELECT * FROM {table.removeprefix('merged_')}"),
                             first(f"SELECT * FROM {table}"), JUDGED.get(table, set()))

    def compare(self, one, many, without=frozenset()):
        """Compares the rows of two tables, in any order, without some columns."""
        columns = [name for name in one.column_names if name not in IDS | without]
        one, many = rows(one.select(columns)), rows(many.select(columns))
        self.assertGreater(len(one), 0)
        for left, right in ((one, many), (many, one)):
            only = left - right
            self.assertEqual(only.total(), 0, f"for example {next(iter(only), None)}")

    def findings(self, table):
        import pyarrow.compute
        counted = pyarrow.compute.is_in(table["id"], pyarrow.array(sorted(COUNTED)))
        return table.filter(pyarrow.compute.invert(counted))

    def test_4_spark_answers_what_duckdb_answers(self):
        paths = [str(EXAMPLES / "ask.py"), str(self.out), *map(str, QUERIES)]
        spark = run(SUBMIT, *LEAN, "--master", "local[2]", *paths)
        duckdb = run(sys.executable, paths[0], "--duckdb", *paths[1:])
        # Spark's Python may warn first.
        self.assertEqual(spark[spark.index("# "):], duckdb)
        self.assertEqual(duckdb.count("# "), len(QUERIES))

    def test_5_arrow_needs_no_files_between(self):
        out = self.folder / "arrow"
        readable = [path for path in self.captures if path.stem not in (UNREADABLE, COPY)]
        run(SUBMIT, *LEAN, "--master", "local[2]", EXAMPLES / "arrow_messages.py", *readable,
            "-o", out)
        import pyarrow.parquet
        arrow = pyarrow.parquet.read_table(out)
        direct = ask.in_duckdb(self.out)("SELECT * FROM messages")
        # These are decoded without what is known.
        columns = [name for name in direct.column_names
                   if name not in {"game", "direction"} | IDS]
        self.assertEqual(rows(arrow.select(columns)), rows(direct.select(columns)))

    def export(self, *spark, program=BINARY):
        """Starts the job; what it prints goes to a file."""
        self.log = self.folder / "job"
        command = [SUBMIT, *LEAN, *spark, EXAMPLES / "export_captures.py", *self.captures,
                   "-o", self.out, "--program", program, *self.known]
        with self.log.open("wb") as out:
            job = subprocess.Popen([*map(str, command)], stdin=subprocess.DEVNULL, stdout=out,
                                   stderr=out, env=standalone.environment())
        self.addCleanup(job.kill)
        return job

    def ended(self, job):
        status = job.wait(PATIENCE)
        if status != 3:
            print(self.log.read_text())
        return status

    def holding_program(self):
        """A program that stops before the first capture that it gets, and writes its process id."""
        program, held = self.folder / "holding", self.folder / "held"
        os.mkfifo(self.folder / "never")
        program.write_text(f"""#!/bin/sh
if mkdir '{held}' 2>/dev/null; then
    echo $$ >'{held}/writing' && mv '{held}/writing' '{held}/pid'
    read -r _ <'{self.folder}/never'
fi
exec '{BINARY}' "$@"
""")
        program.chmod(0o755)
        return program

    def worker_of_held_task(self, cluster):
        """The worker whose executor runs the task that was stopped."""
        pid = self.folder / "held" / "pid"
        deadline = time.monotonic() + PATIENCE
        while not pid.exists():
            self.assertLess(time.monotonic(), deadline, self.log.read_text())
            time.sleep(0.05)
        held = int(pid.read_text())
        self.addCleanup(kill, held)
        above = set(ancestors(held))
        return next(worker for worker in cluster.workers if worker.pid in above)


def make_captures(folder):
    """Captures that share no flow: parts of a benchmark capture; one that is cut short, a copy, and
    a file that is no capture."""
    folder.mkdir()
    whole = folder / "whole"
    run(sys.executable, ROOT / "benches" / "gen_big.py", whole, str(PACKETS))
    data = whole.read_bytes()
    whole.unlink()
    parts = [bytearray(data[:24]) for _ in range(PARTS)]
    at = 24
    while at < len(data):
        length = 16 + struct.unpack_from("<I", data, at + 8)[0]
        # Ethernet, and IPv4 without options.
        ip = at + 16 + 14
        ends = sorted((data[ip + 12:ip + 16] + data[ip + 20:ip + 22],
                       data[ip + 16:ip + 20] + data[ip + 22:ip + 24]))
        parts[sum(ends[0] + ends[1]) % PARTS] += data[at:at + length]
        at += length
    for number, part in enumerate(parts):
        (folder / f"part{number}.pcap").write_bytes(part)
    cut = folder / f"part{PARTS - 1}.pcap"
    cut.rename(folder / "damaged.pcap").write_bytes(parts[-1][:-7])
    shutil.copy(folder / "part0.pcap", folder / f"{COPY}.pcap")
    (folder / f"{UNREADABLE}.pcap").write_text("no capture\n")
    return sorted(folder.iterdir())


def run(*command, status=0):
    done = subprocess.run([*map(str, command)], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, env=standalone.environment(), timeout=PATIENCE, check=False)
    if done.returncode != status:
        raise AssertionError(f"{command}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def contents(folder):
    """The files of a directory of tables, and what is in them."""
    return {of.relative_to(folder): of.read_bytes() for of in folder.rglob("*.parquet")}


def times(folder):
    return {of: (of.stat().st_ino, of.stat().st_mtime_ns) for of in folder.rglob("*.parquet")}


def rows(table):
    """The rows; lists in order, fractions as far as two sums agree."""
    return Counter(tuple(plain(value) for value in row.values()) for row in table.to_pylist())


def plain(value):
    if isinstance(value, list):
        return tuple(sorted(value))
    return float(f"{value:.9g}") if isinstance(value, float) else value


def ancestors(pid):
    """The processes above a process."""
    while pid > 1:
        stat = Path(f"/proc/{pid}/stat").read_text()
        pid = int(stat.rpartition(")")[2].split()[1])
        yield pid


def kill(pid):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


if __name__ == "__main__":
    unittest.main()
