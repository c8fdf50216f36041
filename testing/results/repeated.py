# SPDX-License-Identifier: BSD-3-Clause
"""repeated.py TIMING PROGRAMS OUT: repeats the simulated experiments of the papers and compares with the results in TIMING."""
import csv
import pathlib
import subprocess
import sys

timing, programs, out = map(pathlib.Path, sys.argv[1:])


def table(folder, name):
    with open(folder / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


done = subprocess.run([timing / "measure", "--only", "walker-otto,desprez,kalns-ni", "--bin", programs, "--raw", out, "--results", out], text=True,
                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=400, check=False)
print(done.stdout)
if "skipped: " in done.stdout:
    sys.exit()
assert done.returncode == 0
for name in ("walker-otto.csv", "desprez.csv", "kalns-ni.csv"):
    new, old = table(out, name), table(timing / "results", name)
    assert len(new) == len(old), name
    for row, before in zip(new, old):
        assert list(row) == list(before)
        if row.get("machine") == "here":
            continue
        for column in row:
            if column.startswith("here"):  # times of this computer
                continue
            # Another version of the library may choose other steps, but the ratios of the papers' orders are fixed.
            allowed = 0.2 if "xredist" in column or name == "kalns-ni.csv" else 0.02
            same = row[column] == before[column] or abs(float(row[column]) / float(before[column]) - 1) <= allowed
            assert same, (name, column, row, before)
