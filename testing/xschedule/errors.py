# SPDX-License-Identifier: BSD-3-Clause
"""Bad input: exit status 2, nothing on stdout, one line on stderr that names the argument."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

program = os.path.abspath(sys.argv.pop(1))

VECTOR = "1d 4 4 3 5 "
MATRIX = "2d 4x4 2x8 3x3 5x5 "
FILES = "1d 4 6 1 1 "
CASES = [
    ("", "1d, 2d or nd"),
    ("4d", "4d"),
    ("4d --help", "4d"),
    ("1d", "P"),
    ("1d 4 4 3", "s is required"),
    (VECTOR + "7", "7"),
    ("1d 0 4 3 5", "P:"),
    ("1d 4 -4 3 5", "Q:"),
    ("1d 4 4 x 5", "r:"),
    ("1d 4 4 3 99999999999999999999", "s:"),
    ("1d 4 4 3.5 5", "r:"),
    (VECTOR + "--size 0", "--size"),
    (VECTOR + "--size 1e3", "--size"),
    (VECTOR + "--offsets 1", "--offsets"),
    (VECTOR + "--offsets 1 -2", "--offsets"),
    (VECTOR + "--algorithm fastest", "--algorithm"),
    (VECTOR + "--per-node 0", "--per-node"),
    (VECTOR + "--alpha -1", "--alpha"),
    (VECTOR + "--alpha nan", "--alpha"),
    (VECTOR + "--beta 0", "--beta"),
    (VECTOR + "--colour red", "--colour"),
    (VECTOR + "--at 1,1 1,1", "--at"),
    (VECTOR + "--csv /nowhere/at/all", "--csv"),
    (VECTOR + "--svg /nowhere/at/all", "--svg"),
    (VECTOR + "--html /nowhere/at/all", "--html"),
    ("3d 2x2x2 2x2x2 4x4x4", "S1x...xSd"),
    ("3d 2x2 2x2x2 4x4x4 4x4x4", "P1x...xPd: expected 3 numbers from 1 to 2147483647 that x joins, found 2x2"),
    ("3d 2x2x2 2x2x2 4x4x4 3x3x3 --size 8x8", "--size: expected 3 numbers"),
    ("nd 2x2x2 2x2x2 4x4x4", "S1x...xSd"),
    ("nd 2x2 2x2x2 4x4 4x4", "Q1x...xQd: 2x2x2 has another number of dimensions than 2x2, the grid before"),
    ("nd 2x2 2x2 4 4x4", "R1x...xRd: 4 has another"),
    ("nd 2x2 2x2 4x4 4x4x4", "S1x...xSd: 4x4x4 has another"),
    ("nd 2x2x2x2 2x2x2x2 4x4x4x4 3x3x3x3 --size 8x8x8", "--size: 8x8x8 has another"),
    ("nd " + "x".join(["1"] * 16) + " 1 1 1", "P1x...xPd: expected 1 to 15 numbers"),
    ("nd 2x2 2x0 4x4 4x4", "Q1x...xQd"),
    ("nd 2x2 2x2 4x4x 4x4", "R1x...xRd"),
    ("nd 2x2 2x2 4x4 4x9999999999", "S1x...xSd"),
    ("nd 2x2x2x2 2x2x2x2 4x4x4x4 3x3x3x3 --size 8x8x1000x2000", "--size: too many blocks of dimension 2"),
    ("nd 2x2x2x2 2x2x2x2 4x4x4x4 3x3x3x3 --size 8x1000000000000x10000x1000", "--size: too many elements"),
    ("nd 9999x9999x9999x9999 1x1x1x1 1x1x1x1 1x1x1x1 --size 1x1x1x1", "grids"),
    ("3d 2x2x2 2x2x2 4x4x4 3x3x3 --at 1,1 1,1", "--at"),
    ("3d 2x2x2 2x2x2 4x4x4 3x3x3 --size 8x100x10000000", "--size: too many blocks"),
    ("3d 2x99999x99999 2x2x2 4x4x4 3x3x3 --size 8x8x8", "grids"),
    ("1d 2147483647 2147483646 2147483645 2147483643", "--size"),
    ("1d 100000 100001 3 5", "grids"),
    ("1d 3000 3000 1000 1001", "messages"),
    ("2d 4y4 2x8 3x3 5x5", "PrxPc"),
    ("2d 4x4 2x 3x3 5x5", "QrxQc"),
    ("2d 4x4 2x8 3x0 5x5", "MBxNB"),
    ("2d 4x4 2x8 3x3 5x5x5", "MB2xNB2"),
    ("2d 99999999999x4 2x8 3x3 5x5", "PrxPc"),
    (MATRIX + "--size 10", "--size"),
    (MATRIX + "--at 0,1 1,1", "--at"),
    (MATRIX + "--src 0,0 2,0", "--src"),
    (MATRIX + "--offsets 1 1", "--offsets"),
    (FILES + "--rows-a falls", "falls:2:1: expected a whole number from 9 to 1099511627776 "),
    (FILES + "--rows-b outside", "outside:2:4: expected a whole number from 0 to 5 (the owner), found '6'"),
    (FILES + "--rows-a nowhere", "cannot read nowhere"),
    (FILES + "--rows-a .", "cannot read ."),
    (FILES + "--cols-a slabs", "--cols-a"),
    (FILES + "--rows-a slabs --size 81", "--size: the intervals of the rows have room for 80"),
    (FILES + "--rows-a slabs --offsets 0 2 --rows-b ones --size 80", "room for 79"),
    (FILES + "--rows-a slabs --offsets 80 0", "--offsets, --at: the intervals of the rows end before"),
    ("2d 4x6 6x4 1x1 1x1 --cols-b slabs --at 1,1 1,90", "--offsets, --at: the intervals of the columns end"),
    ("2d 4x6 6x4 1x1 1x1 --cols-b slabs --size 7x81", "--size: the intervals of the columns have room for 80"),
]
CONTENTS = {"falls": "9 0\n8 1\n", "outside": "9 0\n18 6\n", "slabs": "30\n35\n80\n", "ones": "81 0\n"}


class BadInput(unittest.TestCase):
    def test_every_case(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name, text in CONTENTS.items():
            pathlib.Path(folder.name, name).write_text(text)
        for arguments, name in CASES:
            with self.subTest(arguments=arguments):
                run = subprocess.run([program, *arguments.split()], capture_output=True, text=True, cwd=folder.name)
                self.assertEqual(run.returncode, 2)
                self.assertEqual(run.stdout, "")
                self.assertEqual(run.stderr.count("\n"), 1, run.stderr)
                self.assertTrue(run.stderr.startswith("xschedule: "), run.stderr)
                self.assertIn(name, run.stderr)


unittest.main()
