#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""sizes.py RECORDS TABLE: compares the routes of the records of `measure --only sizes`, with a row for each pair of block
sizes, number of processes and size. k is the number of rounds of the default, 1 for direct messages."""
import csv
import sys

found = {}
with open(sys.argv[1], newline="", encoding="utf-8") as file:
    for x in csv.DictReader(line for line in file if not line.startswith("#")):
        blocks = " -> ".join(part.split("/")[1] for part in x["case"].split(":"))
        processes = int(x["processes"])
        key = blocks, processes, 8 * int(x["m"]) * int(x["n"]) // processes
        found.setdefault(key, {})[x["algorithm"]] = float(x["median_s"]), x["route"]

with open(sys.argv[2], "w", newline="", encoding="utf-8") as file:
    table = csv.writer(file, lineterminator="\n")
    table.writerow(["blocks", "processes", "data of a process_bytes", "direct, us", "two hops / direct",
                    "default / better", "k", "route of the default"])
    for key, of in sorted(found.items()):
        if of.keys() < {"default", "direct", "two-hop"}:
            continue
        (default, route), direct, two_hops = of["default"], of["direct"][0], of["two-hop"][0]
        ratios = 1e6 * direct, two_hops / direct, default / min(direct, two_hops)
        k = 1 if route == "direct" else route.count("x") + 1
        table.writerow([*key, *(f"{x:.6g}" for x in ratios), k, route])
