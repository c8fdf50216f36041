# SPDX-License-Identifier: BSD-3-Clause
"""Runs with matrices in intervals."""
import csv
import random
import unittest

from programs import HEAD, InFolder, run

ALGORITHMS = ["default", "optimal", "split", "rank", "two-hop", "drop-in", "scalapack", "alltoallv"]
NO_PLANS = ["drop-in", "scalapack", "alltoallv"]

RANDOM = random.Random(1)


def file_of(lengths, owners):
    ends = [sum(lengths[:k + 1]) for k in range(len(lengths))]
    return "# END OWNER\n" + "".join(f"{end} {owner}\n" for end, owner in zip(ends, owners))


def drawn(length, processes):
    """Intervals of 0 to 7 elements."""
    lengths = []
    while sum(lengths) < length:
        lengths.append(min(RANDOM.randrange(8), length - sum(lengths)))
    return file_of(lengths, [RANDOM.randrange(processes) for _ in lengths])


def cyclic(length, block, processes):
    ends = [*range(block, length, block), length]
    return "".join(f"{end} {k % processes}\n" for k, end in enumerate(ends))


FILES = {
    "one": drawn(50, 1),
    "ones": file_of([1] * 50, [RANDOM.randrange(2) for _ in range(50)]),
    "slabs": "0\n13\n13\n60\n",  # of four processes, two have none
    "second": file_of([0, 10, 0, 50], [0, 1, 0, 1]),
    "two": drawn(50, 2), "four": drawn(60, 4),
    "cyclic2": cyclic(60, 3, 2), "cyclic4": cyclic(60, 5, 4),
}
# A name begins with the number of processes of the case.
LINES = {
    "1": "40 40  50 50 0 0 3 4 1 1 9 9  60 60 0 0 2 1 1 1 5 6  ROWS_A=one and the rest",
    "2": "45 30  50 60 0 0 5 8 2 1 9 9  60 60 0 0 2 1 1 2 5 6  ROWS_A=ones COLS_B=second",
    "2, all": "50 50  50 50 0 0 1 1 2 1 9 9  50 50 0 0 1 1 1 2 9 9  ROWS_A=two COLS_A=one ROWS_B=one COLS_B=ones",
    "4": "50 50  60 60 0 0 9 11 4 1 1 7  50 50 0 0 1 1 2 2 5 6  ROWS_A=slabs ROWS_B=ones COLS_B=two",
    "4, to intervals": "33 60  60 60 1 0 20 1 2 2 7 5  60 60 0 0 28 1 1 4 5 6  COLS_B=four",
    "4, trapezoid": "46 40  60 60 0 0 15 3 4 1 7 5  50 50 0 1 5 6 2 2 5 6  1 0  ROWS_A=four ROWS_B=two",
    "4, CYCLIC": "60 1  60 1 0 0 1 1 2 1 3 1  60 1 0 0 1 1 4 1 5 1",
    "4, equal": "60 1  60 1 0 0 1 1 2 1 1 1  60 1 0 0 1 1 4 1 1 1  ROWS_A=cyclic2 ROWS_B=cyclic4",
}


def input_of(lines, rounds=2):
    head = HEAD.format(count=len(ALGORITHMS), names=" ".join(ALGORITHMS), rounds=rounds)
    return head + f"0 sizes\n0 pairs\n{len(lines)} lines\n" + "\n".join(lines) + "\n"


class Intervals(InFolder):
    def setUp(self):
        super().setUp()
        (self.folder / "below").mkdir()  # files of intervals are relative to the input file, not to the current folder
        for name, text in FILES.items():
            (self.folder / "below" / name).write_text(text)
        (self.folder / "below/x.dat").write_text(input_of(LINES.values()))

    def run_on(self, processes, *arguments, program="xdredist"):
        return run(program, processes, "-f", "below/x.dat", "--csv", "x.csv", *arguments, folder=self.folder)

    def rows(self):
        """Returns the rows of the CSV by case and algorithm."""
        found = {}
        with open(self.folder / "x.csv", newline="") as file:
            for row in csv.DictReader(file):
                found.setdefault(list(LINES)[int(row["case"]) - 1], {})[row["algorithm"]] = row
        return found

    def check(self, name, row):
        algorithm, verdict = row["algorithm"], (row["check"], row["note"])
        if algorithm in ("drop-in", "scalapack") and name != "4, CYCLIC":
            self.assertEqual(verdict, ("-", "P?GEMR2D cannot describe intervals"))
        elif name == "4, trapezoid" and algorithm not in NO_PLANS:
            self.assertEqual(verdict, ("-", "plans move rectangles only"))
        else:
            self.assertEqual(verdict, ("passed", ""), f"{name}: {algorithm}")

    def test_every_case(self):
        for processes in (1, 2, 4):
            for program in ("xdredist", "xcredist"):
                with self.subTest(processes=processes, program=program):
                    done = self.run_on(processes, program=program)
                    self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                    found = self.rows()
                    self.assertEqual(list(found), [name for name in LINES if int(name[0]) <= processes])
                    for name, rows in found.items():
                        self.assertEqual(list(rows), ALGORITHMS)
                        for row in rows.values():
                            self.check(name, row)
                    if processes == 4:
                        self.check_written(done.stdout, found)

    def check_written(self, printed, found):
        for name in ("default", "optimal", "rank"):
            for column in ("steps", "messages"):
                self.assertEqual(found["4, equal"][name][column], found["4, CYCLIC"][name][column])
        self.assertEqual((found["4"]["rank"]["block_a"], found["4"]["rank"]["block_b"]), ("[4]x7", f"[50]x[{self.lines('two')}]"))
        self.assertIn(" [4]x7 ", printed)

    def lines(self, name):
        return FILES[name].count("\n") - 1  # without the comment

    def test_relabelled(self):
        for name, owners in (("before", [0, 1, 2, 3]), ("after", [3, 1, 0, 2])):
            (self.folder / "below" / name).write_text(file_of([7, 1, 20, 32], owners))
        line = "60 5  60 5 0 0 1 1 4 1 1 1  60 5 0 0 1 1 4 1 1 5  ROWS_A=before ROWS_B=after"
        (self.folder / "below/x.dat").write_text(input_of([line]))
        done = self.run_on(4, "--relabel", "--algorithms", "default,alltoallv")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("4x1 -> 4x1: 0.0166667 of the elements stay, relabelled 1\n", done.stdout)
        self.assertIn("4x1*", done.stdout)
        self.assertIn("      4 tests passed.\n      0 tests failed.\n", done.stdout)


unittest.main()
