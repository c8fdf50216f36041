#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""decisions.py TREE: each function of the table in src/README.md is defined in its file."""
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1]) / "src"
rows = re.findall(r"(?m)^\| [^|]+ \| (`[^|]+`) \| `([^|]+)` \|$", (source / "README.md").read_text(encoding="utf-8"))
if len(rows) < 20:
    sys.exit(f"src/README.md has {len(rows)} rows")
missing = []
for functions, file in rows:
    path = source / file
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    for function in re.findall(r"`([^`]+)`", functions):
        # A member is declared without the name of its class in the class.
        short = function if path.suffix == ".cpp" else function.rpartition("::")[2]
        if not re.search(rf"(?m)^ {{0,2}}(?:\w[\w:<>,&* ]*[&* ])?(?:\w+::)*{re.escape(short)}\([^;{{]*\{{", text):
            missing.append(f"{file} does not define {function}")
sys.exit("\n".join(missing) or 0)
