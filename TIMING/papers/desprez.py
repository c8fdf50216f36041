# SPDX-License-Identifier: BSD-3-Clause
"""What the pages say of Desprez et al. 1998. The numbers, and the choice between sentences, come from the CSV files."""
from markdown import plot, short, table
from records import records


# What the text of the paper states.
FIGURES = {2: ("16/3:16/5", "7/16 in theory, as measured for 1200 doubles; it was 0.56 to 0.64 for longer vectors"),
           3: ("16/7:16/11", "77/112 in theory; it was never below 0.86"),
           4: ("12/4:8/3", "4/12 in theory, 4/6 if the caterpillar's empty steps are left out; it was close to 0.6")}


def ratios(folder):
    whole = records(folder / "desprez-ratios.csv")
    on_shifted = [x for x in whole if x["to"] == "shifted"]
    lines = ["## Desprez et al. 1998, figures 2, 3 and 4: optimal schedules against the caterpillar", "",
             "**Then**: Intel Paragon, MPI, packed messages, one step after the other. The numbers of full and empty "
             "steps show that the caterpillar of this paper is what is called `shifted` here: in step d, process p "
             "sends to p + d. **Here**: simulated machines, each with one switch and as a torus. `theory` is alpha S + "
             "beta T, from the messages and the elements of the busiest process of each step."]
    rows, faithful = [], []
    for figure, (case, then) in FIGURES.items():
        of = [x for x in on_shifted if x["case"] == case]
        for network in sorted({x["network"] for x in of}):
            on = sorted((x for x in of if x["network"] == network), key=lambda x: x["elements"])
            if network == "paragon-crossbar":
                faithful.append((figure, on[0]["optimal"], on[-1]["optimal"], on[-1]["theory"]))
            for x in (on[0], on[-1]):
                rows.append([figure, case, network, x["elements"], x["optimal"], x["theory"], x["library"]])
        lines += ["", f"Figure {figure}, {case}: the ratio then was {then}."]
    lines += table(["figure", "case", "machine", "elements", "optimal / caterpillar", "theory",
                    "xredist / caterpillar"], rows)
    lines += ["**Why they differ**:", ""]
    if faithful and faithful[0][1] > faithful[0][2]:
        lines.append("- The ratio of figure 2 grows with the vector in the paper; here it falls. A short message costs "
                     "its sender and its receiver a time each, and here these times overlap across steps, whereas in "
                     "the theory and with the short vectors of the paper each step takes its whole time.")
    for figure, small, large, theory in faithful:
        lines.append(f"- Figure {figure}, Paragon with one switch: {short(small)} for the shortest vector and "
                     f"{short(large)} for the longest, " +
                     (f"which is more than the {short(theory)} of the theory" if large > 1.02 * theory
                      else f"which is the {short(theory)} of the theory" if large > 0.98 * theory
                      else f"which is less than the {short(theory)} of the theory") + ".")
    contention = any(x[2] > 1.02 * x[3] for x in faithful)
    lines.append("- Without barriers a process continues as soon as its own message has arrived. So empty steps cost "
                 "nothing, and in both orders processes get out of step; in the optimal one they meet ports that are "
                 "still busy. The paper attributes its losses to contention in the mesh. Here one switch without "
                 "contention inside shows " + ("losses of the same kind, so that the mesh need not be their cause."
                                               if contention else "no such losses."))
    lines.append("- A simulated message of up to 64 KiB is sent whether its receiver waits or not, a longer one only "
                 "when it waits. So curves may have a step at vectors of a million elements and more.")
    library = [x["library"] / x["optimal"] for x in on_shifted]
    lines.append("- The library overlaps steps as far as its buffer and its permits allow. It takes "
                 f"{short(min(library))} to {short(max(library))} of the time that its own optimal schedule takes step "
                 "by step.")
    lines.append("")
    for figure in FIGURES:
        lines += plot(folder, f"desprez-{figure}", f"Figure {figure}")
    return lines
