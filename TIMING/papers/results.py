#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""results.py DIR: prints RESULTS.md from the CSV files of DIR. Every number is computed from them, and so is the choice
between sentences that compare. The page names files that are missing."""
import pathlib
import statistics
import sys

import desprez
import kalns_ni
import prylli_tourancheau
import walker_otto
from markdown import computer, page, present, short, table
from records import records


def how(what):
    return ["", f"    TIMING/measure --only {what}", ""]


def mebibytes(count):
    return f"{short(count / 2**20)} MiB" if count >= 2**20 else f"{short(count / 2**10)} KiB"


def listed(items):
    return ", ".join(items) if items else "none"


def by_case(rows):
    cases = {}
    for x in rows:
        if isinstance(x["median_s"], (int, float)):
            cases.setdefault(x["case"], {})[x["algorithm"]] = x
    return cases


def ratios(folder):
    cases = by_case(records(folder / "ratios.csv"))
    rows, drop_in, fast_alltoallv, memory = [], {}, [], []
    for number, of in cases.items():
        ours, alltoallv = of["drop-in"], of.get("alltoallv")
        drop_in[number] = ours["to_scalapack"]
        if alltoallv and alltoallv["median_s"] <= 1.05 * ours["median_s"]:
            fast_alltoallv.append(str(number))
        if alltoallv:
            memory.append((ours["extra_bytes"], alltoallv["extra_bytes"]))
        rows.append([number, f"{ours['m']} x {ours['n']}", f"{ours['grid_a']} -> {ours['grid_b']}",
                     f"{ours['block_a']} -> {ours['block_b']}", short(1e3 * ours["median_s"]),
                     short(ours["to_scalapack"]), short(ours["to_memcpy"]),
                     short(alltoallv["to_scalapack"]) if alltoallv else "-",
                     mebibytes(ours["extra_bytes"]), mebibytes(alltoallv["extra_bytes"]) if alltoallv else "-"])
    worst = max(drop_in, key=drop_in.get)
    slower = [str(n) for n, x in drop_in.items() if x > 1]
    lines = ["## Ratios to ScaLAPACK's routine", "",
             "The same program calls PDGEMR2D of ScaLAPACK and of xredist, in interleaved rounds, and times whole "
             "calls. The ratios are the median time of xredist divided by that of ScaLAPACK's routine, and divided by "
             "the time of a copy in memory of as many bytes. Extra memory is the most that a process uses besides A "
             "and B.",
             *how("ratios"),
             f"Median of the {len(drop_in)} cases: {short(statistics.median(drop_in.values()))} of ScaLAPACK's time; "
             f"the least favourable is case {worst} with {short(drop_in[worst])}. " +
             (f"xredist is slower than ScaLAPACK's routine in cases {listed(slower)}." if slower
              else "xredist is slower than ScaLAPACK's routine in no case."), "",
             "MPI_Alltoallv between packing and unpacking is as fast as xredist (within 5 %) or faster in "
             f"{len(fast_alltoallv)} of {len(memory)} cases (case {listed(fast_alltoallv)})."]
    if memory:
        lines += [f"With MPI_Alltoallv a process uses up to {mebibytes(max(x for _, x in memory))} of extra memory, "
                  f"with xredist up to {mebibytes(max(x for x, _ in memory))}. MPI_Alltoallv uses more than xredist in "
                  f"{sum(theirs > ours for ours, theirs in memory)} cases and less in "
                  f"{sum(theirs < ours for ours, theirs in memory)}, because xredist keeps its buffers, whatever the "
                  "next matrix is."]
    return lines + table(["case", "size", "grids", "blocks", "ms", "to ScaLAPACK", "to memcpy",
                          "alltoallv to ScaLAPACK", "extra", "alltoallv's"], rows)


def random_cases(folder):
    found = [(of["drop-in"]["to_scalapack"], of["drop-in"]) for of in by_case(records(folder / "random.csv")).values()]
    found.sort(key=lambda case: -case[0])
    lines = ["## Random cases", "",
             "Square, tall, wide and narrow matrices, vectors and panels, on 1 to 16 processes, in blocks of 1 to 256.",
             *how("random"), *computer(folder, "random-machine.csv"),
             f"Median of the {len(found)} cases: {short(statistics.median(x for x, _ in found))} of the time of "
             f"ScaLAPACK's routine; {sum(x > 1 for x, _ in found)} are slower. The least favourable are:"]
    return lines + table(["size", "grids", "blocks", "ms", "to ScaLAPACK"],
                         [[f"{c['m']} x {c['n']}", f"{c['grid_a']} -> {c['grid_b']}",
                           f"{c['block_a']} -> {c['block_b']}", short(1e3 * c["median_s"]), short(x)]
                          for x, c in found[:5]])


def threads(folder):
    """Each launch has one number of threads; its times are compared with those of the launch next to it."""
    times = {}
    for x in records(folder / "threads.csv"):
        case = x["m"], x["grid_a"], x["grid_b"], x["block_a"], x["block_b"], x["threads"]
        times.setdefault(case, {})[x["round"]] = x["median_s"]
    lines = ["## Threads", "",
             "Processes with one thread or several that copy together (`XREDIST_THREADS`), on one node. Launches with "
             "one thread and with two follow each other in turn. The ratios are the medians over the pairs of "
             "launches: to one process with one thread, and to two processes with one thread each, which move the "
             "same matrix from blocks to other blocks.",
             *how("threads"), *computer(folder, "threads-machine.csv")]
    rows = []
    for case, of in times.items():
        m, grid_a, grid_b, block_a, block_b, count = case
        def ratio(grid_a, grid_b, block_a, block_b):
            other = times.get((m, grid_a, grid_b, block_a, block_b, 1), {})
            both = [of[k] / other[k] for k in of if k in other]
            return short(statistics.median(both)) if both else "-"
        rows.append([f"{m} x {m}", f"{grid_a} -> {grid_b}", f"{block_a} -> {block_b}", count,
                     short(1e3 * statistics.median(of.values())), ratio("1x1", "1x1", "64x64", "48x48"),
                     ratio("2x1", "2x1", "64x64", "48x48")])
    return lines + table(["size", "grids", "blocks", "threads", "ms", "to 1 process", "to 2 processes"],
                         sorted(rows, key=lambda row: (int(row[0].split()[0]), row[1])))


BOUND = ("divided by the port bound: the most bytes that one node sends to others or receives from them, divided by "
         "the rate of its link")
NODES = "In the name of a network, 4x16 means 4 nodes of 16 processes each."


def over_bound(rows):
    """(network, case) -> algorithm -> its time divided by the port bound."""
    found = {}
    for x in rows:
        found.setdefault((x["network"], x["case"]), {})[x["algorithm"]] = x["median_over_bound"]
    return found


def network_table(found):
    """Tables of at most eight algorithms, so that their lines are not too long."""
    names = list(dict.fromkeys(name for of in found.values() for name in of))
    lines = []
    for some in (names[k:k + 8] for k in range(0, len(names), 8)):
        lines += table(["network", "case", *some],
                       [[network, case, *(of.get(name, "-") for name in some)] for (network, case), of in found.items()
                        if not of.keys().isdisjoint(some)])
    return lines


def against(found, other):
    """The ratios of `other` to the default, and those where it is more than 5 % slower, and faster."""
    pairs = {key: of[other] / of["default"] for key, of in found.items() if other in of and "default" in of}
    slower = {key: x for key, x in pairs.items() if x > 1.05}
    faster = {key: x for key, x in pairs.items() if x < 0.95}
    return pairs, slower, faster


def verdict(found, other, name):
    pairs, slower, faster = against(found, other)
    if not pairs:
        return []
    text = (f"{name} (`{other}`): as fast as the default (within 5 %) in {len(pairs) - len(slower) - len(faster)} of "
            f"{len(pairs)} cases")
    if slower:
        key = max(slower, key=slower.get)
        text += f"; slower in {len(slower)}, with up to {short(slower[key])} times the time ({key[0]}, {key[1]})"
    if faster:
        key = min(faster, key=faster.get)
        text += f"; faster in {len(faster)}, with as little as {short(faster[key])} of the time ({key[0]}, {key[1]})"
    return [f"- {text}."]


ORDERS = (("scalapack", "ScaLAPACK's order"), ("at-once", "All messages posted at once"),
          ("optimal", "The least number of steps, whatever their length"),
          ("shifted", "Process p sends to p, p + 1 ... in turn"), ("direct", "The default without two hops"),
          ("two-hop", "The default with two hops"))


def simulated(folder):
    found = over_bound(records(folder / "networks-simulated.csv"))
    kinds = {"crossbar": "a switch that never blocks", "fat": "a fat tree", "torus": "a torus"}
    there = [name for kind, name in kinds.items() if any(network.startswith(kind) for network, _ in found)]
    lines = ["## Simulated networks", "",
             f"SimGrid simulates {listed(there)}; only messages take time. Times are {BOUND}. {NODES}",
             *how("simulated")]
    for other, name in ORDERS:
        lines += verdict(found, other, name)
    pairs, slower, _ = against(found, "at-once")
    if pairs and not slower:
        lines += ["",
                  "All processes that send to a simulated port share it ideally, and nothing is lost, as if buffers "
                  "had no limit. So there is no case in which posting all messages at once is slower than a schedule."]
    if least := min((x for key, of in found.items() for x in of.values() if key[0].startswith("torus")), default=None):
        lines += ["", "The bound is for one link. The nodes of a torus have several links"
                  + (f", so ratios below 1 occur ({short(least)})." if least < 1 else ".")]
    return lines + ["", "A dash means: not run."] + network_table(found)


def emulated(folder):
    found = over_bound(records(folder / "networks-emulated.csv"))
    lines = ["## Emulated networks", "",
             "Real TCP between network namespaces at one switch. The name of a network ends with the number of bytes "
             f"that a port of the switch can queue. {NODES} Times are medians, divided by the port bound.",
             *how("emulated")]
    for other, name in (*ORDERS[:2], *ORDERS[-2:]):
        lines += verdict(found, other, name)
    lines.append("")
    queues = {}
    for (network, case), of in found.items():
        if "at-once" in of and "default" in of:
            queues.setdefault(network.rsplit("-", 1)[1], []).append(of["at-once"] / of["default"])
    kilobytes = lambda queue: int("".join(c for c in queue if c.isdigit()))
    for queue in sorted(queues, key=kilobytes, reverse=True):
        median = statistics.median(queues[queue])
        word = ("as fast as" if 0.95 <= median <= 1.05 else "slower than" if median > 1.05 else "faster than")
        lines.append(f"- With queues of {queue}, posting all messages at once is {word} the default: it takes "
                     f"{short(min(queues[queue]))} to {short(max(queues[queue]))} times as long, median "
                     f"{short(median)}.")
    return lines + network_table(found)


def growth(folder):
    families = {}
    for x in records(folder / "networks-growth.csv"):
        blocks = " -> ".join(part.split("/")[1] for part in x["case"].split(":"))
        same = x["network"].rsplit("-", 1)[1]
        families.setdefault((same, blocks), {}).setdefault(x["processes"], {})[x["algorithm"]] = x["median_over_bound"]
    names = list(dict.fromkeys(name for counts in families.values() for of in counts.values() for name in of))
    lines = ["## Growth with the number of processes", "",
             "Only the simulated switch. Times are divided by the port bound. Either the amount of data of each "
             "process or the matrix stays the same.", *how("growth")]
    if present(folder, "networks-growth.svg"):
        lines += ["![Time divided by the port bound against the number of processes](results/networks-growth.svg)", ""]
    lines += table(["same", "blocks", "processes", *names],
                   [[same, blocks, count, *(of.get(name, "-") for name in names)]
                    for (same, blocks), counts in families.items() for count, of in sorted(counts.items())])
    for (same, blocks), counts in families.items():
        both = [n for n, of in sorted(counts.items()) if "default" in of and "scalapack" in of]
        if len(both) > 1:
            few, many = counts[both[0]], counts[both[-1]]
            kept = {"process": "Same data per process", "matrix": "Same matrix"}[same]
            lines.append(f"- {kept}, {blocks}: from {both[0]} to {both[-1]} processes, the default goes from "
                         f"{few['default']} to {many['default']}, and ScaLAPACK's order from {few['scalapack']} to "
                         f"{many['scalapack']}.")
    return lines + [""]


def sizes(folder):
    found = {}
    for x in records(folder / "networks-sizes.csv"):
        blocks = " -> ".join(part.split("/")[1] for part in x["case"].split(":"))
        key = blocks, x["processes"], 8 * x["m"] * x["n"] // x["processes"]
        found.setdefault(key, {})[x["algorithm"]] = x["median_s"]
    found = {key: of for key, of in sorted(found.items()) if of.keys() >= {"default", "direct", "two-hop"}}
    behind = {key: of["default"] / min(of["direct"], of["two-hop"]) for key, of in found.items()}
    lines = ["## Two hops or direct messages", "",
             "A simulated switch with 100 Gbit/s a port and 1 us a link. A message takes 1 us of its sender's time "
             "and, if it is shorter than 64 KB, also of its receiver's. `default` is what the library chooses.",
             *how("sizes")]
    if present(folder, "networks-sizes.svg"):
        lines += ["![Time of two hops divided by that of direct messages](results/networks-sizes.svg)", ""]
    for blocks, count in dict.fromkeys(key[:2] for key in found):
        of_both = {key[2]: of["two-hop"] < of["direct"] for key, of in found.items() if key[:2] == (blocks, count)}
        better = [mebibytes(size) for size, less in of_both.items() if less]
        lines.append(f"- {blocks}, {count} processes: two hops take less time with {len(better)} of {len(of_both)} "
                     "sizes" + (f", the largest {better[-1]} of each process." if better else "."))
    if behind:
        blocks, count, size = worst = max(behind, key=behind.get)
        lines.append(f"- The default takes at most {short(behind[worst])} times the time of the better way ({blocks}, "
                     f"{count} processes, {mebibytes(size)} of each).")
    return lines + table(["blocks", "processes", "of each", "direct, us", "two hops / direct", "default / better"],
                         [[blocks, count, mebibytes(size), short(1e6 * of["direct"]),
                           short(of["two-hop"] / of["direct"]), short(behind[blocks, count, size])]
                          for (blocks, count, size), of in found.items()])


def papers(folder):
    lines = ["## The papers' experiments", *how("papers"),
             "The column `then` is what the papers found, `here` is what is found now. "
             "[REPRODUCTION.md](results/REPRODUCTION.md) has the plots, and the reasons why they differ."]
    rows = []
    if present(folder, "walker-otto.csv"):
        here = walker_otto.times(records(folder / "walker-otto.csv"))
        for network, then in (("sp-1", "up to 3"), ("paragon", "-")):
            if any(key[0] == network for key in here):
                rows += [[f"Walker & Otto, {network}: synchronised / unsynchronised, largest ratio",
                          then, short(walker_otto.largest(here, network, "synchronised"))],
                         [f"Walker & Otto, {network}: optimal order / unsynchronised, largest ratio",
                          "comparable", short(walker_otto.largest(here, network, "optimal"))]]
    if present(folder, "lu.csv", "lu-redistribution.csv"):
        _, lu, _, theirs, ours = zip(*prylli_tourancheau.lu_times(folder))
        for who, moved in (("ScaLAPACK's", theirs), ("xredist's", ours)):
            rows.append([f"Prylli & Tourancheau, figure 4: LU / {who} redistribution, least ratio", "by far more",
                         short(min(best / time for best, time in zip(lu, moved)))])
    if present(folder, "desprez-ratios.csv"):
        on = [x for x in records(folder / "desprez-ratios.csv")
              if x["network"] == "paragon-crossbar" and x["to"] == "shifted"]
        for figure, (case, _) in desprez.FIGURES.items():
            longest = max((x for x in on if x["case"] == case), key=lambda x: x["elements"])
            rows.append([f"Desprez et al., figure {figure}: optimal / caterpillar, long vector",
                         {2: "0.56 to 0.64", 3: "0.86", 4: "0.6"}[figure],
                         f"{short(longest['optimal'])} (theory {short(longest['theory'])})"])
    if present(folder, "kalns-ni-ratios.csv"):
        for figure, (grid, _) in kalns_ni.FIGURES.items():
            of = [x["optimal"] for x in records(folder / "kalns-ni-ratios.csv")
                  if x["grid"] == grid and x["network"] == "sp-1"]
            if of:
                rows.append([f"Kalns & Ni, figure {figure}: optimal / traditional mapping",
                             "roughly 0.6" if figure == 17 else "less than 1", short(statistics.median(of))])
    return lines + table(["", "then", "here"], rows)


SECTIONS = (("ratios", ratios, "ratios.csv"), ("random cases", random_cases, "random.csv"),
            ("threads", threads, "threads.csv"),
            ("simulated networks", simulated, "networks-simulated.csv"),
            ("growth with the number of processes", growth, "networks-growth.csv"),
            ("two hops or direct messages", sizes, "networks-sizes.csv"),
            ("emulated networks", emulated, "networks-emulated.csv"),
            ("the papers' experiments", papers, "REPRODUCTION.md"))


def main(folder):
    head = ["# Results", "",
            "These results were measured with the programs of this folder. `TIMING/measure` repeats the measurements "
            "and writes this page from the CSV files in [results](results); each section has the command that "
            "repeats its part.", "", *computer(folder)]
    page(head, SECTIONS, folder)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
