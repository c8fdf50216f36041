# SPDX-License-Identifier: BSD-3-Clause
"""The data of a page of xschedule: the messages of the CSV, the owners of blocks, and the target grid."""
import collections
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

program = os.path.abspath(sys.argv.pop(1))


class Page(unittest.TestCase):
    def page(self, arguments):
        """Returns the data of the page, the size of the file, and the rows of the CSV."""
        with tempfile.TemporaryDirectory() as folder:
            page, rows = pathlib.Path(folder, "x.html"), pathlib.Path(folder, "x.csv")
            subprocess.run([program, *arguments.split(), "--algorithm", "all", "--html", page, "--csv", rows], check=True,
                           stdout=subprocess.DEVNULL)
            text = page.read_text(encoding="utf-8")
            with open(rows, newline="") as file:
                listed = list(csv.DictReader(file))
        return json.loads(text.split('id="data">', 1)[1].split("</script>", 1)[0]), len(text), listed

    def messages(self, exchanges):
        for number, exchange in enumerate(exchanges, 1):
            parts = exchange["parts"]
            for k in range(0, len(parts), 4):
                yield number, *parts[k:k + 4]

    def check(self, data, listed):
        """Checks that the page has the messages of the CSV, of the first senders if it is cut."""
        by_name = collections.defaultdict(list)
        for row in listed:
            by_name[row["algorithm"]].append(tuple(int(row[key]) for key in ("hop", "step", "sender", "receiver", "elements")))
        drawn = {x["name"]: x["exchanges"] for x in data["algorithms"] if "exchanges" in x}
        self.assertEqual(drawn.keys(), by_name.keys())
        cuts = 0
        for name, exchanges in drawn.items():
            senders = [exchange["cut"] or exchange["senders"] for exchange in exchanges]
            cuts += any(exchange["cut"] for exchange in exchanges)
            self.assertEqual(list(self.messages(exchanges)),
                             [row for row in by_name[name] if row[2] < senders[row[0] - 1]], name)
        return cuts

    def test_messages(self):
        for arguments in ("1d 15 6 2 3", "2d 2x3 3x2 4x4 3x6 --size 40x41 --at 2,1 1,5 --src 1,2 0,1", "1d 1 1 2 3",
                          "3d 2x3x2 3x1x4 2x3x1 4x2x3 --size 13x14x9", "1d 8 8 4 6", "nd 4 6 3 5",
                          "nd 2x1x2x2 1x3x2x2 2x3x1x1 4x2x3x2 --size 5x6x7x4"):
            with self.subTest(arguments=arguments):
                data, _, listed = self.page(arguments)
                self.assertEqual(self.check(data, listed), 0)
                self.assertEqual(data["messages"], sum(row["algorithm"] == "optimal" for row in listed))

    def test_blocks(self):
        data, _, _ = self.page("2d 2x3 3x2 4x4 3x6 --size 40x400 --at 2,1 1,5 --src 1,2 0,1")
        self.assertEqual(data["grids"], {"a": [2, 3], "b": [3, 2]})
        rows, cols = data["dimensions"]
        self.assertEqual((rows["n"], rows["shown"], cols["n"]), (40, 40, 400))
        self.assertLess(cols["shown"], 400)
        for dimension, side, block, procs, source, first in ((rows, "a", 4, 2, 1, 1), (rows, "b", 3, 3, 0, 0),
                                                             (cols, "a", 4, 3, 2, 0), (cols, "b", 6, 2, 1, 4)):
            begin = 0
            for end, owner in dimension[side]:
                for k in range(begin, end):
                    self.assertEqual(owner, ((first + k) // block + source) % procs)
                begin = end
            self.assertEqual(begin, dimension["shown"])

    def test_target_grid(self):
        """The second half of each block of 8 goes to another process, so half of the elements stay if grids agree."""
        stay = self.page("1d 8 8 2 1")[0]["stay"]
        self.assertEqual((stay["row_major"], stay["relabelled"], stay["optimal"]), (0.125, 0.5, True))
        self.assertEqual(sorted(stay["map"]), list(range(8)))
        kept = sum(stay["map"][k % 8] == k // 2 % 8 for k in range(16)) / 16
        self.assertEqual(kept, 0.5)

    def test_large_grids_are_cut(self):
        data, size, listed = self.page("2d 32x32 32x32 3x5 5x3")
        self.assertGreater(self.check(data, listed), 3)
        self.assertLess(size, 2_000_000)


unittest.main()
