#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""summary.py RAW OUT [XSCHEDULE.json...]: reduces the records of RAW to the tables of OUT that RESULTS.md and
REPRODUCTION.md show. Figures that appear only in their text go to OUT/figures.csv. Missing records are skipped. The JSON
files have the costs of the schedules of Desprez et al.; with them RAW gets their ratios."""
import collections
import csv
import json
import pathlib
import re
import statistics
import sys

PAPERS = pathlib.Path(__file__).parent
RAW, OUT, SCHEDULES = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
Machine = collections.namedtuple("Machine", "rate message")  # bytes a second; seconds
figures = []


def number(text):
    """Converts text to an int or a float if possible."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def records(name, folder=RAW):
    """Returns the rows of a CSV file as dictionaries; empty if there is no file. Lines that begin with # are comments."""
    if not (folder / name).exists():
        return []
    with open(folder / name, newline="", encoding="utf-8") as file:
        return [{key: number(value) for key, value in row.items()}
                for row in csv.DictReader(line for line in file if not line.startswith("#"))]


def write(name, header, rows, folder=OUT):
    """Writes floats with six significant digits."""
    if rows:
        with open(folder / name, "w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(
                [header, *([f"{x:.6g}" if isinstance(x, float) else x for x in row] for row in rows)])


def nested(rows, outer, inner, value):
    """Returns a dictionary: outer columns -> inner column -> value column."""
    found = {}
    for x in rows:
        found.setdefault(tuple(x[name] for name in outer), {})[x[inner]] = x[value] if value else x
    return found


CASE = "m", "n", "grid_a", "grid_b", "block_a", "block_b"


def ratios():
    rows = []
    for (case,), of in nested(records("ratios.csv"), ["case"], "algorithm", None).items():
        ours, other = of["drop-in"], of["alltoallv"]
        rows.append([case, *(ours[x] for x in CASE), 1e3 * ours["median_s"], ours["to_scalapack"], ours["to_memcpy"],
                     1e3 * other["median_s"], other["to_scalapack"], ours["extra_bytes"], other["extra_bytes"]])
    write("ratios.csv", ["case", "m", "n", "A grid", "B grid", "A block", "B block", "ms", "to ScaLAPACK", "to memcpy",
                         "alltoallv, ms", "alltoallv to ScaLAPACK", "extra_bytes", "alltoallv extra_bytes"], rows)


def limit():
    write("limit.csv", ["m", "n", "A grid", "B grid", "A block", "B block", "ms", "to ScaLAPACK", "to memcpy"],
          [[*(x[name] for name in CASE), 1e3 * x["median_s"], x["to_scalapack"], x["to_memcpy"]]
           for x in records("limit.csv") if x["algorithm"] == "drop-in"])


def mkl():
    """In these records, `scalapack` is MKL's routine."""
    found = nested(records("mkl.csv"), ["case"], "algorithm", None)
    write("mkl.csv", ["case", "m", "n", "A grid", "B grid", "A block", "B block", "MKL, ms", "xredist, ms", "to MKL"],
          [[case, *(of["drop-in"][x] for x in CASE), 1e3 * of["scalapack"]["median_s"], 1e3 * of["drop-in"]["median_s"],
            of["drop-in"]["to_scalapack"]] for (case,), of in found.items()])


def medians(found, where):
    """Returns the medians over launches, in ms: columns of `where` but the last -> last column -> median."""
    times = collections.defaultdict(lambda: collections.defaultdict(list))
    for x in found:
        if x["check"] == "passed":
            *outer, inner = (x[name] for name in where)
            times[tuple(outer)][inner].append(1e3 * x["median_s"])
    return {key: {inner: statistics.median(all) for inner, all in of.items()} for key, of in times.items()}


def peers():
    """Times as ratios to the drop-in's."""
    others = {"default": "plan", "scalapack": "ScaLAPACK", "alltoallv": "alltoallv", "alltoallw": "alltoallw",
              "fftw": "FFTW"}
    where = ["data", "case", "m", "n", "grid_a", "grid_b", "block_a", "block_b", "algorithm"]
    rows = []
    for key, of in medians(records("peers.csv"), where).items():
        ours = of["drop-in"]
        first = min(of, key=of.get)
        rows.append([*key, ours, *(of[name] / ours if name in of else "" for name in others),
                     "xredist" if first in ("drop-in", "default") else others[first]])
    write("peers.csv", ["file", "case", "m", "n", "A grid", "B grid", "A block", "B block", "drop-in, ms",
                        *others.values(), "first"], rows)


def random_cases():
    found = sorted((x for x in records("random.csv") if x["algorithm"] == "drop-in"), key=lambda x: -x["to_scalapack"])
    if found:
        figures.extend([["random cases", len(found)],
                        ["random cases: median ratio", statistics.median(x["to_scalapack"] for x in found)],
                        ["random cases: slower than ScaLAPACK", sum(x["to_scalapack"] > 1 for x in found)]])
    write("random.csv", ["m", "n", "A grid", "B grid", "A block", "B block", "ms", "to ScaLAPACK"],
          [[*(x[key] for key in CASE), 1e3 * x["median_s"], x["to_scalapack"]] for x in found[:5]])


