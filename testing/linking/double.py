# SPDX-License-Identifier: BSD-3-Clause
"""double.py NM LIBRARY: prints a C file that defines the names of a shared ScaLAPACK, without those of single precision
and of complex numbers. Programs that are linked with it can be linked with a ScaLAPACK that was built for double
precision only."""
import re
import subprocess
import sys

LACKING = re.compile(r"(p|Cp|C|)[scz](?!hk|hip|blacs)\w+")  # without PCHK1MAT, Cblacs_...
symbols = subprocess.run([sys.argv[1], "-D", "--defined-only", sys.argv[2]], check=True, capture_output=True, text=True)
names = [line.split()[2].split("@")[0] for line in symbols.stdout.splitlines() if line.split()[1] in "TW"]
kept = sorted({name for name in names if re.fullmatch(r"[A-Za-z]\w*", name) and not LACKING.fullmatch(name)})
if not {"pdsyev_", "Cblacs_gridinfo", "numroc_"} <= set(kept) or {"pssyev_", "pzheev_", "Cpcgemr2d"} & set(kept):
    sys.exit(f"{len(kept)} names of {len(names)}: not those of double precision")
print("".join(f"void {name}(void) {{}}\n" for name in kept))
