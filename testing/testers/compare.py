# SPDX-License-Identifier: BSD-3-Clause
"""Runs one of ScaLAPACK's testers with and without a preloaded library and compares the verdicts.

usage: compare.py TESTER PRELOAD SCRATCH LAUNCHER...

TESTER is the executable, with its .dat files beside it; PRELOAD the value of LD_PRELOAD; SCRATCH a folder to run in;
LAUNCHER starts the processes. Fails unless the library was called and ScaLAPACK alone gives the same verdicts.
"""

import collections
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

SECONDS_OF_A_RUN = 180
SECONDS_OF_ALL = 540
PRELOADED_RUNS = 3
REFERENCES_EACH = 7  # runs without the library per run with it

VERDICT = re.compile(r"\b(passed|failed|skipped|nochk)\b", re.IGNORECASE)
SUMMARY = re.compile(r"\s*(finished\s+)?\d+\s+tests\b", re.IGNORECASE)
EXPLANATION = re.compile(r"\w* *:")  # the legend above the table
# Times and residuals. The integers that remain identify the case.
NOISE = re.compile(r"\S*\d\.\S*|\S*\.\d\S*|\S*\*\S*|[-+]?(nan|inf|infinity)", re.IGNORECASE)
MOVED = re.compile(r"xredist: (\w+) moved ")


def fail(message):
    sys.exit(f"FAILED: {message}")


def verdicts(text):
    """Returns the lines of the table and the counts at its end, without words that may differ between two runs."""
    lines = []
    for line in text.splitlines():
        if SUMMARY.match(line) or VERDICT.search(line) and not EXPLANATION.match(line):
            lines.append(" ".join(word for word in line.split() if not NOISE.fullmatch(word)))
    return tuple(lines)


def run(command, folder, name):
    """Returns the output of the command on stdout and stderr, which the folder keeps as name.out and name.err."""
    files = [folder / f"{name}.{kind}" for kind in ("out", "err")]
    with open(files[0], "wb") as out, open(files[1], "wb") as err:
        process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                   start_new_session=True)
        try:
            process.wait(SECONDS_OF_A_RUN)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGTERM)  # the launcher ends its processes
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
            fail(f"{name}: not finished in {SECONDS_OF_A_RUN} s")
    texts = [file.read_text(errors="replace") for file in files]
    if process.returncode != 0:
        fail(f"{name}: exit status {process.returncode}\n{texts[0][-2000:]}\n{texts[1][-2000:]}")
    return texts


def differences(reference, preloaded):
    return [f"  {a} | {b}" for a, b in zip(reference, preloaded) if a != b][:20]


def main():
    tester, preload, scratch = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    launcher = sys.argv[4:]
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    for data in tester.parent.glob("*.dat"):
        shutil.copyfile(data, scratch / data.name)  # follows links; the testers read the current folder

    start = time.monotonic()
    calls = collections.Counter()
    preloaded, seen = [], []  # verdicts of each run
    # Two runs of ScaLAPACK alone may disagree: it adds in the order in which messages arrive. The residual of a case of
    # xdsep is then above or below the threshold, and in a few runs of a hundred a process of xssyevr fails all its
    # cases, whatever their residuals. So both runs are repeated until two agree.
    while not set(preloaded) & set(seen) and time.monotonic() - start < SECONDS_OF_ALL - SECONDS_OF_A_RUN:
        if len(preloaded) * REFERENCES_EACH <= len(seen) and len(preloaded) < PRELOADED_RUNS:
            # env, because launchers have different options for variables, and must not preload the library themselves.
            before = time.monotonic()
            out, err = run(launcher + ["env", f"LD_PRELOAD={preload}", "XREDIST_VERBOSE=2", tester], scratch, "preloaded")
            preloaded_seconds = time.monotonic() - before
            calls = collections.Counter(MOVED.findall(err))
            preloaded.append(verdicts(out))
        elif len(seen) == PRELOADED_RUNS * REFERENCES_EACH:
            break
        before = time.monotonic()
        out, err = run(launcher + [tester], scratch, "reference")
        reference_seconds = time.monotonic() - before
        if MOVED.search(err):
            fail("the library is in use without having been preloaded")
        seen.append(verdicts(out))

    lines = next((run for run in preloaded if run in seen), preloaded[-1])
    cases = [line for line in lines if not SUMMARY.match(line)]
    routines = ", ".join(f"{name} {count}" for name, count in sorted(calls.items()))
    print(f"{tester.name}: {sum(calls.values())} calls intercepted ({routines})")
    print(f"{len(cases)} verdicts of cases, {len(lines) - len(cases)} lines of counts; {preloaded_seconds:.1f} s "
          f"in run {len(preloaded)} preloaded, {reference_seconds:.1f} s in run {len(seen)} without")
    if not calls:
        fail("no call was intercepted")
    if not cases:
        fail("no verdict found in the output")
    if lines not in seen:
        nearest = min(seen, key=lambda run: (abs(len(run) - len(lines)), len(differences(run, lines))))
        fail(f"{len(nearest)} lines in the nearest of {len(seen)} runs without, {len(lines)} in the last of "
             f"{len(preloaded)} preloaded\n" + "\n".join(differences(nearest, lines)))
    for line in cases:
        if not re.search(r"\bpassed\b", line, re.IGNORECASE):
            print("  " + line)


main()
