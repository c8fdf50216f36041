# SPDX-License-Identifier: BSD-3-Clause
"""Each flag that --help prints has a paragraph in the manual page, and each paragraph has a flag.
usage: programs.py TREE BIN LAUNCHER..."""
import pathlib
import re
import subprocess
import sys
import unittest

TREE, BIN, *LAUNCHER = sys.argv[1:]


class Flags(unittest.TestCase):
    def flags(self, *command):
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=50)
        self.assertEqual(done.returncode, 0, done.stderr)
        return {flag for line in re.findall(r"^ +(-[\w,-]+)", done.stdout, re.M) for flag in line.split(",")}

    def documented(self, page):
        terms = re.findall(r"^``-.*$", (pathlib.Path(TREE) / "doc/man" / page).read_text(), re.M)
        return {flag for term in terms for flag in re.findall(r"``(-[\w-]+)``", term)}

    def test_xdredist(self):
        self.assertEqual(self.flags(*LAUNCHER, f"{BIN}/xdredist", "--help"), self.documented("xdredist.1.rst"))

    def test_xredist_try(self):
        self.assertEqual(self.flags(f"{BIN}/xredist-try", "--help"), self.documented("xredist-try.1.rst"))

    def test_xredist_roll(self):
        self.assertEqual(self.flags(f"{BIN}/xredist-roll", "--help"), self.documented("xredist-roll.1.rst"))

    def test_xredist_cluster(self):
        self.assertEqual(self.flags(f"{BIN}/xredist-cluster", "--help"), self.documented("xredist-cluster.1.rst"))

    def test_xschedule(self):
        program = f"{BIN}/xschedule"
        printed = [self.flags(program, *command, "--help") for command in ((), ("1d",), ("2d",), ("3d",))]
        self.assertEqual(set.union(*printed), self.documented("xschedule.1.rst"))


unittest.main(argv=sys.argv[:1])
