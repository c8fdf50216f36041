# SPDX-License-Identifier: BSD-3-Clause
"""Starts the timing programs. Arguments of the tests: folder of the programs, a value for LD_PRELOAD, and the
command of the launcher up to the number of processes."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

BIN, PRELOAD, *LAUNCHER = sys.argv[1:]
del sys.argv[1:]

HEAD = """'title'
'for a test'
'small.out'   output file name (if any)
6             device out
{count}       number of algorithms
{names}
1             rounds to warm up
{rounds} {rounds}  rounds
0             seconds
"""
CASES = """2             number of problem sizes
60 33         values of M
50 41         values of N
2             number of pairs
2 1           P before
2 2           Q
8 5           MB
8 4           NB
1 1           P after
4 2           Q
5 3           MB
6 7           NB
0 2           first process
2             number of lines
40 50  100 110   0 0  17 33  2 2   8  8   90 120   0 0  11  5  1 4  10  6
30 46  112  64   1 0  81  3  3 1   4 13   57  75   0 0  16 28  1 1   5  6   1 0
"""


def small(names, rounds=3):
    """Returns an input file of rectangles and a trapezoid, for four processes."""
    return HEAD.format(count=len(names), names=" ".join(names), rounds=rounds) + CASES


def run(program, processes, *arguments, preload=None, folder):
    before = ["env", f"LD_PRELOAD={preload}"] if preload else []
    command = [*LAUNCHER, str(processes), *before, f"{BIN}/{program}", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=folder, stdin=subprocess.DEVNULL)


class InFolder(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
