# SPDX-License-Identifier: BSD-3-Clause
"""ranges.py RESULTS: the numbers in the sentences of REPRODUCTION.md are those of its tables."""
import csv
import math
import pathlib
import re
import sys
import unittest

FOLDER = pathlib.Path(sys.argv[1])
TEXT = " ".join((FOLDER / "REPRODUCTION.md").read_text(encoding="utf-8").split())


def table(name):
    with open(FOLDER / f"{name}.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def values(rows, column, divisor=None):
    """Returns the numbers of a column, divided by those of another column if it is given."""
    return [float(row[column]) / (float(row[divisor]) if divisor else 1)
            for row in rows if row[column] and (not divisor or row[divisor])]


class Ranges(unittest.TestCase):
    def says(self, sentence, *expected):
        """`sentence` is in the text, where each # is a number: the expected one, rounded to the digits of the text."""
        pattern = re.escape(sentence).replace(r"\#", r"(\d+(?:\.\d+)?)").replace(r"\ ", " ")
        found = re.search(pattern, TEXT)
        self.assertIsNotNone(found, sentence)
        for number, value in zip(found.groups(), expected, strict=True):
            half_a_unit = 0.5 * 10.0 ** -len(number.partition(".")[2])
            self.assertLessEqual(abs(float(number) - value), half_a_unit * (1 + 1e-6), f"{sentence}: {number}, {value}")

    def says_range(self, sentence, *columns):
        self.says(sentence, *(end for numbers in columns for end in (min(numbers), max(numbers))))

    def test_walker_otto(self):
        rows = table("walker-otto")
        old = [row for row in rows if row["machine"] in ("Paragon", "SP-1") and row["processes"] != "3"]
        cluster = [row for row in rows if row["machine"] == "cluster"]
        of_many = [row for row in cluster if row["processes"] != "3"]
        here = [row for row in rows if row["machine"] == "here"]
        self.says_range("synchronised takes # to # times as long as unsynchronised, random # to #, "
                        "the optimal order # to #, with MPI_SENDRECV # to #",
                        *(values(old, name) for name in ("synchronised", "random", "optimal", "sendrecv")))
        self.says_range("xredist takes # to # of the time of unsynchronised there, # to # on the cluster",
                        values(old, "xredist"), values(of_many, "xredist"))
        self.says("On the cluster, one message at a time takes up to # times as long as unsynchronised in the "
                  "best order, with 3 processes up to #", max(values(of_many, "optimal")), max(values(cluster, "optimal")))
        by_machine = {row["machine"]: row for row in rows if row["processes"] == "3" and row["K"] == "20"}
        self.says("# of the time on the Paragon, # on the SP-1",
                  *(float(by_machine[name]["xredist"]) for name in ("Paragon", "SP-1")))
        orders = [x for name in ("synchronised", "random", "optimal", "sendrecv") for x in values(here, name)]
        self.says_range("all orders take longer than unsynchronised, by factors of # to #", orders)

    def test_phases(self):
        rows = table("phases")
        sizes = {1024: [], 65536: [], 1048576: []}
        for row in rows:
            sizes[min(sizes, key=lambda n: abs(n - int(row["bytes of a process"])))].append(row)
        small, medium, large = sizes.values()
        self.says_range("Two redistributions take # to # of the time of the single one in steps", values(small, "phases"))
        self.says_range("64 KB: # to # of the time; 1 MB: # to #", values(medium, "phases"), values(large, "phases"))
        self.says_range("at once take # to # of its time in steps", values(rows, "at once"))
        self.says_range("xredist takes # to # for 1 KB, and # to # for 64 KB", values(small, "xredist"),
                        values(medium, "xredist"))
        self.says_range("xredist takes # to # on the cluster, and # to # on the Paragon",
                        *(values([row for row in large if row["machine"] == name], "xredist")
                          for name in ("cluster", "Paragon")))

    def test_desprez(self):
        rows = table("desprez")
        self.says_range("# to # of the time of its optimal schedule step by step, and # to # of that of stepwise",
                        *(values(rows, "xredist / caterpillar", f"{name} / caterpillar")
                          for name in ("optimal", "stepwise")))
        self.assertEqual(len(rows), 3 * 2 * 2 * 12)  # cases, machines, networks, lengths
        behind = [row for row in rows if any(float(row["xredist / caterpillar"]) > float(row[f"{name} / caterpillar"])
                                             for name in ("optimal", "stepwise"))]
        self.assertEqual((len(behind), {row["machine"] for row in behind}), (7, {"Paragon"}))
        long = [row for row in rows if int(row["bytes"]) > 10000]
        last = [row for row in long if row["case"] == "12/4:8/3"]
        self.says("stepwise is ahead of `optimal` in figure 4 for long vectors, by a factor of up to #",
                  max(values(last, "optimal / caterpillar", "stepwise / caterpillar")))
        torus = [row for row in long if row["network"] == "torus" and row not in last]
        self.says("`optimal` is ahead in figures 2 and 3 for long vectors, by up to #",
                  max(values(torus, "stepwise / caterpillar", "optimal / caterpillar")))
        self.says("MPI_Alltoallv, all messages at once, is ahead of xredist for long vectors in figures 2 and 3, "
                  "by a factor of up to #", max(values(long, "xredist / caterpillar", "alltoallv / caterpillar")))

    def test_contenders(self):
        """The tables of RESULTS.md about the default and its contenders follow from contenders.csv."""
        text = (FOLDER.parent / "RESULTS.md").read_text(encoding="utf-8")
        times, kinds = {}, {}
        for row in table("contenders"):
            times.setdefault(row["number"], {})[row["algorithm"]] = float(row["seconds"])
            kinds[row["number"]] = row["kind"].replace("-", " ")
        behind = {case: of["default"] / min(x for name, x in of.items() if name != "default") for case, of in times.items()}

        def counts(ratios):
            return f"{sum(x <= 1.03 for x in ratios)} | {sum(x > 1.15 for x in ratios)} | {max(ratios):.2f} |"

        for kind in ("crossbar", "fat tree", "torus", "all"):
            ratios = [x for case, x in behind.items() if kind in (kinds[case], "all")]
            self.assertIn(f"| {kind} | {len(ratios)} | {counts(ratios)}", text)
        for name in {name for of in times.values() for name in of} - {"default"}:
            ratios = sorted(of["default"] / of[name] for of in times.values() if name in of)
            first = f"| `{name}` | {len(ratios)} | {1 / ratios[-1]:.2f} | {1 / ratios[(len(ratios) - 1) // 2]:.2f} | "
            self.assertIn(first + counts(ratios), text)

    def test_kalns_ni(self):
        rows = table("kalns-ni")
        of = {grid: [row for row in rows if row["processes"] == grid] for grid in ("8x1", "4x3", "6x4")}
        self.says_range("The simulated SP-1 takes # to # (figure 17), # to # (18) and # to # (19)",
                        *(values(of[grid], "SP-1, best") for grid in ("8x1", "4x3", "6x4")))

        def here(*grids):
            return [x for grid in grids for map in ("best", "kalns-ni") for x in values(of[grid], f"here, {map}")]

        self.says_range("Both maps take # to # of the time of the traditional one in figure 17, "
                        "and # to # in figures 18 and 19",
                        here("8x1"), here("4x3", "6x4"))

    def test_prylli_tourancheau(self):
        rows = table("prylli-tourancheau")
        self.says_range("The asynchronous exchange takes # to # of the time of the synchronous one, "
                        "and the library # to #",
                        *(values(rows, f"{name}, ms", "steps:caterpillar, ms") for name in ("at-once", "default")))

    def test_scans(self):
        ratios = []
        for row in table("scans"):
            (p, r), (q, s) = (map(int, side.split("/")) for side in row["case"].split(":"))
            end = min(4000, math.lcm(p * r, q * s))
            ratios.append(float(row["period, looks"]) / (q * end * (1 / (p * r) + 1 / (q * s))))
        self.says_range("The counted blocks up to the period are # to # times", ratios)


unittest.main(argv=sys.argv[:1])
