# SPDX-License-Identifier: BSD-3-Clause
"""What the pages say of Kalns & Ni 1995. The numbers, and the choice between sentences, come from the CSV files."""
import statistics

from markdown import plot, short, table
from records import records


LESS = "it took less time in all cases; the text has no numbers"
FIGURES = {17: ("8x1", "(BLOCK, *) to (CYCLIC(b/2), *): it took roughly 60 % of the time"),
           18: ("4x3", f"(BLOCK, BLOCK) to (CYCLIC(b/6), CYCLIC(b/6)): {LESS}"),
           19: ("6x4", f"(BLOCK, BLOCK) to (CYCLIC(b/8), CYCLIC(b/8)): {LESS}")}


def ratios(folder):
    measured, runs = records(folder / "kalns-ni-ratios.csv"), records(folder / "kalns-ni.csv")
    lines = ["## Kalns & Ni 1995, figures 17, 18 and 19: relabelled processes", "",
             "**Then**: IBM SP at Argonne, MPI-F; up to 91 million elements of 4 bytes. **Here**: a simulated SP-1 and "
             "a simulated cluster, where only messages take time, and this computer with more processes than cores; "
             "matrices of up to 90 million elements. Ratios are those of the optimal mapping to the traditional one: "
             "of the elements that travel, of those that the busiest process receives, and of the times. For the times "
             "they are the least and the largest over the sizes and, on this computer, the median over the sizes from "
             "a million elements on."]
    rows, closing = [], []
    for figure, (grid, then) in FIGURES.items():
        kept = {x["mapping"]: x["kept"] for x in runs if x["grid"] == grid}
        of = lambda network: [x["optimal"] for x in measured if x["grid"] == grid and x["network"] == network]
        large = [x["optimal"] for x in measured
                 if x["grid"] == grid and x["network"] == "here" and x["elements"] >= 1e6]
        span = lambda values: f"{short(min(values))} to {short(max(values))}" if values else "-"
        lines += ["", f"Figure {figure}, {grid} processes, then: {then}."]
        travels, busiest = next((x["moved"], x["busiest"]) for x in measured if x["grid"] == grid)
        rows.append([figure, grid, short(kept["traditional"]), short(kept["optimal"]), short(travels), short(busiest),
                     span(of("sp-1")), span(of("cluster")), short(statistics.median(large)) if large else "-"])
        if of("sp-1"):
            closing.append((figure, travels, busiest, statistics.median(of("sp-1"))))
    lines += table(["fig.", "processes", "stays, traditional", "stays, optimal", "travels",
                    "busiest", "time, SP-1", "time, cluster", "time, here"], rows)
    lines += ["**Why they differ**:", ""]
    for figure, travels, busiest, time in closing:
        lines.append(f"- Figure {figure}: with the optimal mapping {short(travels)} times as many elements travel, and "
                     f"{short(busiest)} times as many to the process that receives most; the simulated SP-1 takes "
                     f"{short(time)} of the time (median), " +
                     ("as expected from the busiest process." if abs(time - busiest) <= 0.03
                      else "less than expected from the busiest process." if time < busiest
                      else "more than expected from the busiest process."))
    lines += ["- Packing and the copies of the elements that stay are part of the times of the paper and of this "
              "computer. They are not part of the simulated times, whose ratios are those of the network alone.",
              "- In memory a message costs no more than one or two copies, and the processes take turns on fewer "
              "cores, so these measurements are noisy.", ""]
    for figure in FIGURES:
        lines += plot(folder, f"kalns-ni-{figure}", f"Figure {figure}")
    return lines
