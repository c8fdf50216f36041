# SPDX-License-Identifier: BSD-3-Clause
"""Standard output: tables, limits, help."""
import os
import re
import subprocess
import sys
import tempfile
import unittest

program = sys.argv.pop(1)


def output(arguments):
    return subprocess.run([program, *arguments.split()], capture_output=True, text=True, check=True).stdout


class Tables(unittest.TestCase):
    def test_grid_of_example_4(self):
        text = output("1d 12 8 4 3 --algorithm optimal")
        rows = [line.split() for line in text.splitlines()]
        self.assertIn(["S/R", *map(str, range(8)), "N.M."], rows)
        self.assertIn(["N.M.", "2", "4", "4", "2", "2", "4", "4", "2"], rows)
        self.assertEqual(sum(row[:1] == [str(p)] and row[-1] == "2" for p in range(12) for row in rows), 12)
        self.assertIn("Total 10\n", text)

    def test_steps_beyond_z(self):
        steps = [line.split()[1:] for line in output("1d 60 60 60 61 --algorithm shifted").splitlines()
                 if line.startswith("Step")]
        letters = [letter for line in steps for letter in line]
        self.assertEqual(letters[24:29], ["y", "z", "aa", "ab", "ac"])
        self.assertEqual(len(set(letters)), 60)

    def test_all_algorithms_are_compared(self):
        text = output("1d 15 6 2 3")
        for name in ("default", "optimal", "split", "quantised", "caterpillar", "reference", "shifted", "rank",
                     "stepwise", "greedy", "two-hop", "lower bound"):
            self.assertRegex(text, rf"(?m)^{name} +\d")

    def hops(self, arguments):
        """Returns the mesh, and for each hop the steps and the maximum number of messages of a process."""
        text = output(arguments if "--route" in arguments else arguments + " --algorithm two-hop")
        mesh = re.search(r"^[-0-9a-z]+: ([0-9x]+) mesh", text, re.M).group(1).split("x")
        return [tuple(map(int, found)) for found in (mesh, *re.findall(r"^hop \d +(\d+) +(\d+)", text, re.M))]

    def test_two_hops_of_a_grid_go_dimension_by_dimension(self):
        self.assertEqual(self.hops("2d 16x16 16x16 3x5 5x3"), [(16, 16), (15, 7), (15, 7)])

    def test_two_hops_over_nodes(self):
        self.assertEqual(self.hops("2d 2x8 4x4 3x5 5x3 --per-node 2")[0], (2, 8))
        self.assertEqual(self.hops("1d 12 12 3 5 --per-node 4")[0], (4, 3))
        self.assertEqual(self.hops("2d 2x8 2x8 3x5 5x3 --per-node 3")[0], (8, 2))  # unequal nodes

    def test_two_hops_are_rotated(self):
        self.assertEqual(self.hops("1d 1 1024 3 5"), [(32, 32), (31, 31), (31, 31)])
        self.assertEqual(self.hops("1d 1 4096 3 5"), [(64, 64), (63, 63), (63, 63)])

    def test_hops_over_meshes(self):
        self.assertEqual(self.hops("2d 16x16 16x16 3x5 5x3 --route 4x4x4x4"), [(4, 4, 4, 4)] + 4 * [(3, 3)])
        self.assertEqual(self.hops("2d 16x16 16x16 3x5 5x3 --route 2"), [8 * (2,)] + 8 * [(1, 1)])
        self.assertEqual(self.hops("1d 5 5 1 7 --route 2")[0], (2, 2, 2))  # 8 positions for 5 processes
        self.assertEqual(self.hops("2d 2x8 2x8 3x5 5x3 --per-node 4 --route 2x2x8")[0], (2, 2, 4))

    def test_two_hops_without_messages(self):
        self.assertEqual(self.hops("2d 4x4 4x4 3x5 3x5"), [(4, 4), (0, 0), (0, 0)])
        self.assertIn("two-hop: not defined", output("1d 16 16 3 5 --algorithm two-hop"))

    def test_undefined_algorithms_are_named(self):
        self.assertIn("split: not defined: too many", output("1d 129 128 1 1 --algorithm split"))
        for name, reason in (("walker-otto", "needs as many processes"), ("wo-passes", "needs as many processes"),
                             ("by-class", r"needs gcd\(r, Q\) = gcd\(s, P\) = 1")):
            text = output(f"1d 15 6 2 3 --algorithm {name}")
            self.assertRegex(text, rf"(?m)^{name}: not defined: {reason}")
            self.assertRegex(text, rf"(?m)^{name} +-.*not defined: {reason}")

    def test_tables_of_the_papers(self):
        self.assertIn("Total 8\n", output("1d 12 8 4 3 --algorithm stepwise"))  # Desprez et al. 1998, example 4
        self.assertIn("Total 20\n", output("1d 15 6 2 3 --algorithm stepwise"))  # example 5, table 12
        self.assertIn("Total 12\n", output("1d 16 16 1 12 --algorithm walker-otto"))  # Walker & Otto 1996, figure 8
        text = output("1d 8 8 4 6 --algorithm wo-passes")
        self.assertIn("Communication grid, wo-passes, pass 2", text)

    def test_large_grids_are_cut_and_csv_is_not(self):
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "all.csv")
            text = output(f"2d 16x16 12x12 8x8 5x5 --csv {name}")
            with open(name, encoding="ascii") as csv:
                lines = csv.read().splitlines()
        self.assertIn("64 of 256 senders, 32 of 144 receivers; --csv FILE writes all messages", text)
        self.assertLess(text.count("\n"), 150)
        self.assertEqual(len({line.split(",")[3] for line in lines[1:]}), 256)
        self.assertEqual(len({line.split(",")[4] for line in lines[1:]}), 144)

    def test_help_explains(self):
        for command in ("--help", "1d --help", "2d --help"):
            text = output(command)
            self.assertIn("to oneself", text)
        self.assertIn("from 0", output("1d --help"))
        self.assertIn("from 1", output("2d --help"))


unittest.main()
