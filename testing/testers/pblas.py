# SPDX-License-Identifier: BSD-3-Clause
"""Runs one of PBLAS's testers of level 3 with xredist_pblas preloaded, with all problems of its input and wrong arguments.

usage: pblas.py TESTER PRELOAD SCRATCH LAUNCHER...

TESTER is the executable (dpb3tst, ...), with its .dat file beside it; PRELOAD the value of LD_PRELOAD; SCRATCH a folder
to run in; LAUNCHER starts the processes. Fails unless P?GEADD and P?TRADD were called in the library and every test of
the tester passed: results are right, other data is untouched, and wrong arguments are named by their numbers. All
routines of level 3 are tested: without PDGEMM before it, the tester's check of PDGEADD reads memory that it has not set.
"""

import pathlib
import re
import shutil
import subprocess
import sys

SECONDS = 120
PROBLEMS = 8  # columns of the input; the tester would use the first four, which have no transposes

COUNTS = re.compile(r"\|\s+(\w+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)")  # the table at the end: all, passed, failed, skipped
MOVED = re.compile(r"xredist: (\w+) moved ")
WRONG = re.compile(r"check: .*FAILED|ERROR|not supported")


def fail(message, text=""):
    sys.exit(f"FAILED: {message}\n{text[-3000:]}")


def main():
    tester, preload, scratch = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    launcher, letter = sys.argv[4:], tester.name[0].upper()
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    name = f"P{letter}BLAS3TST.dat"
    data, changed = re.subn(r"(?m)^\d+(?=\s+number of tests)", str(PROBLEMS), (tester.parent / name).read_text())
    if changed != 1:
        fail(f"{name} does not say its number of tests")
    (scratch / name).write_text(data)

    command = launcher + ["env", f"LD_PRELOAD={preload}", "XREDIST_VERBOSE=2", tester]
    result = subprocess.run(command, cwd=scratch, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS,
                            encoding="utf-8", errors="replace")
    if result.returncode != 0:
        fail(f"exit status {result.returncode}", result.stdout + result.stderr)
    wrong = [line for line in result.stdout.splitlines() if WRONG.search(line)]
    if wrong:
        fail("the tester found errors", "\n".join(wrong))
    if "Error-exit tests completed" not in result.stdout:
        fail("the tester did not try wrong arguments", result.stdout)

    counts = {row[0]: [int(count) for count in row[1:]] for row in COUNTS.findall(result.stdout)}
    called = MOVED.findall(result.stderr)
    for routine in (f"P{letter}GEADD", f"P{letter}TRADD"):
        total, passed, failed, skipped = counts.get(routine, [0, 0, 0, 0])
        print(f"{routine}: {total} tests, {passed} passed; {called.count(routine)} calls intercepted")
        if total < PROBLEMS or passed != total:
            fail(f"{routine}: {failed} failed, {skipped} skipped", result.stdout)
        if called.count(routine) != total:
            fail(f"{routine} was called {called.count(routine)} times in the library", result.stderr)
    if any(failed for _, _, failed, _ in counts.values()):
        fail("another routine failed", result.stdout)


main()
