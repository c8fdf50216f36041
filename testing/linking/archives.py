# SPDX-License-Identifier: BSD-3-Clause
"""Links this library's archive before a static ScaLAPACK, for each set of names in use.

usage: archives.py NM REPLACEMENT INCOMPLETE REFERENCE LINK...

INCOMPLETE is a replacement that must not link. LINK is the command up to the object file of main, then `--`, then the
libraries after the archives. The linker's option -u has the same effect as a reference in the object file of main.
"""

import itertools
import os
import subprocess
import sys
import tempfile

FAMILY = ("pdgemr2d_", "pdgemr2do_", "Cpdgemr2d", "Cpdgemr2do", "Cdgelacpy")
CALLERS = ("pdsyev_", "pdsyntrd_")  # routines of ScaLAPACK that call pdgemr2d_ and pdtrmr2d_
THEIRS = "mr2d_malloc"  # linked only with ScaLAPACK's own redistribution


def main():
    nm, replacement, incomplete, reference, *command = sys.argv[1:]
    end = command.index("--")
    before, after = command[:end], command[end + 1:]

    def link(names, archives):
        """Returns the linker's errors, and whether ScaLAPACK's own redistribution is linked."""
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "program")
            asked = [f"-Wl,-u,{name}" for name in (*names, *CALLERS)]
            result = subprocess.run([*before, *asked, *archives, *after, "-o", program], capture_output=True,
                                    text=True, env={**os.environ, "LC_ALL": "C"})
            if result.returncode != 0:
                return result.stderr or "failed without a word", None
            symbols = subprocess.run([nm, "--defined-only", program], check=True, capture_output=True, text=True).stdout
            return "", any(line.split()[-1] == THEIRS for line in symbols.splitlines())

    failures = []

    def expect(what, result, error, theirs):
        if (error in result[0] if error else not result[0]) and result[1] == theirs:
            return
        failures.append(f"{what}: ScaLAPACK's own in use: {result[1]}\n{result[0]}")

    subsets = [names for size in range(1, 6) for names in itertools.combinations(FAMILY, size)]
    for names in subsets:
        expect(" ".join(names), link(names, [replacement, reference]), "", False)
    whole = ["-Wl,--whole-archive", replacement, "-Wl,--no-whole-archive", reference]
    expect("no name, --whole-archive", link((), whole), "", False)

    # These fail, so that failures are known to be noticed.
    expect("no name", link((), [replacement, reference]), "", True)
    expect("incomplete replacement", link(("pdgemr2d_", "Cdgelacpy"), [incomplete, reference]),
           "multiple definition", None)

    print(f"{len(subsets)} choices of names, {len(failures)} failures")
    sys.exit("\n".join(failures) or 0)


main()
