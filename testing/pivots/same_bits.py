# SPDX-License-Identifier: BSD-3-Clause
"""Runs a program with and without libxredist_pivots. Fails unless both print the same, and the library is in use.

usage: same_bits.py WITH FOLDER LAUNCHER... PROGRAM

WITH is LD_PRELOAD=LIBRARIES, or a program that is linked with the library and does the same as PROGRAM. Words with a
decimal point, which are times of ScaLAPACK's testers, are left out. FOLDER has the .dat files of PROGRAM, or
is the folder of PROGRAM's results.
"""
import os
import re
import subprocess
import sys

with_library, folder, *launcher, program = sys.argv[1:]


def printed(*command):
    """Returns the lines that the program prints, without times, and its messages."""
    done = subprocess.run([*launcher, *command], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    lines = [" ".join(word for word in line.split() if not re.fullmatch(r"\S*\d\.\d*", word))
             for line in done.stdout.splitlines()]
    return lines, done.stderr


debug = os.path.join(os.environ.get("TMPDIR", "/tmp"), f"same_bits.{os.getpid()}")
os.mkdir(debug)
try:
    command = [with_library, program] if with_library.startswith("LD_PRELOAD=") else [with_library]
    with_it, _ = printed("env", "LD_DEBUG=bindings", f"LD_DEBUG_OUTPUT={debug}/bindings", *command)
    bindings = "".join(open(os.path.join(debug, name), encoding="utf-8", errors="replace").read()
                       for name in os.listdir(debug))
finally:
    for name in os.listdir(debug):
        os.unlink(os.path.join(debug, name))
    os.rmdir(debug)
calls = sorted(set(re.findall(r"to \S*libxredist_pivots\S* \[0\]: normal symbol `(\w+)'", bindings)))
assert any("laswp" in name for name in calls) and any("lapiv" in name for name in calls), calls
without, _ = printed(program)
assert without and all(without[:1]), without
assert with_it == without, "\n".join(f"{a} | {b}" for a, b in zip(with_it, without) if a != b)
print(f"{len(without)} lines are equal; used: {', '.join(calls)}")
