#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""tables.py DIR FILE.md...: replaces the tables of Markdown files by the CSV files of DIR. A line
`<!-- table NAME.csv: column; column; ... -->` stands before each table; without columns the table has all of them. Rows
that are empty from the third column on are left out.
tables.py DIR: prints all CSV files of DIR as tables."""
import csv
import pathlib
import re
import sys

FOLDER = pathlib.Path(sys.argv[1])
MARKER = re.compile(r"(<!-- table (\S+\.csv)(?:: (.*?))? -->)\n(?:\n?(?:\|.*\n)+)?")


def short(text):
    """Rounds a number with more than four significant digits to three; returns other text unchanged."""
    if not re.fullmatch(r"\d*\.\d+|\d+(\.\d+)?e[-+]\d+", text) or len(text.replace(".", "").lstrip("0")) <= 4:
        return text
    rounded = f"{float(text):.3g}"
    return f"{float(rounded):.0f}" if "e" in rounded else rounded


def cell(column, text):
    if not text:
        return "-"
    if not column.endswith("_bytes"):
        return short(text)
    unit, name = (2**20, "MiB") if float(text) >= 2**20 else (2**10, "KiB")
    return f"{short(f'{float(text) / unit:.6g}')} {name}"


def table(name, columns=None):
    with open(FOLDER / name, newline="", encoding="utf-8") as file:
        reader = csv.DictReader(file)
        columns = columns.split("; ") if columns else list(reader.fieldnames)
        rows = [[cell(column, row[column]) for column in columns] for row in reader]
    rows = [row for row in rows if len(row) < 3 or set(row[2:]) != {"-"}]
    header = [column.removesuffix("_bytes") for column in columns]
    return ["| " + " | ".join(row) + " |" for row in [header, ["---"] * len(header), *rows]]


for path in map(pathlib.Path, sys.argv[2:]):
    old = path.read_text(encoding="utf-8")
    new = MARKER.sub(lambda found: found[1] + "\n\n" + "\n".join(table(found[2], found[3])) + "\n", old)
    path.write_text(new, encoding="utf-8")
if len(sys.argv) == 2:
    for path in sorted(FOLDER.glob("*.csv")):
        print(f"{path.name}\n\n" + "\n".join(table(path.name)) + "\n")
