# SPDX-License-Identifier: BSD-3-Clause
"""Compares the results of two runs of xredist-try: prints a table, and writes a page with both runs side by side."""
import argparse
import html
import json
import os
import pathlib
import re
import sys

BEGIN, END = '<script type="application/json" id="data">', "</script>"
WHICH = ("own", "xredist")


def results_of(name):
    """Returns the results that --json or --html has written to a file."""
    try:
        text = pathlib.Path(name).read_text(encoding="utf-8")
        if BEGIN in text:
            text = text.split(BEGIN, 1)[1].split(END, 1)[0]
        found = json.loads(text)
        if "rows" not in found:
            raise ValueError("no results of one run")
        found["rows"][0]["xredist"]["seconds"]
    except (OSError, ValueError, LookupError, TypeError) as error:
        sys.exit(f"xredist-try: --compare: {name}: {error}")
    return found


def shape(x):
    mb, nb = (f"{-k} cuts" if k < 0 else k for k in (x["mb"], x["nb"]))
    return f"{mb} x {nb} on {x['nprow']} x {x['npcol']}"


def key(row):
    return row["routine"], f"{row['m']} x {row['n']}", shape(row["a"]), shape(row["b"])


def seconds(row, which):
    return row[which]["seconds"] if row and which in row else None


def cells(row_a, row_b):
    """Returns seconds of both runs for each routine, and the ratio of B's seconds to A's."""
    texts = []
    for which in WHICH:
        a, b = seconds(row_a, which), seconds(row_b, which)
        texts += [f"{x:.6f}" if x is not None else "-" for x in (a, b)]
        texts.append(f"{b / a:.3f}" if a and b is not None else "-")
    return texts


def lines_of(runs):
    """Returns the lines of a table with a row for each case, the one with the most seconds first, and the total."""
    by_key = [{key(row): row for row in run["rows"][1:] if row["calls"]} for run in runs]
    all_keys = list(dict.fromkeys([*by_key[0], *by_key[1]]))
    all_keys.sort(key=lambda k: -sum(seconds(of.get(k), which) or 0 for of in by_key for which in WHICH))
    table = [["routine", "m x n", "blocks and grid of A", "of B", "own s A", "own s B", "B / A", "xredist s A",
              "xredist s B", "B / A"]]
    table += [[*k, *cells(by_key[0].get(k), by_key[1].get(k))] for k in all_keys]
    table.append(["total", "", "", "", *cells(runs[0]["rows"][0], runs[1]["rows"][0])])
    widths = [max(map(len, column)) for column in zip(*table)]
    for row in table:
        yield "  ".join(text.ljust(width) if k < 4 else text.rjust(width)
                        for k, (text, width) in enumerate(zip(row, widths))).rstrip()
    for letter, run in zip("AB", runs):
        parts = [f"{name} {100 * seconds(run['rows'][0], which) / run['run_seconds']:.1f} %"
                 for which, name in zip(WHICH, ("own routines", "xredist")) if which in run["rows"][0]]
        yield f"share of the {run['run_seconds']:.3f} s of {letter}: {', '.join(parts)}"


def write_page(name, runs):
    """Fills the template beside this file. JSON escapes the characters that have a meaning in HTML."""
    template = pathlib.Path(__file__).with_name("trial.html").read_text(encoding="utf-8")
    texts = {"title": html.escape(f"xredist-try: {runs[0]['file']} and {runs[1]['file']}"),
             "data": re.sub("[<>&]", lambda c: f"\\u{ord(c[0]):04x}", json.dumps({"runs": runs}))}
    try:
        pathlib.Path(name).write_text(re.sub(r"\{\{(title|data)\}\}", lambda mark: texts[mark[1]], template),
                                      encoding="utf-8")
    except OSError as error:
        sys.exit(f"xredist-try: --html: {error}")


def main():
    parser = argparse.ArgumentParser(prog="xredist-try --compare", usage="xredist-try --compare A B [--html FILE]")
    parser.add_argument("files", nargs=2, metavar="FILE")
    parser.add_argument("--html", metavar="FILE")
    arguments = parser.parse_args()
    runs = [results_of(name) | {"file": os.fsencode(name).decode(errors="replace")} for name in arguments.files]
    for letter, run in zip("AB", runs):
        print(f"{letter}: {run['file']}: {run.get('where', {}).get('program', '')}")
    print(*lines_of(runs), sep="\n")
    if arguments.html:
        write_page(arguments.html, runs)


main()
