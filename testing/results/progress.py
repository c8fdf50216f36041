# SPDX-License-Identifier: BSD-3-Clause
"""The script `measure` tells on a terminal what is done and what is left. A launcher of this test measures nothing.
usage: progress.py TIMING"""
import os
import pathlib
import pty
import subprocess
import sys
import tempfile
import unittest

MEASURE = pathlib.Path(sys.argv.pop(1)).resolve() / "measure"
LAUNCHER = """#!/bin/sh
while [ $# -gt 0 ]; do
  [ "$1" != --csv ] || echo check >"$2"
  shift
done
"""


class Progress(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "mpirun").write_text(LAUNCHER)
        (self.folder / "mpirun").chmod(0o755)

    def measure(self, **streams):
        done = subprocess.run([MEASURE, "--only", "limit,random,ratios", "--bin", self.folder, "--raw", self.folder / "raw",
                               "--results", self.folder / "results"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              env={**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"}, timeout=60, **streams)
        self.assertEqual(done.returncode, 0)
        computer, *measured = done.stdout.decode().splitlines()
        self.assertRegex(computer, r"^measure: .*, [1-9]\d* cores(, L\d \d+[KM] \(cores [-\d,]+\))*, Linux ")
        self.assertEqual([line.split(": ")[1] for line in measured], ["limit", "random", "ratios"])
        return done.stderr

    def on_terminal(self):
        terminal, other_end = pty.openpty()
        self.measure(stderr=other_end)
        os.close(other_end)
        text = b""
        try:
            while chunk := os.read(terminal, 4096):
                text += chunk
        except OSError:  # the other end is closed
            pass
        os.close(terminal)
        return text.decode().splitlines()

    def test_lines(self):
        self.assertEqual(self.on_terminal(), [f"measure: {k} of 3 done, 0 min so far; now {name}"
                                              for k, name in enumerate(("limit", "random", "ratios"))])
        (self.folder / "raw/seconds").write_text("limit 9\nlimit 300\nrandom 60\nratios 3599\n")
        self.assertEqual(self.on_terminal()[:2], ["measure: 0 of 3 done, 0 min so far; now limit; about 66 min left",
                                                  "measure: 1 of 3 done, 0 min so far; now random; about 61 min left"])

    def test_without_a_terminal(self):
        self.assertEqual(self.measure(stderr=subprocess.PIPE), b"")


unittest.main()
