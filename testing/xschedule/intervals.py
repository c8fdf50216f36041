# SPDX-License-Identifier: BSD-3-Clause
"""Axes in intervals: compares the output with the owners of elements; tests errors."""
import collections
import csv
import json
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

program = sys.argv.pop(1)

RANDOM = random.Random(3)


def owners_of(text):
    """Returns the owner of each element."""
    owners = []
    for number, line in enumerate(filter(None, (line.split("#")[0].split() for line in text.splitlines()))):
        owners += [int(line[1]) if len(line) > 1 else number] * (int(line[0]) - len(owners))
    return owners


def cyclic(n, block, processes):
    return "".join(f"{min(k + block, n)} {k // block % processes}\n" for k in range(0, n, block))


def drawn(n, processes, longest):
    text, end = "", 0
    while end < n:
        end = min(n, end + RANDOM.randint(0, longest))
        text += f"{end} {RANDOM.randrange(processes)}\n"
    return text


FILES = {
    "slabs": "# rows of four processes, the third of which has none\n30\n\n35  # few\n35\n80\n",
    "ones": drawn(80, 6, 1), "wild": drawn(97, 3, 9), "one": "40 0\n40 0\n60 0\n", "late": "0 1\n0 0\n50 5\n",
    "cyclic2": cyclic(90, 2, 15), "cyclic3": cyclic(90, 3, 6), "cyclic4": cyclic(97, 4, 5),
}
OWNERS = {name: owners_of(text) for name, text in FILES.items()}


