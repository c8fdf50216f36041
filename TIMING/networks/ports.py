#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""ports.py RECORDS TABLE: compares the routes of the records of `measure --only ports`. Times are divided by the time that
all ports of the busiest node need together."""
import csv
import re
import sys

found = {}
with open(sys.argv[1], newline="", encoding="utf-8") as file:
    for x in csv.DictReader(line for line in file if not line.startswith("#")):
        ports = re.search(r"-(?:(\d+)x)?100G-", x["network"])[1] or "1"
        dealt = "dealt" if "by-node" in x["network"] else "in order"
        size = 8 * int(x["m"]) * int(x["n"]) // int(x["processes"])
        found.setdefault((x["case"], dealt, size, int(ports)), {})[x["algorithm"]] = x["median_over_bound"], x["route"]

with open(sys.argv[2], "w", newline="", encoding="utf-8") as file:
    table = csv.writer(file, lineterminator="\n")
    routes = "direct", "two-hop", "striped", "default"
    table.writerow(["case", "processes", "data of a process_bytes", "ports", *routes, "route of the default"])
    for key, of in sorted(found.items()):
        if of.keys() >= set(routes):
            table.writerow([*key, *(of[name][0] for name in routes), of["default"][1]])
