# SPDX-License-Identifier: BSD-3-Clause
"""arrays.py ARRAYS.CSV: prints the cases of the table for arrays.gnuplot: the place in the picture, both ratios, and a
label in the words of FFTs. Pencils come first, then slabs, other blocks, and more dimensions; within a group, the order is
that of the words of the labels."""
import csv
import re
import sys

FORM = re.compile(r"\(([^)]*(?:\(\d+\)[^)]*)*)\) ([\dx]+) (\d+)")
GROUPS = ("pencils", "pencils, orders that differ", "slabs", "slabs and pencils", "unequal parts", "cyclic", "more dimensions")


class Side:
    """The distribution of A or of B: "(* block block) 1x2x2 012"."""

    def __init__(self, text, shape):
        patterns, grid, self.order = FORM.fullmatch(text).groups()
        self.axes = list(zip(patterns.split(), map(int, grid.split("x")), shape, strict=True))
        self.whole = [k for k, (pattern, *_) in enumerate(self.axes) if pattern == "*"]
        blocks = [(int(found[1]), procs, n) for pattern, procs, n in self.axes
                  if (found := re.fullmatch(r"cyclic\((\d+)\)", pattern))]
        self.unequal = any(block * procs >= n for block, procs, n in blocks)
        self.cyclic = sorted({block for block, procs, n in blocks if block * procs < n})

    def kind(self):
        """Returns "x-pencils", or for slabs the axes of their planes, "xy-slabs"."""
        if len(self.axes) > 3:
            distributed = [str(k + 1) for k in range(len(self.axes)) if k not in self.whole]
            return ("axis " if len(distributed) == 1 else "axes ") + ", ".join(distributed)
        name = "".join("xyz"[k] for k in self.whole)
        return name + {0: "bricks", 1: "-pencils", 2: "-slabs"}[len(self.whole)]

    def stored(self):
        """Returns the axes from the fastest in memory to the slowest."""
        return "".join("xyz"[int(k)] for k in self.order)


def group_of(a, b):
    slabs = [len(side.whole) == 2 for side in (a, b)]
    if len(a.axes) > 3:
        return "more dimensions"
    if a.cyclic:
        return "cyclic"
    if a.unequal:
        return "unequal parts"
    if any(slabs):
        return "slabs" if all(slabs) else "slabs and pencils"
    return "pencils" if a.order == b.order else "pencils, orders that differ"


def case(row):
    """Returns the group of a row of the table, its key within the group, and its label."""
    shape = [int(n) for n in row["shape"].split("x")]
    a, b = (Side(row[name], shape) for name in "AB")
    what = f"{a.kind()} → {b.kind()}"
    if len(shape) > 3:
        what += " distributed" + (", C order" if a.order != "".join(sorted(a.order)) else "")
    elif a.order != b.order:
        what += f" stored {b.stored()}"
    if a.cyclic:
        what += f", CYCLIC({a.cyclic[0]}) → CYCLIC({b.cyclic[0]})"
    elif a.unequal:
        what += ", unequal parts"
    size = f"{shape[0]}³" if shape == 3 * shape[:1] else "×".join(map(str, shape))
    element = {"8": "real", "16": "complex"}[row["bytes"]]
    label = f"{what}, {size} {element}, {row['processes']} processes"
    return GROUPS.index(group_of(a, b)), (what, shape, int(row["bytes"]), int(row["processes"])), label


def main(table):
    with open(table, newline="", encoding="utf-8") as file:
        rows = sorted(((*case(row), row) for row in csv.DictReader(file)), key=lambda x: x[:2])
    place, before = -1, None
    for group, _, label, row in rows:
        place += 1 if before in (None, group) else 1.6
        before = group
        print(f"{place:.1f}", row["xredist / alltoallw"], row["xredist / best other"] or "nan", f'"{label}"', sep="\t")


if __name__ == "__main__":
    main(sys.argv[1])