def dealt(block, processes):
    return [k // block % processes for k in range(200)]


ONE = ([0] * 200, [0] * 200, 1)
# The arguments; of the rows and of the columns, the owners before and after, and how many are copied; and the title.
CASES = [
    ("1d 4 6 1 1 --rows-a slabs --rows-b ones", (OWNERS["slabs"], OWNERS["ones"], 80), ONE,
     f"4x1 processes, blocks [4]x1 -> 6x1 processes, blocks [{FILES['ones'].count(chr(10))}]x1, 80x1 elements"),
    ("1d 6 4 1 1 --rows-a ones --rows-b slabs --offsets 7 3", (OWNERS["ones"][7:], OWNERS["slabs"][3:], 73), ONE, None),
    ("1d 4 5 1 3 --rows-a slabs --offsets 2 1 --size 50", (OWNERS["slabs"][2:], dealt(3, 5)[1:], 50), ONE,
     "4x1 processes, blocks [4]x1, from element (2,0) -> 5x1 processes, blocks 3x1, from element (1,0), 50x1 elements"),
    ("1d 5 6 3 1 --rows-b late", (dealt(3, 5), OWNERS["late"], 50), ONE, None),
    ("1d 1 6 3 1 --rows-a one --rows-b ones", (OWNERS["one"], OWNERS["ones"], 60), ONE, None),
    ("2d 3x2 2x3 4x4 5x5 --rows-a wild --cols-b wild --size 90x97", (OWNERS["wild"], dealt(5, 2), 90),
     (dealt(4, 2), OWNERS["wild"], 97),
     f"3x2 processes, blocks [{FILES['wild'].count(chr(10))}]x4 -> "
     f"2x3 processes, blocks 5x[{FILES['wild'].count(chr(10))}], 90x97 elements"),
    ("2d 3x6 6x3 1x1 1x1 --rows-a wild --cols-a ones --rows-b late --cols-b wild --at 3,2 1,5",
     (OWNERS["wild"][2:], OWNERS["late"], 50), (OWNERS["ones"][1:], OWNERS["wild"][4:], 79), None),
]


def volumes(a, b, n):
    return collections.Counter(zip(a[:n], b[:n], strict=True))


class Intervals(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name, text in FILES.items():
            (self.folder / name).write_text(text)

    def run_with(self, arguments):
        return subprocess.run([program, *arguments.split()], capture_output=True, text=True, cwd=self.folder)

    def written(self, arguments):
        """Returns the rows of the CSV by algorithm, the JSON and the title of the SVG."""
        done = self.run_with(arguments + " --algorithm all --csv csv --json json --svg svg")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = collections.defaultdict(list)
        with open(self.folder / "csv", encoding="ascii", newline="") as file:
            for row in csv.DictReader(file):
                rows[row.pop("algorithm")].append({name: int(value) for name, value in row.items()})
        title = next(xml.etree.ElementTree.parse(self.folder / "svg").iter("{http://www.w3.org/2000/svg}text")).text
        self.assertTrue(done.stdout.startswith(title + "\n"))
        return rows, json.loads((self.folder / "json").read_text()), title

    def check_messages(self, rows, lengths, proper):
        sums, ends = collections.Counter(), collections.Counter()
        for row in rows:
            sums[row["sender"], row["receiver"]] += row["elements"]
            for side in ("sender", "receiver"):
                ends[row["step"], side, row[side]] += row["step"] >= 0
        self.assertEqual(sums, lengths)
        if proper:
            self.assertLessEqual(max(ends.values()), 1)

    def check_hops(self, rows, lengths):
        """The second hop, and the elements of the first hop that are not forwarded, give each receiver all its elements."""
        received = collections.Counter()
        for row in rows:
            received[row["receiver"]] += row["elements"] - (row["forwarded"] if row["hop"] == 1 else 0)
        expected = collections.Counter()
        for (p, q), elements in lengths.items():
            expected[q] += elements if p != q else 0
        self.assertEqual(received, expected)

    def test_every_case(self):
        for arguments, rows, cols, title in CASES:
            with self.subTest(arguments=arguments):
                by_name, found, printed = self.written(arguments)
                self.assertEqual(found["size"], [rows[2], cols[2]])
                if title:
                    self.assertEqual(printed, title)
                widths = [int(side.split("/")[0].split("x")[1] if "x" in side else 1) for side in found["case"].split(":")]
                lengths = collections.Counter({
                    (p * widths[0] + pc, q * widths[1] + qc): i * j for (p, q), i in volumes(*rows).items()
                    for (pc, qc), j in volumes(*cols).items()})
                for name in by_name.keys() - {"two-hop"}:
                    self.check_messages(by_name[name], lengths, name != "rank")
                if "two-hop" in by_name:
                    self.check_hops(by_name["two-hop"], lengths)
                degrees = collections.Counter(end for p, q in lengths for end in (("S", p), ("R", q)))
                self.assertEqual(found["bounds"]["steps"], max(degrees.values()))
                if cols == ONE:
                    optimal = next(x for x in found["comparison"] if x["algorithm"] == "optimal")
                    self.assertEqual(optimal["steps"], max(degrees.values()))

    def test_what_is_recorded(self):
        _, found, printed = self.written("2d 4x1 1x6 9x2 9x1 --rows-a slabs --cols-b ones --at 2,1 1,1 --src 1,0 0,0")
        self.assertEqual(found["title"], printed)
        self.assertIn("4x1 processes, blocks [4]x2, from element (1,0) -> 1x6 processes, blocks 9x[", printed)
        self.assertEqual((found["case"], found["size"]), ("4x1/9x2:1x6/9x1", [79, 80]))

    def test_cyclic_as_intervals_takes_no_more_steps(self):
        for plain, others in (("1d 15 6 2 3", ("1d 15 6 7 3 --rows-a cyclic2", "1d 15 6 2 9 --rows-b cyclic3",
                                               "1d 15 6 7 7 --rows-a cyclic2 --rows-b cyclic3")),
                              ("2d 15x5 6x5 2x4 3x3 --size 90x97", ("2d 15x5 6x5 1x1 1x3 --rows-a cyclic2 --cols-a cyclic4 --rows-b cyclic3 --size 90x97",))):
            rows, found, _ = self.written(plain)
            for arguments in others:
                with self.subTest(arguments=arguments):
                    other_rows, other, _ = self.written(arguments)
                    self.assertEqual(other["bounds"], found["bounds"])
                    steps, other_steps = ({x["algorithm"]: x["steps"] for x in record["comparison"] if x["defined"]}
                                          for record in (found, other))
                    for name in ("default", "optimal", "caterpillar", "reference", "shifted", "rank", "two-hop"):
                        self.assertEqual(other_steps[name], steps[name], name)
                    self.assertEqual(other_rows["rank"], rows["rank"])

    def test_bad_input(self):
        for name, text in (("falls", "9 0\n8 1\n"), ("outside", "9 0\n18 4\n"), ("many", "1\n2\n3\n4\n5\n"), ("none", ""),
                           ("mixed", "9 0\n12\n")):
            (self.folder / name).write_text(text)
        for arguments, error in (
                ("1d 4 6 1 1 --rows-a falls", "falls:2:1: expected a whole number from 9 to 1099511627776 "),
                ("1d 6 4 1 1 --rows-b outside", "outside:2:4: expected a whole number from 0 to 3 (the owner), found '4'"),
                ("1d 4 6 1 1 --rows-a many", "many:5:2: expected an owner: "),
                ("1d 4 6 1 1 --rows-a none", "none:1:1: expected an interval"),
                ("1d 4 6 1 1 --rows-a mixed", "mixed:2:3: expected a whole number from 0 to 3 (the owner), found the end"),
                ("1d 4 6 1 1 --rows-a nowhere", "cannot read nowhere"),
                ("1d 4 6 1 1 --rows-a .", "cannot read ."),
                ("1d 4 6 1 1 --cols-a slabs", "--cols-a"),
                ("1d 4 6 1 1 --rows-a slabs --size 81", "--size: the intervals of the rows have room for 80"),
                ("1d 4 6 1 1 --rows-a slabs --offsets 0 1 --rows-b ones --size 80", "room for 79"),
                ("1d 4 6 1 1 --rows-a slabs --offsets 80 0", "--offsets, --at: the intervals of the rows end before"),
                ("2d 4x6 6x4 1x1 1x1 --cols-b slabs --at 1,1 1,90", "--offsets, --at: the intervals of the columns end"),
                ("2d 4x6 6x4 1x1 1x1 --cols-b slabs --size 7x81", "--size: the intervals of the columns have room for 80")):
            with self.subTest(arguments=arguments):
                done = self.run_with(arguments)
                self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)
                self.assertIn(error, done.stderr)


unittest.main()
