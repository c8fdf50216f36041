# SPDX-License-Identifier: BSD-3-Clause
"""The public headers leave no macro in a program but their guards and their version.

macros.py CC INCLUDE FOLDER...: the folders of MPI's headers.
"""
import pathlib
import re
import subprocess
import sys

compiler, include, *folders = sys.argv[1:]
flags = [f"-I{folder}" for folder in (include, *folders)]
headers = sorted(pathlib.Path(include, "xredist").glob("*.h"))
assert len(headers) > 10
text = "".join(f'#include "xredist/{header.name}"\n' for header in headers if header.name not in ("begin.h", "end.h"))
done = subprocess.run([compiler, "-E", "-dM", "-x", "c", *flags, "-"], input=text, text=True, stdout=subprocess.PIPE,
                      check=True)
defined = set(re.findall(r"(?m)^#define (XREDIST\w*)", done.stdout))
guards = {f"XREDIST_{header.stem.upper()}_H" for header in headers} | {"XREDIST_H"}
versions = {f"XREDIST_VERSION{end}" for end in ("", "_MAJOR", "_MINOR", "_PATCH")}
assert versions <= defined
assert defined <= guards | versions, defined - guards - versions
