#!/usr/bin/env python3
"""results.py DIR: RESULTS.md on standard output, from the CSV files of DIR. Every number is computed from them, and
every sentence that compares is chosen by them; of a file that is not there it says so."""
import pathlib
import statistics
import sys

import desprez
import kalns_ni
import walker_otto
from markdown import computer, present, short, table
from records import records


def how(what):
    return ["", f"    TIMING/measure --only {what}", ""]


def mebibytes(count):
    return f"{count / 2**20:.3g} MiB" if count >= 2**20 else f"{count / 2**10:.3g} KiB"


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
             "The whole call of PDGEMR2D, both in one program, rounds interleaved; times of one call over "
             "ScaLAPACK's, medians, and over a copy in memory of as many bytes. Extra memory: the most that a "
             "process takes besides A and B.", *how("ratios"),
             f"Median of the {len(drop_in)} cases: {short(statistics.median(drop_in.values()))} of ScaLAPACK's time; "
             f"the least favourable is case {worst} with {short(drop_in[worst])}. " +
             (f"Slower than ScaLAPACK's: cases {listed(slower)}." if slower
              else "None is slower than ScaLAPACK's."), "",
             "MPI_Alltoallv between packing and unpacking is as fast as xredist, within 5 %, or faster in "
             f"{len(fast_alltoallv)} of {len(memory)} cases ({listed(fast_alltoallv)})."]
    if memory:
        lines += [f"Extra memory: it takes up to {mebibytes(max(x for _, x in memory))} on a process, "
                  f"xredist up to {mebibytes(max(x for x, _ in memory))}; it takes more than xredist in "
                  f"{sum(theirs > ours for ours, theirs in memory)} cases, less in "
                  f"{sum(theirs < ours for ours, theirs in memory)} (xredist keeps its buffers, whatever the next "
                  "matrix)."]
    return lines + table(["case", "size", "grids", "blocks", "ms", "to ScaLAPACK", "to memcpy",
                          "alltoallv to ScaLAPACK", "extra", "alltoallv's"], rows)


def over_bound(rows):
    """(network, case) -> algorithm -> its time over the port bound."""
    found = {}
    for x in rows:
        found.setdefault((x["network"], x["case"]), {})[x["algorithm"]] = x["median_over_bound"]
    return found


def network_table(found):
    names = list(dict.fromkeys(name for of in found.values() for name in of))
    return table(["network", "case", *names],
                 [[network, case, *(of.get(name, "-") for name in names)] for (network, case), of in found.items()])


def against(found, other):
    """Where `other` is as fast as the default within 5 %, where slower, where faster; and the largest loss."""
    pairs = {key: of[other] / of["default"] for key, of in found.items() if other in of and "default" in of}
    slower = {key: x for key, x in pairs.items() if x > 1.05}
    faster = {key: x for key, x in pairs.items() if x < 0.95}
    return pairs, slower, faster


def verdict(found, other, name):
    pairs, slower, faster = against(found, other)
    if not pairs:
        return []
    text = f"{name}: in {len(pairs) - len(slower) - len(faster)} of {len(pairs)} as fast as the default, within 5 %"
    if slower:
        key = max(slower, key=slower.get)
        text += f"; in {len(slower)} slower, at most {short(slower[key])} times ({key[0]}, {key[1]})"
    if faster:
        key = min(faster, key=faster.get)
        text += f"; in {len(faster)} faster, at best {short(faster[key])} of the time ({key[0]}, {key[1]})"
    return [f"- {text}."]


def simulated(folder):
    found = over_bound(records(folder / "networks-simulated.csv"))
    kinds = {"crossbar": "a switch that never blocks", "fat": "a fat tree", "torus": "a torus"}
    there = [name for kind, name in kinds.items() if any(network.startswith(kind) for network, _ in found)]
    lines = ["## Simulated networks", "",
             f"SimGrid: {listed(there)}. Times over the port bound, the most bytes that one process sends or "
             "receives over its link's rate. Only messages take time.", *how("simulated")]
    for other, name in (("scalapack", "ScaLAPACK's order"), ("at-once", "Everything at once"),
                        ("optimal", "Least steps alone"), ("shifted", "Processes in a circle")):
        lines += verdict(found, other, name)
    pairs, slower, _ = against(found, "at-once")
    if pairs and not slower:
        lines += ["",
                  "A simulated port shares itself ideally among all that send to it and loses nothing, "
                  "as with buffers without end: no case shows posting everything at once losing to a schedule."]
    if least := min((x for key, of in found.items() for x in of.values() if key[0].startswith("torus")), default=None):
        lines += ["", "The bound is for one link; of a torus each process has several"
                  + (f": down to {short(least)} of the bound." if least < 1 else ".")]
    return lines + ["", "A dash: not run."] + network_table(found)


def emulated(folder):
    found = over_bound(records(folder / "networks-emulated.csv"))
    lines = ["## Emulated networks", "",
             "Real TCP between network namespaces at one switch; the network's name ends with the bytes that a port "
             "of the switch queues. Times over the port bound, medians.", *how("emulated")]
    for other, name in (("scalapack", "ScaLAPACK's order"), ("at-once", "Everything at once")):
        lines += verdict(found, other, name)
    lines.append("")
    queues = {}
    for (network, case), of in found.items():
        if "at-once" in of and "default" in of:
            queues.setdefault(network.rsplit("-", 1)[1], []).append(of["at-once"] / of["default"])
    kilobytes = lambda queue: int("".join(c for c in queue if c.isdigit()))
    for queue in sorted(queues, key=kilobytes, reverse=True):
        median = statistics.median(queues[queue])
        word = ("posting everything at once is as fast" if 0.95 <= median <= 1.05
                else "the schedule wins" if median > 1.05 else "posting everything at once wins")
        lines.append(f"- Queues of {queue}: {word}; at-once over default {short(min(queues[queue]))} to "
                     f"{short(max(queues[queue]))}, median {short(median)}.")
    return lines + network_table(found)


