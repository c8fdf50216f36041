# SPDX-License-Identifier: BSD-3-Clause
"""repeated.py TIMING PROGRAMS OUT: repeats the simulated experiments of the papers and compares with the results in TIMING."""
import csv
import pathlib
import subprocess
import sys

# Files of results, and the number of columns that tell the rows apart.
FILES = {"walker-otto.csv": 3, "phases.csv": 3, "desprez.csv": 4, "kalns-ni.csv": 2}


def simulated(folder, name):
    """Returns the rows of a file by their keys, without rows and columns of times of this computer."""
    with open(folder / name, newline="", encoding="utf-8") as file:
        rows = [list(row.items()) for row in csv.DictReader(file)]
    found = {}
    for row in rows:
        key = tuple(value for _, value in row[:FILES[name]])
        values = {column: value for column, value in row[FILES[name]:] if not column.startswith("here")}
        if "here" not in key and any(values.values()):
            found[key] = values
    return found


def is_close(name, column, new, old):
    # Another version of the library may choose other steps, but the ratios of the papers' orders are fixed.
    allowed = 0.2 if "xredist" in column or name == "kalns-ni.csv" else 0.02
    return new == old or abs(float(new) / float(old) - 1) <= allowed


def main():
    timing, programs, out = map(pathlib.Path, sys.argv[1:])
    only = ",".join(name.removesuffix(".csv") for name in FILES)
    done = subprocess.run([timing / "measure", "--only", only, "--machines", "simulated", "--bin", programs, "--raw", out,
                           "--results", out],
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=1700, check=False)
    print(done.stdout)
    if "skipped: " in done.stdout:
        return
    assert done.returncode == 0
    for name in FILES:
        new, old = simulated(out, name), simulated(timing / "results", name)
        assert new.keys() == old.keys(), (name, new.keys() ^ old.keys())
        for key, values in new.items():
            for column, value in values.items():
                assert is_close(name, column, value, old[key][column]), (name, key, column, value, old[key][column])


if __name__ == "__main__":
    main()
