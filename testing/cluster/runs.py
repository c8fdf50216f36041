# SPDX-License-Identifier: BSD-3-Clause
"""Runs of xredist-cluster that are complete, that find wrong elements, that have too little time, and that are killed.

usage: runs.py BIN here PRELOAD LAUNCHER...   PRELOAD makes executions of plans move nothing
       runs.py BIN nodes EMULATE              on four nodes of an emulated network, which needs root
"""
import contextlib
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

BIN, PLACE, *REST = sys.argv[1:]
SCRIPT = f"{BIN}/xredist-cluster"
HEADING = ["nodes", "per_node", "permits", "case", "bytes", "m", "algorithm", "min_ms", "median_ms", "high_ms",
           "to_scalapack", "check"]


def rows_of(text):
    """Returns the rows of a file, as dictionaries. Each is whole."""
    lines = [line.split() for line in text.splitlines()]
    rows = [line for line in lines[lines.index(HEADING) + 1:] if line[0] != "#"] if HEADING in lines else []
    assert all(len(row) >= len(HEADING) for row in rows), rows
    return [dict(zip(HEADING, row)) for row in rows]


class Runs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = pathlib.Path(folder.name, "times.txt")

    def text(self):
        return self.file.read_text(encoding="utf-8") if self.file.exists() else ""


class Here(Runs):
    def command(self, *options, launcher=None):
        return [SCRIPT, "--output", str(self.file), *options, *(REST[1:] if launcher is None else launcher)]

    def run_with(self, *options, **more):
        return subprocess.run(self.command(*options, **more), capture_output=True, text=True, timeout=80)

    def test_complete(self):
        done = self.run_with("--minutes", "1", "--per-node", "4", "--bytes", "4K,64K", "--rounds", "2")
        text = self.text()
        self.assertEqual(done.returncode, 0, done.stderr + text)
        rows = rows_of(text)
        self.assertEqual(len({(row["case"], row["bytes"], row["algorithm"]) for row in rows}), 3 * 2 * 7)
        for row in rows:
            self.assertEqual([row[name] for name in ("nodes", "per_node", "permits", "check")],
                             ["1", "4", "auto", "passed"])
            self.assertGreaterEqual(float(row["high_ms"]), float(row["median_ms"]))
            self.assertGreater(float(row["min_ms"]), 0)
            self.assertEqual(float(row["to_scalapack"]) == 1, row["algorithm"] == "scalapack", row)
        self.assertRegex(text, r"1 of 1 nodes:\n  processor +\S.*\n  caches +\S.*\n  memory +\d+ GiB\n")
        self.assertRegex(text, r"\nprocesses +4\nnodes +1\nxredist +[0-9.]+\n")
        self.assertTrue(text.endswith(
            "\n# complete: 42 rows, 0 of them without a right result; 0 launches were cut short\n"), text)
        self.assertRegex(text, r"\n  system +\w+ [0-9.]+\n")
        self.assertNotIn(socket.gethostname(), text)

    def test_wrong_elements(self):
        os.environ["LD_PRELOAD"] = REST[0]
        self.addCleanup(os.environ.pop, "LD_PRELOAD")
        done = self.run_with("--minutes", "1", "--per-node", "2", "--bytes", "4K", "--rounds", "1",
                             "--form", "-n {processes}")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertRegex(self.text(), r"\nlauncher +\S+ with a form of its own\n")
        checks = {row["algorithm"]: row["check"] for row in rows_of(self.text())}
        self.assertEqual((checks["default"], checks["optimal"], checks["scalapack"]), ("FAILED", "FAILED", "passed"))
        self.assertIn("# incomplete: 21 rows, 6 of them without a right result; 2 launches were cut short", self.text())

    def test_too_little_time(self):
        start = time.monotonic()
        done = self.run_with("--minutes", "0.06", "--per-node", "2", "--bytes", "64K,4M", "--rounds", "100000")
        self.assertLess(time.monotonic() - start, 40)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertRegex(self.text(), r"# 1 nodes, 2 processes each, permits auto: stopped after \d+ s; \d of 6 cases "
                         r"are done\n# incomplete: \d+ rows, 0 of them")

    def killed(self, number):
        """Returns the status and the text of a run that is killed after its first rows."""
        command = self.command("--minutes", "0.7", "--per-node", "2", "--bytes", "4K,4M", "--rounds", "60")
        running = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 60
        while not rows_of(self.text().rpartition("\n")[0]):
            self.assertLess(time.monotonic(), end, self.text())
            time.sleep(0.05)
        launches = pathlib.Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text().split()
        running.send_signal(number)
        status = running.wait(30)
        for launch in launches:  # would end at the end of its time only, if the script had no time to end it
            with contextlib.suppress(ProcessLookupError):
                os.killpg(int(launch), signal.SIGTERM)
        return status, self.text()

    def test_ended_by_a_signal(self):
        status, text = self.killed(signal.SIGTERM)
        self.assertEqual(status, 128 + signal.SIGTERM)
        self.assertGreater(len(rows_of(text)), 0)
        self.assertTrue(text.endswith("\n# ended by signal 15\n"), text)

    def test_killed(self):
        status, text = self.killed(signal.SIGKILL)
        self.assertEqual(status, -signal.SIGKILL)
        self.assertGreater(len(rows_of(text)), 0)
        self.assertNotIn("complete", text)

    def test_wrong_arguments(self):
        for options, message in ((["--per-node", "-1"], "--per-node, --rounds and --minutes are positive"),
                                 (["--per-node", "1"], "one process has nobody to exchange with"),
                                 (["--form", "-n {cores}"], "--form has {nodes}, {per_node} and {processes} only"),
                                 (["--output", "/nowhere/times.txt"], "cannot write /nowhere/times.txt: No such file"),
                                 (["--nodes", "0"], "argument --nodes: a list of positive numbers")):
            done = self.run_with(*options)
            self.assertEqual(done.returncode, 2, options)
            self.assertIn(message, done.stderr)
        done = self.run_with(launcher=[])
        self.assertEqual((done.returncode, self.file.exists()), (2, False))
        self.assertIn("no launcher, as mpirun or srun", done.stderr)


class Nodes(Runs):
    def test_one_two_and_four(self):
        network = ["--nodes", "4", "--rate", "1000", "--queues", "256kb", "--seconds", "60"]
        script = ["--cluster", str(self.file), "--", "--bytes", "16K", "--rounds", "1"]
        done = subprocess.run([*REST, "--program", f"{BIN}/xdredist", *network, *script], capture_output=True,
                              text=True, timeout=100)
        if "skipped: " in done.stderr:
            print(done.stderr)
            sys.exit()
        text = self.text()
        self.assertEqual(done.returncode, 0, done.stderr + text)
        self.assertIn("\n4 of 4 nodes:\n", text)
        self.assertRegex(text, r"\nprocesses +4\nnodes +4\n")
        self.assertIn("\n# one process on one node has nobody to exchange with: left out\n", text)
        found = {(row["nodes"], row["permits"]): 0 for row in rows_of(text)}
        for row in rows_of(text):
            found[row["nodes"], row["permits"]] += row["check"] == "passed"
        self.assertEqual(found, {(nodes, permits): 3 * (7 if permits == "auto" else 2)
                                 for nodes in "24" for permits in ("auto", "off", "on")})
        self.assertTrue(re.search(r"\n# complete: 66 rows, 0 of them without a right result; 0 launches", text), text)


unittest.main(argv=sys.argv[:1], defaultTest={"here": "Here", "nodes": "Nodes"}[PLACE])
