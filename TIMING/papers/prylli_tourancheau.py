"""What the pages say of Prylli & Tourancheau 1996. Figures and the choice of sentences come from CSV files."""
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
             "**Then**: a workstation; two strategies of finding which elements go from one process to another, "
             "against the root of the product of both block sizes: scanning blocks, which wins for blocks of "
             "reasonable length, and computing the pattern element by element, which wins for very small ones.", "",
             f"**Here**: this computer, one dimension of {rows[0]['n']} elements, {rows[0]['processes']} processes "
             "before and after, one process's share with each of the others; microseconds, medians. `scalapack`: "
             "its own scan (all blocks); `pairs`: the paper's proposition 1; `runs`: what this library walks while "
             "packing; `shares`: what it plans with, the lengths alone, one period."]
    lines += table(["mean block size", "pairs of sizes", *strategies], shown)
    wins = [median("pairs", *b) < median("scalapack", *b) for b in bins]
    lines.append("**Why they differ**: " + (
        "as in the paper, computing the pattern wins for the smallest blocks and loses for larger ones."
        if wins[0] and not wins[-1] else "unlike the paper's, one strategy wins at both ends of the table."))
    over = statistics.median(median("runs", *b) / median("scalapack", *b) for b in bins)
    lines.append(f"The library's walk takes {short(over)} times ScaLAPACK's scan (median of the table's lines)" +
                 (": it stores nothing, and finds each run by its own arithmetic." if over > 1 else "."))
    lines += ["The lengths need one period only, so that planning does not grow with the matrix; the scan does.", ""]
    return lines + plot(folder, "scanning", "Scanning against block size")


def lu(folder):
    factorised, moved = records(folder / "lu.csv"), records(folder / "lu-redistribution.csv")
    mean = lambda n, name: statistics.mean(x["median_s"] for x in moved if x["m"] == n and x["algorithm"] == name)
    rows, gains = [], []
    for n in sorted({x["n"] for x in factorised} & {x["m"] for x in moved}):
        best = min((x["median_s"], x["block"]) for x in factorised if x["n"] == n)
        theirs, ours = mean(n, "scalapack"), mean(n, "drop-in")
        gains.append((best[0] / theirs, best[0] / ours))
        rows.append([n, short(1e3 * best[0]), best[1], short(1e3 * theirs), short(1e3 * ours),
                     short(gains[-1][0]), short(gains[-1][1])])
    lines = ["## Prylli & Tourancheau 1996, figure 4: redistribution against LU", "",
             "**Then**: a LAN of SUN workstations under PVM and a Cray T3D, matrices up to 1000 x 1000, "
             "random distributions; on the LAN (an axis to more than 50 s) LU is by far more costly than "
             "redistribution; on the T3D (to 0.1 s) variants of the exchange are compared.", "",
             "**Here**: four processes of this computer, the same matrix sizes and 2000; the best PDGETRF of several "
             f"block sizes, the mean of {len({x['case'] for x in moved}) // max(1, len({x['m'] for x in moved}))} "
             "random pairs of distributions; milliseconds."]
    lines += table(["n", "LU", "its block", "ScaLAPACK's PDGEMR2D", "xredist", "LU / ScaLAPACK's", "LU / xredist"],
                   rows)
    theirs, ours = zip(*gains)
    lines.append(f"**Why they differ**: LU takes {short(min(theirs))} to {short(max(theirs))} times as long as "
                 f"ScaLAPACK's redistribution, {short(min(ours))} to {short(max(ours))} times as long as xredist's: " +
                 ("by far more here too." if min(theirs + ours) > 3 else "not by far more at all sizes."))
    lines += ["Messages go through the memory of one computer, not through a network: a redistribution is little "
              "more than its copies.", ""]
    return lines + plot(folder, "lu", "Redistribution and LU against the matrix size")
