"""What the pages say of Desprez et al. 1998. Figures and the choice of sentences come from CSV files."""
from markdown import plot, short, table
from records import records


# What the text of the paper states.
FIGURES = {2: ("16/3:16/5", "7/16 in theory; reached for 1200 doubles, 0.56 to 0.64 for longer vectors"),
           3: ("16/7:16/11", "77/112 in theory; never below 0.86"),
           4: ("12/4:8/3", "4/12 in theory, 4/6 as half of the caterpillar's steps are empty; close to 0.6")}


def ratios(folder):
    whole = records(folder / "desprez-ratios.csv")
    on_shifted = [x for x in whole if x["to"] == "shifted"]
    lines = ["## Desprez et al. 1998, figures 2, 3 and 4: optimal schedules against the caterpillar", "",
             "**Then**: Intel Paragon, MPI, packed messages, one step after the other. The caterpillar of this "
             "paper, by its counts of full and empty steps, is `shifted` here: in step d process p sends to p + d. "
             "**Here**: simulated machines, each at one switch and as a torus; `theory` is alpha S + beta T, "
             "messages and elements of the busiest process of each step."]
    rows, faithful = [], []
    for figure, (case, then) in FIGURES.items():
        of = [x for x in on_shifted if x["case"] == case]
        for network in sorted({x["network"] for x in of}):
            on = sorted((x for x in of if x["network"] == network), key=lambda x: x["elements"])
            if network == "paragon-crossbar":
                faithful.append((figure, on[0]["optimal"], on[-1]["optimal"], on[-1]["theory"]))
            for x in (on[0], on[-1]):
                rows.append([figure, case, network, x["elements"], x["optimal"], x["theory"], x["library"]])
        lines += ["", f"Figure {figure}, {case}: then {then}."]
    lines += table(["figure", "case", "machine", "elements", "optimal / caterpillar", "theory",
                    "xredist / caterpillar"], rows)
    lines += ["**Why they differ**:", ""]
    if faithful and faithful[0][1] > faithful[0][2]:
        lines.append("- The paper's ratio of figure 2 grows with the vector, here it falls: short messages cost "
                     "their sender and their receiver a time of their own, and these overlap across steps, where "
                     "the theory and the paper's short vectors pay whole steps.")
    for figure, small, large, theory in faithful:
        lines.append(f"- Figure {figure}, Paragon at one switch: {short(small)} for the shortest vector and "
                     f"{short(large)} for the longest, " +
                     (f"above the theory's {short(theory)}" if large > 1.02 * theory
                      else f"as the theory's {short(theory)}" if large > 0.98 * theory
                      else f"below the theory's {short(theory)}") + ".")
    lines.append("- Without barriers a process goes on as soon as its own message is through: empty steps cost "
                 "nothing, and both orders drift, the optimal one into ports that are still busy. The paper puts "
                 "what it misses down to contention; here one switch without any contention inside shows " +
                 ("the same kind of loss" if any(x[2] > 1.02 * x[3] for x in faithful) else "no such loss") +
                 ", which therefore need not be the mesh's.")
    lines.append("- Up to 64 KiB a simulated message is sent whether its receiver waits or not, beyond only when it "
                 "does: with vectors of a million elements and more, curves may step.")
    library = [x["library"] / x["optimal"] for x in on_shifted]
    lines.append(f"- The library overlaps steps as far as its buffer and its permits allow: {short(min(library))} to "
                 f"{short(max(library))} of the time of its own optimal schedule run step by step.")
    lines.append("")
    for figure in FIGURES:
        lines += plot(folder, f"desprez-{figure}", f"Figure {figure}")
    return lines
