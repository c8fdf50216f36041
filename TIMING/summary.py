#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""summary.py RAW OUT: reduces the records of RAW, one file for each measurement of `measure`, to the tables of OUT that
RESULTS.md and REPRODUCTION.md explain. Missing records are skipped. Numbers have at most four significant digits."""
import collections
import csv
import pathlib
import re
import statistics
import sys

RAW, OUT = map(pathlib.Path, sys.argv[1:])
CASE = "m", "n", "grid_a", "grid_b", "block_a", "block_b"
HEADINGS = "m", "n", "A grid", "B grid", "A block", "B block"


def number(text):
    """Converts text to an int or a float if possible."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def records(name):
    """Returns the records of a measurement as dictionaries, without those of contenders that were not timed."""
    if not (RAW / f"{name}.csv").exists():
        return []
    with open(RAW / f"{name}.csv", newline="", encoding="utf-8") as file:
        return [{key: number(value) for key, value in row.items()}
                for row in csv.DictReader(file) if row["check"] == "passed"]


def write(name, header, rows):
    if rows:
        with open(OUT / f"{name}.csv", "w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(
                [header, *([f"{x:.4g}" if isinstance(x, float) else x for x in row] for row in rows)])


def nested(rows, outer, inner="algorithm", value=None):
    """Returns a dictionary: outer columns -> inner column -> value column, or the whole row."""
    found = {}
    for x in rows:
        found.setdefault(tuple(x[name] for name in outer), {})[x[inner]] = x[value] if value else x
    return found


def medians(rows, outer, inner, value="median_s"):
    """Returns the medians over launches: outer columns -> inner column -> median of the value column."""
    times = collections.defaultdict(lambda: collections.defaultdict(list))
    for x in rows:
        times[tuple(x[name] for name in outer)][x[inner]].append(x[value])
    return {key: {name: statistics.median(all) for name, all in of.items()} for key, of in times.items()}


def case_text(x):
    """Returns the notation of a case: 2x2/3x5:2x2/5x3, or 16/3:16/5 for columns of processes and of blocks."""
    pairs = [(x["grid_a"], x["block_a"]), (x["grid_b"], x["block_b"])]
    sides = ["/".join(re.sub("x1$", "", side) for side in pair) if all(side.endswith("x1") for side in pair)
             else "/".join(pair) for pair in pairs]
    return ":".join(sides)


def ratios():
    """Medians over launches. Ratios are times of the drop-in divided by those of others."""
    others = {"scalapack": "ScaLAPACK", "libmkl_scalapack_lp64.so": "MKL", "alltoallv": "alltoallv",
              "alltoallw": "alltoallw", "fftw": "FFTW", "default": "a plan"}
    times, copies, memory = (medians(records("ratios"), ["case", *CASE], "algorithm", value)
                             for value in ("median_s", "to_memcpy", "extra_bytes"))
    rows = []
    for key, of in times.items():
        ours = of["drop-in"]
        rows.append([*key, 1e3 * ours, *(ours / of[name] if name in of else "" for name in others),
                     copies[key]["drop-in"], memory[key]["drop-in"], memory[key]["alltoallv"]])
    write("ratios", ["case", *HEADINGS, "ms", *(f"to {name}" for name in others.values()), "to memcpy", "extra_bytes",
                     "alltoallv extra_bytes"], rows)


def limit():
    write("limit", [*HEADINGS, "ms", "to ScaLAPACK", "to memcpy"],
          [[*(x[name] for name in CASE), 1e3 * x["median_s"], x["to_scalapack"], x["to_memcpy"]]
           for x in records("limit") if x["algorithm"] == "drop-in"])


def small():
    """Medians over launches. Times of the drop-in are divided by ScaLAPACK's of the same launch."""
    rows = [x for x in records("small") if x["algorithm"] == "drop-in"]
    times, ratios_of = (medians(rows, CASE, "call", value) for value in ("median_s", "to_scalapack"))
    write("small", [*HEADINGS, "us", "to ScaLAPACK", "first call, us", "to ScaLAPACK's first"],
          [[*key, 1e6 * of["repeated"], ratios_of[key]["repeated"], 1e6 * of["first"], ratios_of[key]["first"]]
           for key, of in times.items()])


