#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""decisions.py TREE: src/README.md has a row for each room, and each function of its table is defined in its file."""
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1]) / "src"
text_of_map = (source / "README.md").read_text(encoding="utf-8")
rooms = set(re.findall(r"(?m)^\| `([\w/]+)` \|", text_of_map))
folders = {str(path.parent.relative_to(source)) for path in source.glob("**/*.cpp")}
if rooms != folders:
    sys.exit(f"src/README.md and src differ in the rooms {', '.join(sorted(rooms ^ folders))}")
rows = re.findall(r"(?m)^\| [^|]+ \| (`[^|]+`) \| `([^|]+)` \|$", text_of_map)
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
