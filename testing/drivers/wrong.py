# SPDX-License-Identifier: BSD-3-Clause
"""Runs that fail: wrong results and wrong input."""
import unittest

from programs import InFolder, PRELOAD, run, small


class Wrong(InFolder):
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

    def test_arguments(self):
        (self.folder / "x.dat").write_text(small(["default"]))
        for arguments, name in (((), "cannot read REDIST.dat in this folder; -f names"), (("-f", "."), "cannot read ."), (("-f", "none.dat"), "none.dat"),
                                (("-f", "x.dat", "--csv", "no/where"), "cannot write no/where"),
                                (("-f", "x.dat", "--algorithms", "default,300x2"), "300x2"),
                                (("-f", "x.dat", "--rounds", "0"), "--rounds"), (("--colour",), "--colour"),
                                (("-f", "x.dat", "--format", "xml"), "--format")):
            with self.subTest(arguments=arguments):
                self.assertIn(name, self.refused(*arguments))

    def test_nothing_is_checked(self):
        (self.folder / "x.dat").write_text(small(["default"]))
        done = run("xdredist", 1, "-f", "x.dat", folder=self.folder)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("      0 tests passed.\n      0 tests failed.\n", done.stdout)

    def test_help(self):
        done = run("xdredist", 2, "--help", folder=self.folder)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout.count("--csv"), 1)


unittest.main()
