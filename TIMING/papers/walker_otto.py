"""What the pages say of Walker & Otto 1996. Figures and the choice of sentences come from CSV files."""
import pathlib
import statistics

from markdown import plot, short, table
from records import records


def times(rows):
    return {(x["network"], x["processes"], x["factor"], x["variant"]): x["median_s"] for x in rows}


def figures(folder):
    here = times(records(folder / "walker-otto.csv"))
    lines = ["## Walker & Otto 1996, figures 11 and 12: r -> K r", "",
             "**Then**: IBM SP-1 (Argonne) and Intel Paragon (Oak Ridge), MPICH 1.0.7; blocks of 4 ints, 800 of each "
             "process. Posting all receives first (unsynchronised) is up to three times as fast as one at a "
             "time (synchronised) in the simple order, whose times jump with K; a random order is smoother and "
             "faster, not quite as fast as unsynchronised; the optimal order is comparable to unsynchronised; "
             "MPI_Sendrecv in that order too, on the Paragon the best of all.", "",
             "**Here**: the same five variants on simulated machines (`machines.dat`), and with few processes in the "
             "memory of this computer. Milliseconds; the last columns: over all K, the largest ratio to "
             "unsynchronised."]
    rows = []
    for network, processes in sorted({key[:2] for key in here}):
        factors = sorted({key[2] for key in here if key[:2] == (network, processes) and key[2] > 0})
        at = lambda k, variant: here[network, processes, k, variant]
        shown = [k for k in (2, 20) if k in factors]
        worst = [max(at(k, v) / at(k, "unsynchronised") for k in factors)
                 for v in ("synchronised", "random", "optimal", "sendrecv")]
        for k in shown:
            rows.append([network, processes, k] + [short(1e3 * at(k, v)) for v in VARIANTS] +
                        ([short(x) for x in worst] if k == shown[0] else [""] * 4))
    lines += table(["machine", "processes", "K", *VARIANTS, "synchr.", "random", "optimal", "sendrecv"], rows)
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
                     "the unsynchronised one" + (" (the paper: up to three)" if network == "sp-1" else "") +
                     f"; the optimal order at most {short(optimal)} times, "
                     f"with MPI_Sendrecv {short(sendrecv)} times: " +
                     ("the schedule gives with buffers for one message what else takes buffers for all."
                      if max(optimal, sendrecv) < 1.25
                      else "one message at a time waits for the network in each step, "
                           "which all at once does only once."))
    if "sp-1" in networks:
        lines.append("- A simulated port is shared ideally among all that send to it: processes wait for each other "
                     "here, but hot spots cost no more than their bytes. The simple order's losses are all waiting.")
    if "here" in networks:
        synchronised, optimal = (largest(here, "here", v) for v in ("synchronised", "optimal"))
        lines.append(f"- In memory nothing has ports: synchronised takes up to {short(synchronised)} times as long "
                     f"as unsynchronised, in the optimal order up to {short(optimal)}; " +
                     ("the order hardly matters." if synchronised < 1.5 * optimal else "the order matters even so."))
    return lines + [""]


def paper_table():
    return {(x["network"], x["processes"], x["factor"], x["variant"]): x["milliseconds"]
            for x in records(pathlib.Path(__file__).parent / "walker-otto-table-1.csv")}


# What machines.dat is derived from.
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
                     short(now / then), "derived from it" if known else ""])
    slower = {key[1]: paper[key] / paper[key[0], key[1], 0, "alltoall"]
              for key in paper if key[2] == 2 and key[1] in (3, 10) and key[0] == "sp-1"}
    ethernet = 12800 * 8 / 10e6 * 1e3
    lines = ["## Walker & Otto 1996, table 1: beside broadcast and all-to-all", "",
             "**Then** and **here**, milliseconds (here simulated):"]
    lines += table(["machine", "operation", "processes", "then", "here", "here / then", ""], rows)
    lines += ["**Why they differ**: three entries of each machine give its message cost, rate and packing cost; "
              f"the {len(ratios)} others are predicted, here / then from {short(min(ratios))} to "
              f"{short(max(ratios))}, median {short(statistics.median(ratios))}. Their times rise a little with P at "
              "equal K, which one switch that never blocks does not show. Broadcasts go down a binomial tree, "
              "all-to-all is one message to each.", "",
              f"Two things in the paper do not fit its table: 12800 bytes take {short(ethernet)} ms on an Ethernet "
              "of 10 Mbit/s, and the SP-1's messages are said to have gone over Ethernet, but "
              f"{paper['sp-1', 64, 0, 'bcast']} ms are measured for sending them to 64 processes; and redistribution "
              "for K = 2 is not three times slower than all-to-all for 3 and 10 processes of the SP-1, but " +
              f"{short(slower[3])} and {short(slower[10])} times.", ""]
    return lines + plot(folder, "walker-otto-table-1", "Table 1")
