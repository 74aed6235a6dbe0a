"""Tests of the installed package, with the captures of the repository:
python -m unittest discover python/tests"""
import subprocess
import sys
import tempfile
import unittest
import warnings
from pathlib import Path

import pyarrow

import fragshark

CAPTURES = Path(__file__).resolve().parents[2] / "captures"
TOUR = CAPTURES / "tour.pcapng"


def exported(*arguments: str) -> int:
    """How many rows the program itself writes."""
    command = [fragshark.binary(), "export", *arguments, "--format", "ndjson"]
    return subprocess.check_output(command, stderr=subprocess.DEVNULL).count(b"\n")


class Package(unittest.TestCase):
    def test_it_is_the_installed_one(self) -> None:
        self.assertIn("site-packages", fragshark.__file__)
        self.assertTrue(fragshark.binary().is_file())

    def test_read_gives_a_table(self) -> None:
        table = fragshark.read(TOUR)
        self.assertIsInstance(table, pyarrow.Table)
        self.assertEqual(table.num_rows, exported(str(TOUR), "--what", "messages"))
        self.assertTrue(pyarrow.types.is_timestamp(table.schema.field("time").type))
        servers = fragshark.read(str(TOUR), "servers")
        self.assertTrue(pyarrow.types.is_list(servers.schema.field("masters").type))

    def test_a_table_without_rows_has_its_columns(self) -> None:
        none = fragshark.read(TOUR, filter="quake3 && !quake3")
        self.assertEqual((none.num_rows, none.schema), (0, fragshark.read(TOUR).schema))

    def test_a_filter_selects(self) -> None:
        lists = fragshark.read(TOUR, filter="quake3.getservers-response")
        self.assertEqual(set(lists.column("message").to_pylist()), {"getserversResponse"})

    def test_what_earlier_runs_learnt_is_known(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            known = [Path(folder, f"{table}.csv") for table in ("servers", "endpoints")]
            for path in known:
                subprocess.check_call([fragshark.binary(), "export", TOUR, "--what", path.stem,
                                       "-o", path])
            rows = fragshark.read(TOUR).num_rows
            self.assertEqual(fragshark.read(TOUR, known=known[0]).num_rows, rows)
            self.assertEqual(fragshark.scan(TOUR, known=iter(known)).shape[0], rows)
            with self.assertRaisesRegex(fragshark.FragsharkError, "nowhere.csv"):
                fragshark.read(TOUR, known=[*known, "nowhere.csv"])

    def test_several_captures_are_read_together(self) -> None:
        paths = [TOUR, CAPTURES / "quake3" / "documented.pcapng"]
        rows = [fragshark.read(path).num_rows for path in paths]
        self.assertEqual(fragshark.read(iter(paths)).num_rows, sum(rows))
        self.assertRaises(ValueError, fragshark.read, [])

    def test_batches_come_one_after_the_other(self) -> None:
        with fragshark.batches(TOUR) as reader:
            rows = sum(batch.num_rows for batch in reader)
        self.assertEqual(rows, fragshark.read(TOUR).num_rows)
        with fragshark.batches(TOUR) as reader:
            self.assertIn("message", reader.schema.names)

    def test_errors_have_the_programs_message(self) -> None:
        with self.assertRaisesRegex(fragshark.FragsharkError, "nowhere.pcap") as raised:
            fragshark.read("nowhere.pcap")
        self.assertEqual(raised.exception.status, 2)
        for wrong in ({"table": "no-such-table"}, {"filter": "no such filter"}):
            self.assertRaises(fragshark.FragsharkError, fragshark.read, TOUR, **wrong)

    def test_what_was_left_out_is_a_warning(self) -> None:
        with tempfile.NamedTemporaryFile(suffix=".pcap") as bad:
            bad.write(b"no capture")
            bad.flush()
            self.assertRaises(fragshark.FragsharkError, fragshark.read, [TOUR, bad.name])
            with self.assertWarnsRegex(fragshark.FragsharkWarning, "no capture"):
                table = fragshark.read([TOUR, bad.name], keep_going=True)
        self.assertEqual(table.num_rows, fragshark.read(TOUR).num_rows)

    def test_damage_is_a_warning(self) -> None:
        with tempfile.NamedTemporaryFile(suffix=".pcapng") as cut:
            cut.write(TOUR.read_bytes()[:-20])
            cut.flush()
            self.assertWarns(fragshark.FragsharkWarning, fragshark.read, cut.name)

    def test_names_that_look_like_options(self) -> None:
        with self.assertRaisesRegex(fragshark.FragsharkError, "--help"):
            fragshark.read("--help")

    def test_scan_gives_a_relation_that_can_be_read_again(self) -> None:
        import duckdb

        rows = fragshark.read(TOUR).num_rows
        with duckdb.connect() as connection:
            messages = fragshark.scan([TOUR], connection=connection)
            for _ in range(2):
                self.assertEqual(messages.aggregate("count(*)").fetchall(), [(rows,)])
            answered = messages.filter("message = 'getserversResponse'")
            self.assertGreater(len(answered.fetchall()), 0)
        self.assertEqual(fragshark.scan(TOUR, "servers").count("*").fetchall(), [(1,)])
        self.assertRaises(fragshark.FragsharkError, fragshark.scan, "nowhere.pcap")

    def test_the_program_runs(self) -> None:
        scripts = Path(sys.executable).parent
        version = subprocess.check_output([fragshark.binary(), "--version"])
        for command in ([sys.executable, "-m", "fragshark"], [str(scripts / "fragshark")]):
            self.assertEqual(subprocess.check_output([*command, "--version"]), version)
        wrong = subprocess.run([*command, "no-such-command"], capture_output=True, check=False)
        self.assertEqual(wrong.returncode, 2)

    def test_nothing_is_printed_without_a_reason(self) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            fragshark.read(TOUR)


if __name__ == "__main__":
    unittest.main()
