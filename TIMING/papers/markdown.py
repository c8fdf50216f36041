# SPDX-License-Identifier: BSD-3-Clause
"""The pages and their pieces: numbers, tables, plots, the computer, lines of bounded length."""
import textwrap

from records import records


def short(x, digits=3):
    """A number with so many significant digits, never in scientific notation."""
    text = f"{x:.{digits}g}"
    return f"{float(text):.0f}" if "e" in text else text


def table(header, rows):
    lines = ["| " + " | ".join(map(str, row)) + " |" for row in [header, ["---"] * len(header), *rows]]
    return ["", *lines, ""]


def plot(folder, name, what):
    return [f"![{what}]({name}.svg)", ""] if (folder / f"{name}.svg").exists() else []


def wrapped(lines):
    """Breaks lines of prose after 120 columns; tables, headings, plots and commands stay as they are."""
    for line in lines:
        if line.startswith(("|", "#", "!", "    ")) or len(line) <= 120:
            yield line
        else:
            yield from textwrap.wrap(line, 120, subsequent_indent="  " if line.startswith("- ") else "",
                                     break_long_words=False, break_on_hyphens=False)


def present(folder, *names):
    return all((folder / name).exists() and (folder / name).stat().st_size > 0 for name in names)


def page(head, sections, folder):
    """Prints the page: its head, then each of the sections (name, function, files it is written from)."""
    lines = list(head)
    for name, write, *files in sections:
        lines += write(folder) if present(folder, *files) else [f"*Not measured: {name} ({', '.join(files)}).*", ""]
    print("\n".join(wrapped(lines)).rstrip())


def computer(folder, name="machine.csv"):
    if not present(folder, name):
        return []
    facts = {x["fact"]: x["value"] for x in records(folder / name)}
    return [f"This computer: {facts['processor']}, {facts['cores of a node']} cores, {facts['system']}; "
            f"{facts['MPI']}; xredist {facts['xredist']}, {facts['compiler']}.", ""]
