#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""compact_svg.py FILE.svg...: makes pictures of gnuplot small: drops empty groups, unused symbols, default attributes and
hidden texts, and breaks lines after 200 columns or more."""
import pathlib
import re
import sys

DROPPED = (r"<\?xml[^>]*>", r"<title>.*?</title>", r"<desc>.*?</desc>", r"<filter.*?</filter>", r' class="gridline"',
           r' id="gnuplot_[^"]*"', r' stroke-linecap="butt"', r' stroke-linejoin="miter"', r' stroke-width="1.00"',
           r'<tspan font-family="[^"]*" ?>(?=[^<]*</tspan>)', r"(?<=[^>])</tspan>(?=</text>)")


def compact(text):
    for pattern in DROPPED:
        text = re.sub(pattern, "", text, flags=re.S)
    text = re.sub(r"\s*\n\s*", " ", text)
    text = re.sub(r">\s+<", "><", re.sub(r"\s+(?=/?>|')", "", text))
    text = re.sub(r"rgb\(\s*(\d+),\s*(\d+),\s*(\d+)\)", lambda x: "#{:02x}{:02x}{:02x}".format(*map(int, x.groups())), text)
    text = re.sub(r"<[^>]*>", lambda tag: re.sub(r"\d+\.\d\d+", lambda x: f"{float(x.group()):.1f}", tag.group()), text)
    before = None
    while before != text:
        before, used = text, set(re.findall(r"#(gp\w+)'", text))
        text = re.sub(r"<(?:path|rect|circle|use)\b[^>]* id='(gp\w+)'[^>]*/>",
                      lambda x: x.group() if x.group(1) in used else "", text)
        text = re.sub(r"<(g|defs)( [^>]*)?></\1>", "", text)
    return re.sub(r"(.{200,}?>)(?=<)", r"\1\n", text.strip()) + "\n"


for path in map(pathlib.Path, sys.argv[1:]):
    path.write_text(compact(path.read_text(encoding="utf-8")), encoding="utf-8")