def operations():
    write("operations", ["operation", "n", "grid", "A block", "B block", "xredist, ms", "beside", "ms", "ratio"],
          [[*(x[name] for name in ("operation", "n", "grid", "block_a", "block_b")), 1e3 * x["xredist_s"], x["beside"],
            1e3 * x["beside_s"], x["xredist_s"] / x["beside_s"]]
           for x in records("operations") if x["beside"] != "PDGETRF"])


def lists():
    """Medians over launches: of the least times, and of the ratios of lists to each contender."""
    rows = records("lists")
    ratios_of = medians(rows, ["processes", "case", "lines", "length"], "contender", "ratio")
    write("lists", ["processes", "case", "rows or columns", "elements of each", "contender", "ms", "lists / contender"],
          [[*key, contender, ms, ratios_of[key][contender]]
           for key, of in medians(rows, ["processes", "case", "lines", "length"], "contender", "ms").items()
           for contender, ms in of.items()])


def arrays():
    """Medians over launches, divided by the time of a copy in memory. The better of datatypes that permute at the sender or
    at the receiver, and the better exchange of heFFTe. `others` are the libraries, and MPI_Alltoallw with loops."""
    names = {"alltoallw": "alltoallw", "alltoallw-loops": "alltoallw and loops", "fftw": "FFTW", "heffte": "heFFTe",
             "2decomp": "2DECOMP&FFT", "dtfft": "dtFFT"}
    rows = []
    for (processes, case), times in medians(records("arrays"), ["processes", "case"], "algorithm").items():
        of = {}
        for name, time in times.items():
            name = re.sub("-(sender|receiver|pipelined)$", "", name)
            of[name] = min(time, of.get(name, time))
        shape, size, *sides = case.split()
        a, b = (" ".join(side).replace(",", " ") for side in (sides[:3], sides[3:]))
        others = [of[name] for name in names if name in of and name != "alltoallw"]
        rows.append([processes, shape, size, a, b, 1e3 * of["xredist"], of["xredist"] / of["memcpy"],
                     *(of[name] / of["memcpy"] if name in of else "" for name in names),
                     of["xredist"] / of["alltoallw"], of["xredist"] / min(others) if others else ""])
    write("arrays", ["processes", "shape", "bytes", "A", "B", "xredist, ms", "xredist", *names.values(),
                     "xredist / alltoallw", "xredist / best other"], rows)


def files():
    """Times of files, and the memory beside the local arrays, for each way."""
    found = nested(records("files"), ["processes", "megabytes", "block", "direction"], "way")
    ways = "xredist", "darray", "gather"
    write("files", ["processes", "MB", "block", "direction", *(f"{way}, s" for way in ways), "darray / xredist",
                    *(f"{way}, MB more" for way in ways)],
          [[*key, *(of[way]["seconds"] for way in ways), of["darray"]["seconds"] / of["xredist"]["seconds"],
            *(of[way]["extra_megabytes"] for way in ways)] for key, of in found.items()])


def random_cases():
    found = [x["to_scalapack"] for x in records("random") if x["algorithm"] == "drop-in"]
    if found:
        print(f"random cases: {len(found)}, ratio {statistics.median(found):.3g}, at most {max(found):.3g}")


def threads():
    """Compares the times of each round with those of one thread in that round, on one process and on two."""
    alone = [x for x in records("threads") if x["processes"] == (2 if "2" in x["grid_a"] + x["grid_b"] else 1)]
    found = nested(alone, [*CASE, "threads"], "round", "median_s")
    rows = []
    for (m, n, *where, count), times in found.items():
        def ratio(grid):
            other = found[m, n, grid, grid, "64x64", "48x48", 1]
            return statistics.median(times[k] / other[k] for k in times)
        rows.append([m, *where, count, 1e3 * statistics.median(times.values()), ratio("1x1"), ratio("2x1")])
    write("threads", ["n", *HEADINGS[2:], "threads", "ms", "to 1 process", "to 2 processes"],
          sorted(rows, key=lambda row: row[:3]))


