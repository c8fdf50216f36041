# SPDX-License-Identifier: BSD-3-Clause
"""pages.py TIMING: RESULTS.md and REPRODUCTION.md link every file in results, and nothing else there."""
import pathlib
import re
import sys

timing = pathlib.Path(sys.argv[1])
pages = [timing / "RESULTS.md", timing / "results/REPRODUCTION.md"]
linked = set(re.findall(r"\]\((?:results/)?([\w-]+\.csv)", "".join(page.read_text(encoding="utf-8") for page in pages)))
there = {path.name for path in (timing / "results").glob("*.csv")}
assert linked == there, linked ^ there
