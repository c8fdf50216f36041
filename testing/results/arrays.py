# SPDX-License-Identifier: BSD-3-Clause
"""arrays.py TREE: the picture of arrays has a label for each case of the table, in the order of doc/pictures/arrays.py."""
import csv
import pathlib
import re
import subprocess
import sys

tree = pathlib.Path(sys.argv[1])
table = tree / "TIMING/results/arrays.csv"
printed = subprocess.run([sys.executable, "-B", tree / "doc/pictures/arrays.py", table], check=True, capture_output=True,
                         encoding="utf-8", env={"PYTHONUTF8": "1"}).stdout
cases = [line.split("\t") for line in printed.splitlines()]
labels = [label.strip('"') for *_, label in cases]
assert len(set(labels)) == len(labels), labels
with open(table, newline="", encoding="utf-8") as file:
    rows = [(row["xredist / alltoallw"], row["xredist / best other"] or "nan") for row in csv.DictReader(file)]
assert sorted(rows) == sorted((alltoallw, other) for _, alltoallw, other, _ in cases)
places = [float(place) for place, *_ in cases]
assert places == sorted(places), places
picture = (tree / "doc/pictures/arrays.svg").read_text(encoding="utf-8")
drawn = [text.strip() for text in re.findall(r"<text>([^<]*→[^<]*)", picture)]
assert drawn == labels, "doc/pictures/draw has not been run"
