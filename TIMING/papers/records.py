# SPDX-License-Identifier: BSD-3-Clause
"""Reads the CSV files of the timing programs, and the simulated machines."""
import collections
import csv
import pathlib

Machine = collections.namedtuple("Machine", "rate latency message pack")  # bytes a second; seconds; seconds a byte


def number(text):
    """The text as a whole number or another one, or unchanged if it is none."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def records(path):
    """The rows, as dictionaries; lines that begin with # are left out."""
    with open(path, newline="", encoding="utf-8") as file:
        return [{name: number(value) for name, value in row.items()}
                for row in csv.DictReader(line for line in file if not line.startswith("#"))]


def machines():
    found = {}
    for line in (pathlib.Path(__file__).parent / "machines.dat").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, gigabits, latency, message, pack = line.split()
            found[name] = Machine(float(gigabits) * 1.25e8, float(latency) * 1e-6, float(message) * 1e-6,
                                  float(pack) * 1e-9)
    return found
