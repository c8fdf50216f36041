# SPDX-License-Identifier: BSD-3-Clause
"""What the pages say of Prylli & Tourancheau 1996. All numbers, and the choice of sentences, are from the CSV files."""
import statistics

from markdown import plot, short, table
from records import records


BINS = ((1, 4), (4, 16), (16, 64), (64, 1e9))


def scanning(folder):
    rows = records(folder / "scanning.csv")
    strategies = ("scalapack", "pairs", "runs", "shares")
    median = lambda name, low, high: statistics.median(
        x["nanoseconds"] for x in rows if x["strategy"] == name and low <= x["mean_block"] < high)
    bins = [(low, high) for low, high in BINS if any(low <= x["mean_block"] < high for x in rows)]
    shown = [[f"{low} to {high}" if high < 1e9 else f"from {low}",
              sum(low <= x["mean_block"] < high for x in rows) // len(strategies)] +
             [short(median(name, low, high) / 1e3) for name in strategies] for low, high in bins]
    lines = ["## Prylli & Tourancheau 1996, figure 3: scanning", "",
             "**Then**: a workstation. Two strategies find which elements go from one process to another: scanning "
             "blocks is faster for blocks of reasonable length, computing the pattern element by element is faster for "
             "very small ones. Times are plotted against the root of the product of both block sizes.", "",
             f"**Here**: this computer, one dimension of {rows[0]['n']} elements, {rows[0]['processes']} processes "
             "before and after. Times are medians in microseconds, for what one process shares with each of the "
             "others. `scalapack` is ScaLAPACK's own scan of all blocks; `pairs` is proposition 1 of the paper; `runs` "
             "is the walk by which this library packs; `shares` finds the lengths alone, over one period, to plan."]
    lines += table(["mean block size", "pairs of sizes", *strategies], shown)
    wins = [median("pairs", *b) < median("scalapack", *b) for b in bins]
    lines.append("**Why they differ**: " + (
        "as in the paper, computing the pattern is faster for the smallest blocks and slower for larger ones."
        if wins[0] and not wins[-1] else "unlike in the paper, one strategy is faster at both ends of the table."))
    over = statistics.median(median("runs", *b) / median("scalapack", *b) for b in bins)
    lines.append(f"The library's walk takes {short(over)} times as long as ScaLAPACK's scan (median over the rows of "
                 "the table)" + (", because it stores nothing and computes each run." if over > 1 else "."))
    lines += ["The lengths need only one period, so the time for planning does not grow with the matrix, as that of "
              "the scan does.", ""]
    return lines + plot(folder, "scanning", "Scanning against block size")


def lu_times(folder):
    """For each size: the best time of LU and its block size, the mean times of both redistributions."""
    factorised, moved = records(folder / "lu.csv"), records(folder / "lu-redistribution.csv")
    mean = lambda n, name: statistics.mean(x["median_s"] for x in moved if x["m"] == n and x["algorithm"] == name)
    for n in sorted({x["n"] for x in factorised} & {x["m"] for x in moved}):
        best, block = min((x["median_s"], x["block"]) for x in factorised if x["n"] == n)
        yield n, best, block, mean(n, "scalapack"), mean(n, "drop-in")


def lu(folder):
    cases = records(folder / "lu-redistribution.csv")
    times = list(lu_times(folder))
    rows = [[n, short(1e3 * best), block, short(1e3 * theirs), short(1e3 * ours), short(best / theirs),
             short(best / ours)] for n, best, block, theirs, ours in times]
    lines = ["## Prylli & Tourancheau 1996, figure 4: redistribution against LU", "",
             "**Then**: a LAN of SUN workstations under PVM, and a Cray T3D; matrices up to 1000 x 1000, "
             "random distributions. On the LAN (the plot goes to more than 50 s) LU is by far more costly than "
             "redistribution; on the T3D (to 0.1 s) variants of the exchange are compared.", "",
             "**Here**: four processes of this computer, the same matrix sizes and 2000. Times are in milliseconds: "
             "for LU the best PDGETRF of several block sizes, for redistribution the mean of "
             f"{len({x['case'] for x in cases}) // max(1, len({x['m'] for x in cases}))} "
             "random pairs of distributions."]
    lines += table(["n", "LU", "its block size", "ScaLAPACK's PDGEMR2D", "xredist", "LU / ScaLAPACK's", "LU / xredist"],
                   rows)
    theirs = [best / moved for _, best, _, moved, _ in times]
    ours = [best / moved for _, best, _, _, moved in times]
    lines.append(f"**Why they differ**: LU takes {short(min(theirs))} to {short(max(theirs))} times as long as "
                 f"ScaLAPACK's redistribution, and {short(min(ours))} to {short(max(ours))} times as long as "
                 "xredist's; " +
                 ("so it is by far more costly here too." if min(theirs + ours) > 3
                  else "so it is not by far more costly at all sizes."))
    lines += ["Messages go through the memory of one computer, not through a network, so a redistribution costs little "
              "more than its copies.", ""]
    return lines + plot(folder, "lu", "Redistribution and LU against the matrix size")