def busy():
    where = ["processes", "loops", "m", *CASE[2:]]
    write("threads-busy", ["processes", "busy loops", "n", *HEADINGS[2:], "1 thread, ms", "2 threads / 1"],
          sorted(([*key, 1e3 * of[1], of[2] / of[1]] for key, of in medians(records("busy"), where, "threads").items()),
                 key=lambda row: (-row[0], row[2])))


def solvers():
    """Compares each layout of a program with the fitted one, and the fitted one with the best of all that were tried.
    A layout that the fit returns has the time of the layout itself."""
    found = collections.defaultdict(list)
    for x in records("solvers"):
        found[x["processes"], x["routine"], x["n"]].append(x)
    rows, gains, best_ratios = [], collections.defaultdict(list), collections.defaultdict(list)
    for key, of_key in sorted(found.items()):
        best = min((x for x in of_key if x["layout"] == "tried" and x["info"] == 0), key=lambda x: x["own_s"])
        for x in of_key:
            if x["layout"] == "tried":
                continue
            moves, accepted = x["fit_s"] != "", x["info"] == 0
            fitted = x["fit_s"] if moves else x["own_s"]
            rows.append([*key, x["layout"], x["grid"], x["block"], 1e3 * x["own_s"] if accepted else f"INFO {x['info']}",
                         x["fit_grid"], x["fit_block"], 1e3 * fitted, 1e3 * x["moving_s"] if moves else 0.0,
                         x["own_s"] / fitted if accepted else "", best["grid"], best["block"], 1e3 * best["own_s"],
                         best["own_s"] / fitted])
            best_ratios[key[0]].append(best["own_s"] / fitted)
            if accepted and moves:
                gains[key[0]].append((x["own_s"] / fitted, f"{key[1]} {key[2]} {x['layout']}"))
    write("solvers", ["processes", "routine", "n", "layout", "grid", "block", "own, ms", "fitted grid", "fitted block",
                      "fitted, ms", "of it moving, ms", "own / fitted", "best grid", "best block", "best, ms",
                      "best / fitted"], rows)
    for processes, of in sorted(gains.items()):
        own = [row for row in rows if row[0] == processes]
        ratios, slower = best_ratios[processes], [f"{text}: {gain:.3g}" for gain, text in sorted(of) if gain < 1 / 1.03]
        print(f"solvers, {processes} processes: {len(own)} layouts, {sum(isinstance(row[6], str) for row in own)} refused; moved: "
              f"{len(of)}, own / fitted: median {statistics.median(gain for gain, _ in of):.3g}, at most {max(of)[0]:.3g} "
              f"({max(of)[1]})\nslower by more than 3 %: {len(slower)}: {'; '.join(slower)}\nbest / fitted: median "
              f"{statistics.median(ratios):.3g}, at least {min(ratios):.3g}, below 0.9: "
              f"{sum(x < 0.9 for x in ratios)} of {len(ratios)}")


def networks(kind):
    """Times divided by the port bound."""
    found = nested([x | {"text": case_text(x)} for x in records(kind)], ["network", "text"], value="to_bound")
    names = list(dict.fromkeys(name for of in found.values() for name in of))
    write(f"networks-{kind}", ["network", "case", *names],
          [[*key, *(of.get(name, "") for name in names)] for key, of in found.items()])


