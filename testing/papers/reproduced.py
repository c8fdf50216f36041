#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""reproduced.py TIMING BUILD OUT: runs TIMING/reproduce --quick and checks the output: columns and rows of all records,
and tables that agree with the records. Reads the files without the code that wrote them."""
import csv
import pathlib
import shutil
import statistics
import subprocess
import sys

timing, build, out = map(pathlib.Path, sys.argv[1:4])
simulates = shutil.which("smpirun") is not None and (build / "bin/networks_smpi").exists()
failures = []


def expect(holds, what):
    if not holds:
        failures.append(what)


def read(name):
    with open(out / "raw" / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def near(text, value):
    """Returns whether the text is the value, to three significant digits."""
    return abs(float(text) - value) <= 0.006 * abs(value) + 1e-12


def tables(page):
    """Returns the rows of all tables, by the headers of the tables."""
    found, header = {}, None
    for line in page.splitlines():
        if not line.startswith("|"):
            header = None
            continue
        cells = tuple(cell.strip() for cell in line.strip("|").split("|"))
        if header is None:
            header = cells
        elif not set(line) <= set("|- "):
            found.setdefault(header, []).append(dict(zip(header, cells)) | {"all": cells})
    return found


def check_files():
    """Each file: name, columns, rows of a quick run on this computer, rows that simulations add."""
    times = ("network,case,m,n,processes,algorithm,repetitions,bound_s,median_s,min_s,max_s,median_over_bound,data,route,"
             "relabelled,kept,min_kept")
    files = [("kalns-ni.csv", times, 12, 24),
             ("kalns-ni-ratios.csv", "network,grid,elements,optimal,moved,busiest", 6, 12)]
    if simulates:
        files += [("desprez.csv", times, 0, 144),
                  ("desprez-ratios.csv",
                   "network,case,elements,to,optimal,library,theory,theory_messages,theory_elements", 0, 72)]
    for name, columns, rows, simulated in files:
        found = read(name)
        expect(len(found) == rows + (simulated if simulates else 0), f"{name} has {len(found)} rows")
        expect(found and list(found[0]) == columns.split(","), f"{name} has other columns")
        expect(all(x.get("data") != "WRONG" for x in found), f"{name}: wrong contents")


def check_page(page):
    found = tables(page)
    rows = lambda *columns: [row for header, all_rows in found.items()
                             if set(columns) <= set(header) for row in all_rows]
    expect(len(rows("measurement", "MPI")) == 1, "the table of computers")
    if not simulates:
        return
    ratios = {(x["network"], x["case"], x["elements"]): x for x in read("desprez-ratios.csv") if x["to"] == "shifted"}
    expect(len(rows("optimal / caterpillar")) == 24, "the table of Desprez et al.")
    for row in rows("optimal / caterpillar"):
        x = ratios[row["machine"], row["case"], row["elements"]]
        expect(near(row["optimal / caterpillar"], float(x["optimal"])) and near(row["theory"], float(x["theory"])),
               f"Desprez et al.: {row['all']}")
    for row in rows("SP-1, median"):
        of = [float(x["optimal"]) for x in read("kalns-ni-ratios.csv")
              if x["grid"] == row["processes"] and x["network"] == "sp-1"]
        for column, value in (("min", min(of)), ("median", statistics.median(of)), ("max", max(of))):
            expect(near(row["SP-1, " + column], value), f"Kalns & Ni: {row['all']}")
    expect(len(rows("SP-1, median")) == 3, "the table of Kalns & Ni")


def main():
    shutil.rmtree(out, ignore_errors=True)
    run = subprocess.run([timing / "reproduce", "--quick", "--build", build, "--out", out],
                         capture_output=True, text=True, timeout=220, check=False)
    print(run.stdout, run.stderr)
    expect(run.returncode == 0, f"reproduce ended with {run.returncode}")
    expect(simulates or "simulated part skipped" in run.stdout, "no word of simulations that are missing")
    check_files()
    check_page((out / "tables.md").read_text(encoding="utf-8"))
    for failure in failures:
        print("FAILED:", failure)
    sys.exit(1 if failures else 0)


main()
