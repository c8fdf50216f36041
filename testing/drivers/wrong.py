# SPDX-License-Identifier: BSD-3-Clause
"""Runs that fail: wrong results and wrong input."""
import pathlib
import tempfile
import unittest

from programs import PRELOAD, run, small


class Wrong(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_a_library_that_moves_nothing(self):
        (self.folder / "x.dat").write_text(small(["default", "scalapack"], rounds=1))
        done = run("xdredist", 4, "-f", "x.dat", "--csv", "x.csv", preload=PRELOAD, folder=self.folder)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("      6 tests passed.\n      5 tests failed.\n", done.stdout)
        self.assertRegex(done.stdout, r"elements wrong in all calls; process \d: B\(\d+,\d+\) is -1, should be \d+\n")
        rows = (self.folder / "x.csv").read_text().splitlines()
        self.assertEqual(sum(",default," in row and ",FAILED," in row for row in rows), 5)
        self.assertEqual(sum(",scalapack," in row and ",passed," in row for row in rows), 6)

    def refused(self, *arguments):
        """Returns the line on standard error of a run, which must have exit status 2."""
        done = run("xdredist", 2, *arguments, folder=self.folder)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        lines = [line for line in done.stderr.splitlines() if line.startswith("xdredist: ")]
        self.assertEqual(len(lines), 1, done.stderr)  # from one process; the launcher may add lines
        return lines[0]

    def test_input_file(self):
        (self.folder / "bad.dat").write_text(small(["default"]).replace("60 33 ", "60 x3 "))
        self.assertEqual(self.refused("-f", "bad.dat"),
                         "xdredist: bad.dat:11:4: expected a whole number from 1 to 2147483647 (values of M), found 'x3'")

    def test_files_of_intervals(self):
        line = "40 50  100 110   0 0  17 33  2 2   8  8   90 120   0 0  11  5  1 4  10  6\n"
        self.assertIn(line, small(["default"]))
        files = {"falls": "30 0\n20 1\n100 0\n", "outside": "30 0\n100 2\n", "short": "99 0\n"}
        for name, text in files.items():
            (self.folder / name).write_text(text)
        for name, error in (("falls", "falls:2:1: expected a whole number from 30 to 1099511627776 ("),
                            ("outside", "outside:2:5: expected a whole number from 0 to 1 (the owner), found '2'"),
                            ("short", "x.dat:24:75: expected intervals up to 100 (M of A) and not to 99, found 'ROWS_A=short'"),
                            ("none", "cannot read none")):
            with self.subTest(name=name):
                (self.folder / "x.dat").write_text(small(["default"]).replace(line, f"{line[:-1]} ROWS_A={name}\n"))
                refused = self.refused("-f", "x.dat")
                self.assertTrue(refused.startswith("xdredist: " + error), refused)

    def test_arguments(self):
        (self.folder / "x.dat").write_text(small(["default"]))
        for arguments, name in (((), "cannot read REDIST.dat in this folder; -f names"), (("-f", "."), "cannot read ."), (("-f", "none.dat"), "none.dat"),
                                (("-f", "x.dat", "--csv", "no/where"), "cannot write no/where"),
                                (("-f", "x.dat", "--json", "no/where"), "cannot write no/where"),
                                (("-f", "x.dat", "--algorithms", "default,fastest"), "fastest"),
                                (("-f", "x.dat", "--rounds", "0"), "--rounds"), (("--colour",), "--colour")):
            with self.subTest(arguments=arguments):
                self.assertIn(name, self.refused(*arguments))

    def test_help(self):
        done = run("xdredist", 2, "--help", folder=self.folder)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout.count("--csv"), 1)


unittest.main()