def tuned():
    """Divides the default and the tuned plan by the fastest way."""
    found = nested([x | {"text": case_text(x)} for x in records("tuned")], ["network", "text", "bytes"], value="to_bound")
    rows = []
    for key, of in found.items():
        best = min((name for name in of if name != "tuned"), key=of.get)
        rows.append([*key, *(of.get(name, "") for name in ("default", "tuned")), best, of[best], of["default"] / of[best],
                     of["tuned"] / of[best] if "tuned" in of else ""])
    write("networks-tuned", ["network", "case", "bytes", "default", "tuned", "fastest way", "its time", "default / fastest",
                             "tuned / fastest"], rows)


def blocks_of(x):
    return " -> ".join(re.sub("x1$", "", x[name]) for name in ("block_a", "block_b"))


def sizes():
    """Compares the routes. k is the number of rounds of the default, 1 for direct messages."""
    found = nested([x | {"blocks": blocks_of(x), "each": x["bytes"] // x["processes"]} for x in records("sizes")],
                   ["blocks", "processes", "each"])
    rows = []
    for key, of in sorted(found.items()):
        if of.keys() >= {"default", "direct", "two-hop"}:
            default, direct, two_hops = (of[name]["median_s"] for name in ("default", "direct", "two-hop"))
            route = of["default"]["route"]
            rows.append([*key, 1e6 * direct, two_hops / direct, default / min(direct, two_hops),
                         1 if route == "direct" else route.count("x") + 1, route])
    write("networks-sizes", ["blocks", "processes", "bytes of a process", "direct, us", "two hops / direct",
                             "default / better", "k", "route of the default"], rows)


MACHINES = {"0.220G": "Paragon", "0.103G": "SP-1", "10G": "cluster"}


def machine_of(x):
    return "here" if x["network"] == "here" else MACHINES[x["network"].split("-")[2]]


def walker_otto():
    """Compares with the unsynchronised exchange in the simple order. K is the factor by which blocks grow."""
    variants = {"synchronised": "one-receive:wo-simple", "random": "one-receive:wo-random",
                "optimal": "one-receive:walker-otto", "sendrecv": "steps:walker-otto", "xredist": "default"}
    blocks = [[int(x[name].split("x")[0]) for name in ("block_a", "block_b")] for x in records("walker-otto")]
    found = nested([x | {"machine": machine_of(x), "K": b // a} for x, (a, b) in zip(records("walker-otto"), blocks)],
                   ["machine", "processes", "K"], value="median_s")
    write("walker-otto", ["machine", "processes", "K", "unsynchronised, us", *variants],
          [[*key, 1e6 * of["all-receives:wo-simple"],
            *(of[name] / of["all-receives:wo-simple"] for name in variants.values())]
           for key, of in sorted(found.items())])


def phases():
    """Compares a redistribution along each dimension with a single one, step by step and all messages at once."""
    found = nested([x | {"machine": machine_of(x), "text": case_text(x), "of each": x["bytes"] // x["processes"]}
                    for x in records("phases")], ["machine", "text", "of each"], value="median_s")
    names = {"phases": "wo-passes", "at once": "all-receives:walker-otto", "xredist": "default"}
    write("phases", ["machine", "case", "bytes of a process", "one in steps, us", *names],
          [[*key, 1e6 * of["steps:walker-otto"], *(of[name] / of["steps:walker-otto"] for name in names.values())]
           for key, of in sorted(found.items())])


def desprez():
    """Compares with the caterpillar of Desprez et al., step by step, which xredist calls shifted."""
    found = nested([x | {"kind": x["network"].split("-")[0], "machine": machine_of(x), "text": case_text(x)}
                    for x in records("desprez")], ["text", "machine", "kind", "bytes"], value="median_s")
    names = {"optimal": "steps:optimal", "stepwise": "steps:stepwise", "greedy": "steps:greedy", "alltoallv": "alltoallv",
             "xredist": "default"}
    write("desprez", ["case", "machine", "network", "bytes", *(f"{name} / caterpillar" for name in names)],
          [[*key, *(of[name] / of["steps:shifted"] if name in of else "" for name in names.values())]
           for key, of in found.items()])


def kalns_ni():
    """Compares relabelled processes, whose grids are marked by *, with the traditional mapping, for both maps. Minima,
    because the processes share fewer cores."""
    found = nested([x | {"machine": machine_of(x), "relabelled": x["grid_b"][-1] == "*"} for x in records("kalns-ni")],
                   ["grid_a", "n", "machine", "map"], "relabelled", "min_s")
    times = nested([{"grid": key[0], "n": key[1], "column": key[2:], "ratio": of[True] / of[False]}
                    for key, of in found.items()], ["grid", "n"], "column", "ratio")
    columns = [(machine, name) for machine in ("SP-1", "cluster", "here") for name in ("best", "kalns-ni")]
    write("kalns-ni", ["processes", "n", *(f"{machine}, {name}" for machine, name in columns)],
          [[*key, *(of.get(column, "") for column in columns)] for key, of in sorted(times.items())])


def prylli_tourancheau():
    """Compares the exchanges of figure 4 (right), redistribution with LU (left), and the scans of figure 3."""
    found = medians(records("prylli-tourancheau"), ["n"], "algorithm")
    lu = [x for x in records("operations") if x["beside"] == "PDGETRF" and x["grid"] == "2x2"]
    names = "steps:caterpillar", "at-once", "default", "scalapack"
    write("prylli-tourancheau", ["n", *(f"{name}, ms" for name in names)],
          [[*key, *(1e3 * of[name] for name in names)] for key, of in sorted(found.items())])
    write("lu", ["n", "redistribution, ms", "LU, ms", "ratio"],
          [[x["n"], 1e3 * x["xredist_s"], 1e3 * x["beside_s"], x["xredist_s"] / x["beside_s"]] for x in lu])
    if not (RAW / "scans.csv").exists():
        return
    with open(RAW / "scans.csv", newline="", encoding="utf-8") as file:
        lines = [line for line in file if line.startswith(("name,", '"'))]
    scans = {}
    for row in csv.DictReader(lines):
        case, strategy = row["name"].split(", 4000 scan ")
        scans.setdefault(case, {})[strategy] = 1e-3 * number(row["cpu_time"]) * \
            {"ns": 1, "us": 1000}[row["time_unit"]], row["visited"]
    names = "indices", "blocks", "period", "pairs"
    write("scans", ["case", *(f"{name}, {unit}" for name in names for unit in ("us", "looks")), "library, us"],
          [[case, *(float(x) for name in names for x in of[name]), of["library"][0]]
           for case, of in scans.items()])


def pivots():
    write("pivots", ["processes", "grid", "n", "block", "right-hand sides", "calls", "ScaLAPACK, ms", "xredist, ms", "ratio"],
          [[*(x[name] for name in ("processes", "grid", "n", "nb", "sides", "what")), 1e3 * x["own_seconds"],
            1e3 * x["xredist_seconds"], x["ratio"]] for x in records("pivots")])


def interchanges():
    """Compares messages of the busiest process, and times, for a panel of LU: its rows to the left and to the right."""
    found = nested(records("interchanges"), ["gigabits", "latency", "processes", "n"])
    write("interchanges-simulated", ["Gbit/s", "latency, us", "processes", "n", "messages, rows", "messages, exchange",
                                     "rows, us", "exchange, us", "ratio"],
          [[*key, *(of[name]["messages"] / of[name]["panels"] for name in ("rows", "exchange")),
            *(1e6 * of[name]["seconds"] / of[name]["panels"] for name in ("rows", "exchange")),
            of["exchange"]["seconds"] / of["rows"]["seconds"]]
           for key, of in found.items() if of.keys() >= {"rows", "exchange"}])


for summarise in (ratios, limit, small, operations, lists, arrays, files, random_cases, threads, busy, solvers, pivots,
                  interchanges, tuned, sizes, walker_otto, phases, desprez, kalns_ni, prylli_tourancheau):
    summarise()
for network_kind in ("simulated", "emulated"):
    networks(network_kind)
