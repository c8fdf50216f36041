"""Pieces of the pages: numbers, tables, plots, the computer."""
from records import records


def short(x, digits=3):
    """So many significant digits, none of them in scientific notation."""
    text = f"{x:.{digits}g}"
    return f"{float(text):.0f}" if "e" in text else text


def table(header, rows):
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in [header, ["---"] * len(header), *rows]]
    return ["", *lines, ""]


def plot(folder, name, what):
    return [f"![{what}]({name}.svg)", ""] if (folder / f"{name}.svg").exists() else []


def present(folder, *names):
    return all((folder / name).exists() and (folder / name).stat().st_size > 0 for name in names)


def computer(folder):
    if not present(folder, "machine.csv"):
        return []
    facts = {x["fact"]: x["value"] for x in records(folder / "machine.csv")}
    return [f"This computer: {facts['processor']}, {facts['cores of a node']} cores, {facts['system']}; "
            f"{facts['MPI']}; xredist {facts['xredist']}, {facts['compiler']}.", ""]
