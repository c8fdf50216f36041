#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""pages.py TIMING: the tables of RESULTS.md and REPRODUCTION.md are those of the CSV files, and every file is shown or
linked."""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

timing = pathlib.Path(sys.argv.pop(1))
PAGES = [timing / "RESULTS.md", timing / "results/REPRODUCTION.md"]


class Pages(unittest.TestCase):
    def test_renewed_tables_are_the_same(self):
        for page in PAGES:
            text = page.read_text(encoding="utf-8")
            with tempfile.TemporaryDirectory() as folder:
                copy = pathlib.Path(folder) / page.name
                copy.write_text(re.sub(r"(<!-- table .* -->\n)\n(\|.*\n)+", r"\1", text), encoding="utf-8")
                subprocess.run([sys.executable, "-B", timing / "papers/tables.py", timing / "results", copy], check=True)
                self.assertEqual(copy.read_text(encoding="utf-8"), text)

    def test_every_table_is_shown(self):
        shown = set(re.findall(r"(?:<!-- table |\]\((?:results/)?)([\w-]+\.csv)", "".join(page.read_text(encoding="utf-8") for page in PAGES)))
        there = {path.name for path in (timing / "results").glob("*.csv")}
        self.assertEqual(there - shown, {"figures.csv"})  # figures of the text


unittest.main()
