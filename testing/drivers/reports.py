# SPDX-License-Identifier: BSD-3-Clause
"""The table and the CSV of runs that pass."""
import csv
import json
import os
import pty
import re
import subprocess
import unittest
import unittest.mock

from programs import BIN, InFolder, LAUNCHER, run, small

USUAL = ["default", "drop-in", "scalapack", "alltoallv"]
PLANS = ["default", "optimal", "split", "quantised", "caterpillar", "reference", "shifted", "rank"]


class Reports(InFolder):
    def passes(self, program, processes, *arguments):
        """Returns standard output and the rows of the CSV of a run, which must have exit status 0."""
        done = run(program, processes, *arguments, "--csv", "x.csv", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        with open(self.folder / "x.csv", newline="") as file:
            return done.stdout, list(csv.DictReader(file))

    def check_counts(self, out, passed, undefined=0, skipped=0):
        """Checks the last lines of a run in which nothing failed."""
        counts = [int(count) for count in re.findall(r"^ *(\d+) (?:tests|cases) ", out, re.M)][-4:]
        self.assertEqual(counts, [passed, 0, undefined, skipped])

    def test_every_element_type(self):
        (self.folder / "REDIST.dat").write_text(small(USUAL))  # read without -f
        for letter, size in zip("isdcz", (4, 4, 8, 8, 16)):
            with self.subTest(letter=letter):
                out, rows = self.passes(f"x{letter}redist", 4)
                expected = [(str(case), name) for case in range(1, 7) for name in USUAL]
                self.assertEqual([(row["case"], row["algorithm"]) for row in rows], expected)
                self.assertIn(f"({size} bytes an element)", out)
                self.check_counts(out, 23, undefined=1)
                self.assertRegex(out, r"\nScaLAPACK +: .*scalapack")
                self.assertRegex(out, r"\ndrop-in +: .*libxredist_scalapack")
                for row in rows:
                    self.check_row(row)
                self.assertEqual(int(rows[0]["bytes"]), 60 * 50 * size)

    def check_row(self, row):
        if row["part"] != "GE" and row["algorithm"] == "default":
            self.assertEqual((row["check"], row["note"]), ("-", "plans move rectangles only"))
            return
        self.assertEqual(row["check"], "passed", row)
        self.assertEqual(row["rounds"], "3")
        times = [float(row[key]) for key in ("min_s", "low_s", "median_s", "high_s")]
        self.assertGreater(times[0], 0)
        self.assertEqual(times, sorted(times))
        for key in ("gb_per_s", "to_memcpy"):
            self.assertGreater(float(row[key]), 0)
        self.assertEqual(row["algorithm"] == "scalapack", row["to_scalapack"] == "1")

    def test_every_algorithm(self):
        (self.folder / "x.dat").write_text(small(["default"]))
        _, rows = self.passes("xdredist", 4, "-f", "x.dat", "--rounds", 1, "--algorithms", ",".join(PLANS))
        self.assertEqual(len(rows), 6 * len(PLANS))
        first = {row["algorithm"]: row for row in rows if row["case"] == "1"}
        for name in PLANS:
            self.assertEqual(first[name]["check"], "passed")
            self.assertGreaterEqual(int(first[name]["steps"]), int(first["optimal"]["steps"]) if name not in ("split", "quantised") else 1)
        # From 2x2 to 1x4, every process sends to all processes, also to itself.
        self.assertEqual(first["rank"]["messages"], "12")

    def test_peers(self):
        lines = ["48 40  48 40 0 0 1 1 4 1 12 40  48 40 0 0 1 1 1 4 48 10", "48 40  48 40 0 0 1 1 1 2 48 20  48 40 0 0 1 1 2 1 24 40",
                 "48 40  48 40 0 0 1 1 4 1 11 40  48 40 0 0 1 1 1 4 48 10", "60 30  90 40 0 0 7 3 2 2 5 3  70 50 0 1 4 9 1 3 4 7"]
        (self.folder / "x.dat").write_text("\n".join([str(len(lines)), *lines, ""]))
        names = ("drop-in", "alltoallw", "at-once", "scalapack-order", "steps:split", "steps:rank", "steps:stepwise",
                 "one-receive:greedy", "all-receives:split", "pipelined:caterpillar", "2x2", "fftw")
        for program, fits in (("xdredist", True), ("xzredist", True), ("xiredist", False)):
            with self.subTest(program=program):
                _, rows = self.passes(program, 4, "-f", "x.dat", "--rounds", 2, "--algorithms", "drop-in",
                                      "--against", ",".join(names[1:]))
                checks = {name: [row["check"] for row in rows if row["algorithm"] == name] for name in names}
                for name in names[:-1]:
                    self.assertEqual(checks[name], ["passed"] * 4, name)
                without = {row["note"] for row in rows} & {"the program was built without FFTW for this MPI"}
                self.assertEqual(checks["fftw"], ["passed", "passed", "-", "-"] if fits and not without else ["-"] * 4)

    def test_cases_of_the_command_line(self):
        _, rows = self.passes("xdredist", 4, "--cases", "2x2/3x5:2x2/5x3,4/2:2/3", "--bytes", "8000,200000", "--square",
                                 "--rate", "1e9", "--rounds", 1, "--warm-up", 0, "--algorithms", "default,2x2")
        self.assertEqual([(row["grid_a"], row["m"], row["n"], row["algorithm"]) for row in rows],
                         [(grid, n, n, name) for grid in ("2x2", "4x1") for n in ("32", "158") for name in ("default", "2x2")])
        for row in rows:
            self.assertEqual((row["check"], row["extra_bytes"]), ("passed", ""))
            self.assertGreater(float(row["to_bound"]), 0)
            self.assertEqual(row["steps"] == "", row["route"] != "direct")
        self.assertEqual({row["route"] for row in rows if row["algorithm"] == "2x2"}, {"2x2"})

    def test_lines_fit_a_terminal(self):
        (self.folder / "x.dat").write_text(small(["default"]))
        names = "default,all-receives:walker-otto,scalapack,wo-passes,drop-in,fftw,at-once," + \
            ",".join(f"steps:{name}" for name in PLANS)
        out, rows = self.passes("xdredist", 4, "-f", "x.dat", "--rounds", 1, "--rate", "1e9", "--algorithms", names)
        # Paths, which have no blanks, may be longer.
        self.assertEqual([line for line in out.splitlines() if len(line) > 120 and " " in line.strip()[34:]], [])
        self.assertIn("\ncase 1: GE 60 x 50, 2x2 processes with blocks 8x8 -> 1x4 with 5x6, 12 messages, 0.02 MB\n", out)
        heading = re.search(r"^  ALGORITHM .*$", out, re.M)[0]
        shown = re.search(r"^  default .*$", out, re.M)[0].split()
        self.assertEqual(len(shown), len(heading.replace(" ms", "").replace("EXTRA MB", "EXTRA").split()))
        self.assertEqual(float(shown[3]), round(1e3 * float(rows[0]["median_s"]), 4))
        self.assertRegex(out, r"\n  wo-passes is not run: ")

    def test_progress_on_a_terminal_only(self):
        """The launcher has the terminal; the processes have pipes to the launcher."""
        command = [*LAUNCHER, "2", f"{BIN}/xdredist", "--cases", "2/2:2/3,2/3:2/2,2/3:2/5", "--bytes", "16M", "--rounds", "25",
                   "--algorithms", "default,alltoallv"]
        terminal, other_end = pty.openpty()
        with subprocess.Popen(command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=other_end) as process:
            os.close(other_end)
            out = process.stdout.read()
            written = b""
            while chunk := self.read(terminal):
                written += chunk
        os.close(terminal)
        self.assertEqual(process.returncode, 0, out)
        self.assertRegex(written.decode(), r"\r\x1b\[Kxdredist: case \d of 3, round \d+, \d+ s")
        self.assertRegex(written.decode(), r"case [23] of 3, round \d+, \d+ s, about \d+ s left")
        self.assertNotIn(b"round 1,", out)
        done = subprocess.run(command, cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
        self.assertNotIn(b"round", done.stderr)

    def read(self, terminal):
        try:
            return os.read(terminal, 1 << 16)
        except OSError:  # the other end is closed
            return b""

    def test_forms_for_programs(self):
        arguments = ("--cases", "2/2:2/3,4/1:4/2", "--bytes", 1000, "--rounds", 2, "--algorithms", "default,none.so")
        done = {form: run("xdredist", 2, *arguments, "--format", form, "--csv", f"{form}.csv", folder=self.folder)
                for form in ("csv", "json")}
        for form, one in done.items():
            self.assertEqual(one.returncode, 0, one.stderr)
            with open(self.folder / f"{form}.csv", newline="") as file:
                rows = list(csv.DictReader(file))
            self.assertEqual([(row["algorithm"], row["check"]) for row in rows], [("default", "passed"), ("none.so", "-")])
            if form == "csv":
                self.assertEqual(list(csv.DictReader(one.stdout.splitlines())), rows)
                continue
            found = json.loads(one.stdout)
            self.assertEqual(found["tests"], {"passed": 1, "failed": 0, "not_run": 1, "cases_skipped": 1})
            self.assertEqual((found["type"], found["element_bytes"]), ("double precision", 8))
            self.assertEqual(found["parameters"]["algorithms"], "default none.so")
            self.assertEqual(found["environment"]["processes"], "2")
            self.assertEqual([{key: "" if value is None else str(value) for key, value in row.items() if not isinstance(value, float)}
                              for row in found["rows"]],
                             [{key: row[key] for key, value in kept.items() if not isinstance(value, float)}
                              for row, kept in zip(rows, found["rows"])])
            self.assertEqual(found["rows"][0]["median_s"], float(rows[0]["median_s"]))
            self.assertIsNone(found["rows"][1]["median_s"])
            self.assertIn("none.so", found["rows"][1]["note"])

    def test_notes_are_quoted(self):
        """The name of a library, which is a part of the note and of the name of the algorithm."""
        name = 'a "b" <c>.so'
        done = run("xdredist", 2, "--cases", "2/2:2/3", "--rounds", 1, "--algorithms", f"default,{name}", "--format", "json",
                   "--csv", "x.csv", folder=self.folder)
        self.assertEqual(json.loads(done.stdout)["rows"][1]["algorithm"], name)
        self.assertNotIn("<", done.stdout)
        with open(self.folder / "x.csv", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual((rows[1]["algorithm"], rows[1]["check"]), (name, "-"))
        self.assertIn(name, rows[1]["note"])

    def test_too_few_processes(self):
        (self.folder / "x.dat").write_text(small(["drop-in"], rounds=1).replace("0 2           first", "0 0           first"))
        out, _ = self.passes("xsredist", 2, "-f", "x.dat")
        self.check_counts(out, 2, skipped=4)
        self.assertIn("skipped: the case needs 4 processes, there are 2", out)

    def test_the_files_beside_the_programs_are_read(self):
        # One process is too few for all cases of the files, so nothing passes.
        for name, cases in (("REDIST.dat", 12), ("ratios.dat", 30), ("limit.dat", 10), ("new-grids.dat", 6)):
            with self.subTest(file=name):
                done = run("xdredist", 1, "-f", f"{BIN}/{name}", folder=self.folder)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertIn(f"{cases:7} cases skipped", done.stdout)

    def test_output_file_and_settings(self):
        (self.folder / "x.dat").write_text(small(["drop-in"], rounds=1).replace("6             device", "13            device"))
        with unittest.mock.patch.dict(os.environ, XREDIST_PERMITS="2"):
            out, _ = self.passes("xdredist", 4, "-f", "x.dat")
        self.assertEqual(out, "")
        report = (self.folder / "small.out").read_text()
        self.assertRegex(report, r"\nXREDIST_PERMITS +: 2\n")
        self.check_counts(report, 6)


unittest.main()