def threads():
    """Compares the times of each launch with those of the neighbouring launch with the other number of threads."""
    found = nested(records("threads.csv"), ["m", "grid_a", "grid_b", "block_a", "block_b", "threads"], "round",
                   "median_s")
    rows = []
    for (m, *where, count), times in found.items():
        def ratio(grid):
            other = found[m, grid, grid, "64x64", "48x48", 1]
            return statistics.median(times[k] / other[k] for k in times if k in other)
        rows.append([m, *where, count, 1e3 * statistics.median(times.values()), ratio("1x1"), ratio("2x1")])
    write("threads.csv", ["n", "A grid", "B grid", "A block", "B block", "threads", "ms", "to 1 process",
                          "to 2 processes"], sorted(rows, key=lambda row: (row[0], row[1], row[2])))


def busy():
    where = ["processes", "loops", "m", "grid_a", "grid_b", "block_a", "block_b", "threads"]
    write("threads-busy.csv",
          ["processes", "busy loops", "n", "A grid", "B grid", "A block", "B block", "1 thread, ms", "2 threads / 1"],
          [[*key, of[1], of[2] / of[1]] for key, of in medians(records("threads-busy.csv"), where).items()])


def networks(kind):
    """Times divided by the port bound."""
    found = nested(records(f"networks-{kind}.csv"), ["network", "case"], "algorithm", "median_over_bound")
    names = list(dict.fromkeys(name for of in found.values() for name in of))
    write(f"networks-{kind}.csv", ["network", "case", *names],
          [[*key, *(of.get(name, "") for name in names)] for key, of in found.items()])


def blocks_of(case):
    return " -> ".join(part.split("/")[1] for part in case.split(":"))


def growth():
    found = {}
    for x in records("networks-growth.csv"):
        key = x["network"].rsplit("-", 1)[1], blocks_of(x["case"]), x["processes"]
        found.setdefault(key, {})[x["algorithm"]] = x["median_over_bound"]
    names = ("default", "shifted", "scalapack", "at-once")
    write("networks-growth.csv", ["constant", "blocks", "processes", *names],
          [[*key, *(of.get(name, "") for name in names)] for key, of in found.items()])


def ports():
    """Compares the routes between nodes with several ports."""
    found = {}
    for x in records("networks-ports.csv"):
        count = re.search(r"-(?:(\d+)x)?100G-", x["network"])[1] or "1"
        dealt = "dealt" if "by-node" in x["network"] else "in order"
        key = x["case"], dealt, 8 * x["m"] * x["n"] // x["processes"], int(count)
        found.setdefault(key, {})[x["algorithm"]] = x["median_over_bound"], x["route"]
    names = "direct", "two-hop", "striped", "default"
    write("networks-ports.csv", ["case", "processes", "data of a process_bytes", "ports", *names, "route of the default"],
          [[*key, *(of[name][0] for name in names), of["default"][1]]
           for key, of in sorted(found.items()) if of.keys() >= set(names)])