def growth(folder):
    families = {}
    for x in records(folder / "networks-growth.csv"):
        blocks = " -> ".join(part.split("/")[1] for part in x["case"].split(":"))
        same = x["network"].rsplit("-", 1)[1]
        families.setdefault((same, blocks), {}).setdefault(x["processes"], {})[x["algorithm"]] = x["median_over_bound"]
    names = list(dict.fromkeys(name for counts in families.values() for of in counts.values() for name in of))
    lines = ["## Growth with the number of processes", "",
             "The simulated switch alone: times over the port bound, the data of each process or the matrix being "
             "the same.", *how("growth")]
    if present(folder, "networks-growth.svg"):
        lines += ["![Time over the port bound against processes](results/networks-growth.svg)", ""]
    lines += table(["same", "blocks", "processes", *names],
                   [[same, blocks, count, *(of.get(name, "-") for name in names)]
                    for (same, blocks), counts in families.items() for count, of in sorted(counts.items())])
    for (same, blocks), counts in families.items():
        both = [n for n, of in sorted(counts.items()) if "default" in of and "scalapack" in of]
        if len(both) > 1:
            few, many = counts[both[0]], counts[both[-1]]
            lines.append(f"- Same {same}, {blocks}: from {both[0]} to {both[-1]} processes the default goes from "
                         f"{few['default']} to {many['default']}, ScaLAPACK's order from {few['scalapack']} to "
                         f"{many['scalapack']}.")
    return lines + [""]


def papers(folder):
    lines = ["## The papers' experiments", *how("papers"),
             "Each with its plot and with why then and now differ: [REPRODUCTION.md](results/REPRODUCTION.md)."]
    rows = []
    if present(folder, "walker-otto.csv"):
        here = walker_otto.times(records(folder / "walker-otto.csv"))
        for network, then in (("sp-1", "up to 3"), ("paragon", "-")):
            if any(key[0] == network for key in here):
                rows += [[f"Walker & Otto, {network}: synchronised over unsynchronised, the most",
                          then, short(walker_otto.largest(here, network, "synchronised"))],
                         [f"Walker & Otto, {network}: optimal order over unsynchronised, the most",
                          "comparable", short(walker_otto.largest(here, network, "optimal"))]]
    if present(folder, "lu.csv", "lu-redistribution.csv"):
        factorised, moved = records(folder / "lu.csv"), records(folder / "lu-redistribution.csv")
        for name, who in (("scalapack", "ScaLAPACK's"), ("drop-in", "xredist's")):
            least = min(min(x["median_s"] for x in factorised if x["n"] == n) /
                        statistics.mean(x["median_s"] for x in moved if x["m"] == n and x["algorithm"] == name)
                        for n in {x["n"] for x in factorised})
            rows.append([f"Prylli & Tourancheau, figure 4: LU over {who} redistribution, the least",
                         "by far more", short(least)])
    if present(folder, "desprez-ratios.csv"):
        on = [x for x in records(folder / "desprez-ratios.csv")
              if x["network"] == "paragon-crossbar" and x["to"] == "shifted"]
        for figure, (case, _) in desprez.FIGURES.items():
            longest = max((x for x in on if x["case"] == case), key=lambda x: x["elements"])
            rows.append([f"Desprez et al., figure {figure}: optimal over caterpillar, long vector",
                         {2: "0.56 to 0.64", 3: "0.86", 4: "0.6"}[figure],
                         f"{short(longest['optimal'])} (theory {short(longest['theory'])})"])
    if present(folder, "kalns-ni-ratios.csv"):
        for figure, (grid, _) in kalns_ni.FIGURES.items():
            of = [x["optimal"] for x in records(folder / "kalns-ni-ratios.csv")
                  if x["grid"] == grid and x["network"] == "sp-1"]
            if of:
                rows.append([f"Kalns & Ni, figure {figure}: optimal mapping over traditional",
                             "roughly 0.6" if figure == 17 else "less than 1", short(statistics.median(of))])
    return lines + table(["", "then", "here"], rows)


SECTIONS = (("ratios", ratios, "ratios.csv"), ("simulated networks", simulated, "networks-simulated.csv"),
            ("growth with the number of processes", growth, "networks-growth.csv"),
            ("emulated networks", emulated, "networks-emulated.csv"))
PAPERS = ("walker-otto.csv", "lu.csv", "desprez-ratios.csv", "kalns-ni-ratios.csv")


def main(folder):
    lines = ["# Results", "",
             "What was measured with the programs of this folder, on what, and how to repeat it: `TIMING/measure` "
             "writes this page from the CSV files of [results](results).", "", *computer(folder)]
    missing = []
    for name, write, file in SECTIONS:
        if present(folder, file):
            lines += write(folder)
        else:
            missing.append(f"*Not measured: {name} ({file}).*")
    if any(present(folder, name) for name in PAPERS):
        lines += papers(folder)
    else:
        missing.append("*Not measured: the papers' experiments.*")
    print("\n".join(lines + [line for name in missing for line in (name, "")]).rstrip())


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
