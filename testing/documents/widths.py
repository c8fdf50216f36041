# SPDX-License-Identifier: BSD-3-Clause
"""Code in the guide fits the column of the page in a window of 1200 pixels.
usage: widths.py TREE"""
import functools
import pathlib
import re
import runpy
import sys
import textwrap
import unittest

DOC = pathlib.Path(sys.argv[1]).resolve() / "doc"
WINDOW, SCROLL_BAR = 1200, 15   # pixels
CHARACTER = 0.6021              # width of DejaVu Sans Mono and Menlo, relative to the size of the font
INDENT = 30                     # pixels: the theme indents the items of lists
LITERAL = re.compile(r"^(?P<indent> *)(?:\.\. (?:code-block|parsed-literal)::.*|(?!\.\. ).*::)\n\n"
                     r"(?P<code>(?:(?P=indent) +\S.*\n|\n)+)", re.M)
INCLUDED = re.compile(r"^\.\. (?:literalinclude|header):: (?P<name>.*)\n(?P<options>(?: +:.*\n)*)", re.M)


def pixels(rule, name):
    """Returns the pixels that a rule of the style sheet sets; of two numbers, the second, which is horizontal."""
    found = re.search(re.escape(rule) + r" \{[^}]*\b" + name + r":(?: [\d.]+(?:px)?)? ([\d.]+)px;",
                      (DOC / "static/guide.css").read_text())
    return float(found.group(1))


@functools.cache
def columns(indent):
    """Returns the number of characters in a line of code, which is inside of lists if it is indented."""
    options = runpy.run_path(str(DOC / "conf.py"))["html_theme_options"]
    assert options["page_width"] == options["body_max_width"] == "auto"
    width = min(WINDOW - SCROLL_BAR, pixels("div.document, div.footer", "max-width"))
    width -= float(options["sidebar_width"].removesuffix("px")) + 2 * pixels("div.body", "padding")
    width -= 2 * pixels("div.body pre", "padding") + (INDENT if indent else 0)
    return int(width / (CHARACTER * pixels("div.body pre", "font-size")))


def included(page):
    """Yields the name and the lines of each file that a page includes, without the marks of comments of headers."""
    for found in INCLUDED.finditer(page.read_text()):
        path = page.parent / found["name"]
        options = dict(re.findall(r":([\w-]+): ?(.*)", found["options"]))
        lines = path.read_text().splitlines()
        for option, begins, inside in (("start-at", True, True), ("start-after", True, False),
                                       ("end-at", False, True), ("end-before", False, False)):
            if option in options:
                place = next(k for k, line in enumerate(lines) if options[option] in line)
                lines = lines[place + (not inside):] if begins else lines[:place + inside]
        text = "\n".join(lines)
        if "dedent" in options:
            text = re.sub(rf"(?m)^ {{{options['dedent']}}}", "", text) if options["dedent"] else textwrap.dedent(text)
        yield path.name, re.sub(r"(?m)^(?:![>!] ?| \* ?)", "", text)


class Widths(unittest.TestCase):
    def fits(self, place, text, indent):
        for line in text.splitlines():
            self.assertLessEqual(len(line), columns(indent), f"{place}: {line}")

    def test_code(self):
        found = 0
        for page in sorted(DOC.rglob("*.rst")):
            for block in LITERAL.finditer(page.read_text()):
                self.fits(page.relative_to(DOC), textwrap.dedent(block["code"]), bool(block["indent"]))
                found += 1
        self.assertGreater(found, 80)

    def test_included_files(self):
        found = 0
        for page in sorted(DOC.rglob("*.rst")):
            for name, text in included(page):
                self.fits(name, text, False)
                found += 1
        self.assertGreater(found, 30)


unittest.main(argv=sys.argv[:1])