def sizes():
    """Compares the routes. k is the number of rounds of the default, 1 for direct messages."""
    found = nested([x | {"blocks": blocks_of(x["case"]), "bytes": 8 * x["m"] * x["n"] // x["processes"]}
                    for x in records("networks-sizes.csv")], ["blocks", "processes", "bytes"], "algorithm", None)
    rows = []
    for key, of in sorted(found.items()):
        if of.keys() >= {"default", "direct", "two-hop"}:
            default, direct, two_hops = (of[name]["median_s"] for name in ("default", "direct", "two-hop"))
            route = of["default"]["route"]
            rows.append([*key, 1e6 * direct, two_hops / direct, default / min(direct, two_hops),
                         1 if route == "direct" else route.count("x") + 1, route])
    write("networks-sizes.csv", ["blocks", "processes", "data of a process_bytes", "direct, us", "two hops / direct",
                                 "default / better", "k", "route of the default"], rows)


def machines():
    lines = (PAPERS / "machines.dat").read_text(encoding="utf-8").splitlines()
    fields = [line.split() for line in lines if line and not line.startswith("#")]
    return {name: Machine(float(gigabits) * 1.25e8, float(message) * 1e-6) for name, gigabits, _, message in fields}


def theory():
    """Returns, for each case and algorithm, S and T (the messages and elements of the busiest process of each step) and
    the length of a period."""
    costs = {}
    for path in SCHEDULES:
        whole = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
        costs |= {(whole["case"], x["algorithm"]): (x["S"], x["T"], whole["size"][0]) for x in whole["comparison"] if x["defined"]}
    return costs


def desprez():
    times = nested([x | {"elements": x["m"] * x["n"]} for x in records("desprez.csv")], ["network", "case", "elements"],
                   "algorithm", "median_s")
    costs, rows = theory(), []
    for (network, case, elements), of in times.items() if costs else ():
        machine = machines()[network.rsplit("-", 1)[0]]

        def seconds(name):
            messages, longest, period = costs[case, name]
            return machine.message * messages + 8 * longest * elements / period / machine.rate
        for other in ("shifted", "caterpillar"):
            best, worse = costs[case, "optimal"], costs[case, other]
            rows.append([network, case, elements, other, of["steps:optimal"] / of[f"steps:{other}"],
                         of["default"] / of[f"steps:{other}"],
                         seconds("optimal") / seconds(other), best[0] / worse[0], best[1] / worse[1]])
    write("desprez-ratios.csv", ["network", "case", "elements", "to", "optimal", "library", "theory",
                                 "theory_messages", "theory_elements"], rows, RAW)
    found = [x for x in records("desprez-ratios.csv") if x["to"] == "shifted"]
    rows = []
    for figure, case in ((2, "16/3:16/5"), (3, "16/7:16/11"), (4, "12/4:8/3")):
        for network in sorted({x["network"] for x in found if x["case"] == case}):
            of = sorted((x for x in found if (x["network"], x["case"]) == (network, case)), key=lambda x: x["elements"])
            rows += [[figure, case, network, *(x[key] for key in ("elements", "optimal", "theory", "library"))]
                     for x in (of[0], of[-1])]
    write("desprez.csv", ["figure", "case", "machine", "elements", "optimal / caterpillar", "theory",
                          "xredist / caterpillar"], rows)
    over = [x["library"] / x["optimal"] for x in found]
    if over:
        figures.extend([["Desprez et al.: xredist / optimal step by step, minimum", min(over)],
                        ["Desprez et al.: xredist / optimal step by step, maximum", max(over)]])


def kalns_ni():
    pairs = nested([x | {"grid": x["case"].split("/")[0]} for x in records("kalns-ni.csv")], ["network", "grid", "n"],
                   "relabelled", None)
    found = []
    for (network, grid, n), of in pairs.items():
        optimal, traditional = of["yes"], of["no"]
        found.append([network, grid, n * n, optimal["median_s"] / traditional["median_s"],
                      (1 - optimal["kept"]) / (1 - traditional["kept"]),
                      (1 - optimal["min_kept"]) / (1 - traditional["min_kept"])])
    write("kalns-ni-ratios.csv", ["network", "grid", "elements", "optimal", "moved", "busiest"], found, RAW)
    rows = []
    for figure, grid in ((17, "8x1"), (18, "4x3"), (19, "6x4")):
        stays = {relabelled: x["kept"] for (_, g, _), of in pairs.items() if g == grid for relabelled, x in of.items()}
        if not stays:
            continue
        times = lambda network, least: [x[3] for x in found if x[:2] == [network, grid] and x[2] >= least]
        some = lambda function, values: function(values) if values else ""
        sp1, cluster, here = times("sp-1", 0), times("cluster", 0), times("here", 1e6)
        travels, busiest = next(x[4:] for x in found if x[1] == grid)
        rows.append([figure, grid, stays["no"], stays["yes"], travels, busiest, some(min, sp1),
                     some(statistics.median, sp1), some(max, sp1), some(min, cluster), some(max, cluster),
                     some(statistics.median, here)])
    write("kalns-ni.csv", ["fig.", "processes", "stays, traditional", "stays, optimal", "travels", "busiest",
                           "SP-1, min", "SP-1, median", "SP-1, max", "cluster, min", "cluster, max", "here, median"], rows)


def computers():
    """Adds the computers that the JSON output of the timing programs describes."""
    rows = {x["measurement"]: list(x.values()) for x in records("computers.csv", OUT)}
    for name in ("ratios", "limit", "mkl", "peers", "random", "threads", "busy", "papers"):
        if (RAW / f"{name}.json").exists():
            whole = json.loads((RAW / f"{name}.json").read_text(encoding="utf-8"))
            rows[name] = [name, whole["machine"]["processor"], whole["machine"]["cores of a node"],
                          whole["machine"]["system"].split()[0], whole["mpi"]["library"], whole["library"]["xredist"],
                          whole["library"]["compiler"]]
    write("computers.csv", ["measurement", "processor", "cores", "system", "MPI", "xredist", "compiler"],
          list(rows.values()))


for summarise in (computers, ratios, limit, mkl, peers, random_cases, threads, busy, growth, sizes, ports, desprez, kalns_ni):
    summarise()
for network_kind in ("simulated", "emulated"):
    networks(network_kind)
known = {x["figure"]: x["value"] for x in records("figures.csv", OUT)} | dict(figures)
write("figures.csv", ["figure", "value"], list(map(list, known.items())))
