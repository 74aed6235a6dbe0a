#!/usr/bin/env python3
"""Runs a command with a Spark cluster of its own on this machine: a master and workers on loopback.

    python3 standalone.py [--workers 2] COMMAND...

Ports are those that the system has free. The command has SPARK_MASTER_URL in its environment, and
{master} in its arguments is replaced by that URL. Everything is stopped when the command has ended;
the status is that of the command.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyspark

SPARK = Path(pyspark.__file__).parent
# Longer than a start takes unless something is broken, in seconds.
PATIENCE = 90


class Cluster:
    """A master and workers, each a process; `url` is the master's. A context manager."""

    def __init__(self, workers=2, cores=1, memory="1g"):
        self.folder = tempfile.TemporaryDirectory(prefix="spark-")
        self.processes = []
        try:
            master = self.start("master", "master.Master")
            self.url = waited(master, r"Starting Spark master at (spark://\S+)")[-1]
            self.workers = [self.start(f"worker{n}", "worker.Worker", "--cores", str(cores),
                                       "--memory", memory, self.url) for n in range(workers)]
            waited(master, "Registering worker", workers)
        except BaseException:
            self.stop()
            raise

    def start(self, name, kind, *more):
        """Starts a process of Spark's; it writes to a log of its own, which is returned by `log`."""
        work = Path(self.folder.name, name)
        work.mkdir()
        command = [SPARK / "bin" / "spark-class", f"org.apache.spark.deploy.{kind}",
                   "--host", "127.0.0.1", "--port", "0", "--webui-port", "0"]
        if kind == "worker.Worker":
            command += ["--work-dir", work]
        with open(log(work), "wb") as out:
            process = subprocess.Popen([*map(str, command), *more], stdin=subprocess.DEVNULL,
                                       stdout=out, stderr=out, env=environment())
        process.folder = work
        self.processes.append(process)
        return process

    def stop(self):
        """Stops the workers, then the master; those that do not end are killed."""
        for process in reversed(self.processes):
            process.terminate()
        for process in reversed(self.processes):
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.processes = []
        self.folder.cleanup()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def environment(**more):
    """The environment of Spark's programs: this Python's Spark, on loopback."""
    return {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_HOME": str(SPARK),
            "PYSPARK_PYTHON": sys.executable, **more}


def log(folder):
    return folder / "log"


def waited(process, pattern, times=1):
    """What is found so many times in the log of a process, as soon as it is there."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        found = re.findall(pattern, log(process.folder).read_text())
        if len(found) >= times:
            return found
        time.sleep(0.1)
    raise RuntimeError(f"Spark did not start:\n{log(process.folder).read_text()}")


def main():
    raw = argparse.RawDescriptionHelpFormatter
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    arguments.add_argument("--workers", type=int, default=2)
    arguments.add_argument("command", nargs=argparse.REMAINDER, metavar="COMMAND")
    options = arguments.parse_args()
    if not options.command:
        arguments.error("a command is missing")
    with Cluster(options.workers) as cluster:
        command = [part.replace("{master}", cluster.url) for part in options.command]
        run = subprocess.run(command, env=environment(SPARK_MASTER_URL=cluster.url), check=False)
        sys.exit(run.returncode)


if __name__ == "__main__":
    main()
