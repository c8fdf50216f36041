"""What the pages say of Kalns & Ni 1995. Figures and the choice of sentences come from CSV files."""
import statistics

from markdown import plot, short, table
from records import records


FIGURES = {17: ("8x1", "(BLOCK, *) to (CYCLIC(b/2), *): roughly 60 % of the time"),
            18: ("4x3",
                 "(BLOCK, BLOCK) to (CYCLIC(b/6), CYCLIC(b/6)): less time in all cases; the text has no figures"),
            19: ("6x4",
                 "(BLOCK, BLOCK) to (CYCLIC(b/8), CYCLIC(b/8)): less time in all cases; the text has no figures")}


def ratios(folder):
    measured, runs = records(folder / "kalns-ni-ratios.csv"), records(folder / "kalns-ni.csv")
    lines = ["## Kalns & Ni 1995, figures 17, 18 and 19: relabelled processes", "",
             "**Then**: IBM SP at Argonne, MPI-F; 4-byte elements, up to 91 million. **Here**: a simulated SP-1 and "
             "a cluster, of which only messages take time, and this computer with more processes than cores; "
             "matrices up to 90 million elements. Least and largest ratio over the sizes; on this computer the "
             "median of those from a million elements on."]
    rows, closing = [], []
    for figure, (grid, then) in FIGURES.items():
        kept = {x["mapping"]: x["kept"] for x in runs if x["grid"] == grid}
        of = lambda network: [x["optimal"] for x in measured if x["grid"] == grid and x["network"] == network]
        large = [x["optimal"] for x in measured
                 if x["grid"] == grid and x["network"] == "here" and x["elements"] >= 1e6]
        span = lambda values: f"{short(min(values))} to {short(max(values))}" if values else "-"
        lines += ["", f"Figure {figure}, {grid} processes, {then}."]
        travels, busiest = next((x["moved"], x["busiest"]) for x in measured if x["grid"] == grid)
        rows.append([figure, grid, short(kept["traditional"]), short(kept["optimal"]), short(travels), short(busiest),
                     span(of("sp-1")), span(of("cluster")), short(statistics.median(large)) if large else "-"])
        if of("sp-1"):
            closing.append((figure, travels, busiest, statistics.median(of("sp-1"))))
    lines += table(["figure", "processes", "stays, traditional", "stays, optimal", "travels, optimal / traditional",
                    "of the busiest", "time, SP-1", "time, cluster", "time, this computer"], rows)
    lines += ["**Why they differ**:", ""]
    for figure, travels, busiest, time in closing:
        lines.append(f"- Figure {figure}: with the optimal mapping {short(travels)} times as many elements travel, "
                     f"{short(busiest)} times as many to the process that gets most; the simulated SP-1 takes "
                     f"{short(time)} of the time (median): " +
                     ("as the busiest process says." if abs(time - busiest) <= 0.03
                      else "less than the busiest process says." if time < busiest
                      else "more than the busiest process says."))
    lines += ["- Packing and the copies of what stays are part of the paper's times and of this computer's, "
              "but not of the simulated ones, whose ratios are of the network alone.",
              "- In memory a message costs no more than a copy or two, and more processes than cores take turns: "
              "the measure is noisy.", ""]
    for figure in FIGURES:
        lines += plot(folder, f"kalns-ni-{figure}", f"Figure {figure}")
    return lines
