#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes what the plots of ratios are drawn from.

ratios.py desprez DIR JSON...   DIR/desprez-ratios.csv, from desprez.csv and what xschedule wrote of the cases
ratios.py kalns-ni DIR          DIR/kalns-ni-ratios.csv, from kalns-ni.csv
ratios.py machine JSON          to standard output: what a timing program says of machine and MPI"""
import csv
import json
import pathlib
import sys

from records import machines, records


def write(path, header, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])


def theory(paths):
    """For each case and algorithm: the most messages and the most elements of one process in a step, summed over the
    steps; and the length of a period."""
    costs = {}
    for path in paths:
        whole = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        before, after = whole["from"]["rows"], whole["to"]["rows"]
        case = f"{before['processes']}/{before['block']}:{after['processes']}/{after['block']}"
        for x in whole["comparison"]:
            if x["defined"]:
                costs[case, x["algorithm"]] = (x["S"], x["T"], whole["size"][0])
    return costs


def desprez(folder, *schedules):
    """Theory: alpha S + beta T, where T is that of a period, as many times as the vector has periods."""
    costs = theory(schedules)
    times = {}
    for x in records(folder / "desprez.csv"):
        times.setdefault((x["network"], x["case"], x["elements"]), {})[x["algorithm"]] = x["median_s"]
    rows = []
    for (network, case, elements), of in times.items():
        machine = machines()[network.rsplit("-", 1)[0]]
        seconds = {}
        for name in ("optimal", "shifted", "caterpillar"):
            messages, longest, period = costs[case, name]
            seconds[name] = machine.message * messages + 8 * longest * elements / period / machine.rate
        for other in ("shifted", "caterpillar"):
            best, worse = costs[case, "optimal"], costs[case, other]
            rows.append([network, case, elements, other, f"{of['optimal'] / of[other]:.4f}",
                         f"{of['library'] / of[other]:.4f}", f"{seconds['optimal'] / seconds[other]:.4f}",
                         f"{best[0] / worse[0]:.4f}", f"{best[1] / worse[1]:.4f}"])
    write(folder / "desprez-ratios.csv",
          ["network", "case", "elements", "to", "optimal", "library", "theory", "theory_messages", "theory_elements"],
          rows)


def kalns_ni(folder):
    """Theory: the elements that do not stay, of all processes and of the process that keeps the least."""
    pairs = {}
    for x in records(folder / "kalns-ni.csv"):
        pairs.setdefault((x["network"], x["grid"], x["n"]), {})[x["mapping"]] = x
    write(folder / "kalns-ni-ratios.csv", ["network", "grid", "elements", "optimal", "moved", "busiest"],
          [[network, grid, n * n, f"{of['optimal']['median_s'] / of['traditional']['median_s']:.4f}",
            f"{(1 - of['optimal']['kept']) / (1 - of['traditional']['kept']):.4f}",
            f"{(1 - of['optimal']['least_kept']) / (1 - of['traditional']['least_kept']):.4f}"]
           for (network, grid, n), of in pairs.items()])


def machine(path):
    whole = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    facts = dict(whole["machine"])
    facts["system"] = facts["system"].split()[0]
    facts |= {"MPI": whole["mpi"]["library"], "xredist": whole["library"]["xredist"],
              "compiler": whole["library"]["compiler"]}
    csv.writer(sys.stdout, lineterminator="\n").writerows([["fact", "value"], *facts.items()])


if sys.argv[1] == "machine":
    machine(sys.argv[2])
else:
    {"desprez": desprez, "kalns-ni": kalns_ni}[sys.argv[1]](pathlib.Path(sys.argv[2]), *sys.argv[3:])
