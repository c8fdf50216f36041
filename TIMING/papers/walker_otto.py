# SPDX-License-Identifier: BSD-3-Clause
"""What the pages say of Walker & Otto 1996. The numbers, and the choice between sentences, come from the CSV files."""
import pathlib
import statistics

from markdown import plot, short, table
from records import records


def times(rows):
    return {(x["network"], x["processes"], x["factor"], x["variant"]): x["median_s"] for x in rows}


def figures(folder):
    here = times(records(folder / "walker-otto.csv"))
    lines = ["## Walker & Otto 1996, figures 11 and 12: r -> K r", "",
             "**Then**: IBM SP-1 (Argonne) and Intel Paragon (Oak Ridge), MPICH 1.0.7; blocks of 4 ints, 800 on each "
             "process. In the simple order, whose times jump with K, posting all receives first (unsynchronised) is up "
             "to three times as fast as one message at a time (synchronised). A random order is smoother and faster, "
             "but not quite as fast as unsynchronised. The optimal order is comparable to unsynchronised; so is "
             "MPI_Sendrecv in that order, which is the best of all on the Paragon.", "",
             "**Here**: the same five variants on simulated machines (`machines.dat`), and with few processes in the "
             "memory of this computer. The first table has times in milliseconds, the second the largest ratios to "
             "unsynchronised over all K."]
    rows, worst = [], []
    others = [v for v in VARIANTS if v != "unsynchronised"]
    for network, processes in sorted({key[:2] for key in here}):
        factors = sorted({key[2] for key in here if key[:2] == (network, processes) and key[2] > 0})
        at = lambda k, variant: here[network, processes, k, variant]
        shown = [k for k in (2, 20) if k in factors]
        rows += [[network, processes, k] + [short(1e3 * at(k, v)) for v in VARIANTS] for k in shown]
        worst.append([network, processes] + [short(max(at(k, v) / at(k, "unsynchronised") for k in factors))
                                             for v in others])
    lines += table(["machine", "processes", "K", *VARIANTS], rows)
    lines += table(["machine", "processes", *others], worst)
    lines += claims(here)
    for network in sorted({key[0] for key in here}):
        lines += plot(folder, f"walker-otto-{network}", f"Time against K, {network}")
    return lines


VARIANTS = ("synchronised", "unsynchronised", "random", "optimal", "sendrecv")


def largest(here, network, variant):
    return max(here[n, p, k, variant] / here[n, p, k, "unsynchronised"]
               for n, p, k, v in here if n == network and k > 0 and v == variant)


def claims(here):
    networks = {key[0] for key in here}
    lines = ["**Why they differ**:", ""]
    for network in sorted(networks & {"sp-1", "paragon", "cluster"}):
        synchronised, optimal, sendrecv = (largest(here, network, v) for v in ("synchronised", "optimal", "sendrecv"))
        lines.append(f"- {network}: the synchronised simple order takes up to {short(synchronised)} times as long as "
                     "the unsynchronised one" + (" (in the paper up to three times)" if network == "sp-1" else "") +
                     f". The optimal order takes at most {short(optimal)} times as long, and with MPI_Sendrecv "
                     f"{short(sendrecv)} times: " +
                     ("with buffers for one message, the schedule achieves what otherwise needs buffers for all "
                      "messages."
                      if max(optimal, sendrecv) < 1.25
                      else "one message at a time waits for the network in each step, "
                           "whereas all messages at once wait only once."))
    if "sp-1" in networks:
        lines.append("- All processes that send to a simulated port share it ideally: processes wait for each other, "
                     "but a hot spot takes no more time than its bytes. So all that the simple order loses is "
                     "waiting time.")
    if "here" in networks:
        synchronised, optimal = (largest(here, "here", v) for v in ("synchronised", "optimal"))
        lines.append(f"- In memory there are no ports: synchronised takes up to {short(synchronised)} times as long as "
                     f"unsynchronised, and in the optimal order up to {short(optimal)} times; " +
                     ("the order hardly matters." if synchronised < 1.5 * optimal else "even so the order matters."))
    return lines + [""]


def paper_table():
    return {(x["network"], x["processes"], x["factor"], x["variant"]): x["milliseconds"]
            for x in records(pathlib.Path(__file__).parent / "walker-otto-table-1.csv")}


# The entries that machines.dat is derived from.
CALIBRATION = {(64, 0, "bcast"), (3, 2, "sendrecv"), (3, 20, "sendrecv")}


def table_1(folder):
    here, paper = times(records(folder / "walker-otto.csv")), paper_table()
    keys = [key for key in paper if key in here]
    if not keys:
        return []
    rows, ratios = [], []
    for network, processes, factor, variant in keys:
        then, now = paper[network, processes, factor, variant], 1e3 * here[network, processes, factor, variant]
        known = (processes, factor, variant) in CALIBRATION
        ratios += [] if known else [now / then]
        rows.append([network, variant if factor == 0 else f"{variant}, K = {factor}", processes, then, short(now),
                     short(now / then), "used for calibration" if known else ""])
    slower = {key[1]: paper[key] / paper[key[0], key[1], 0, "alltoall"]
              for key in paper if key[2] == 2 and key[1] in (3, 10) and key[0] == "sp-1"}
    ethernet = 12800 * 8 / 10e6 * 1e3
    lines = ["## Walker & Otto 1996, table 1: comparison with broadcast and all-to-all", "",
             "Times **then** and **here** in milliseconds; those here are simulated."]
    lines += table(["machine", "operation", "processes", "then", "here", "here / then", ""], rows)
    lines += ["**Why they differ**: three entries of each machine determine its message cost, rate and packing cost. "
              f"The {len(ratios)} others are predicted: here / then is between {short(min(ratios))} and "
              f"{short(max(ratios))}, median {short(statistics.median(ratios))}. In the paper, times rise a little "
              "with P at equal K; a switch that never blocks does not show this. Here, broadcasts go down a binomial "
              "tree, and all-to-all is one message to each process.", "",
              "Two statements of the paper do not fit its table. The messages of the SP-1 are said to have gone over "
              f"Ethernet; but 12800 bytes take {short(ethernet)} ms on an Ethernet of 10 Mbit/s, and the table has "
              f"{paper['sp-1', 64, 0, 'bcast']} ms for sending them to 64 processes. Redistribution for K = 2 is said "
              "to be three times slower than all-to-all for 3 and 10 processes of the SP-1; in the table it is " +
              f"{short(slower[3])} and {short(slower[10])} times slower.", ""]
    return lines + plot(folder, "walker-otto-table-1", "Table 1")
