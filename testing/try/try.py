# SPDX-License-Identifier: BSD-3-Clause
"""xredist-try and XREDIST_REPORT: what they print about programs, and that the programs are not disturbed.
usage: try.py XREDIST-TRY CALLS LAYOUTS WRONG-LIBRARY DROP-IN ROWS-TO-GRID SOLVE TESTERS LAUNCHER...
TESTERS: the folder of ScaLAPACK's testers, or an empty string"""
import html.parser
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

TRY, CALLS, LAYOUTS, WRONG, DROP_IN, ROWS_TO_GRID, SOLVE, TESTERS, *LAUNCHER = sys.argv[1:]


def run(*command, folder=None, **environment):
    """Returns standard output and standard error of a program that must succeed."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=110,
                          env={**os.environ, **environment})
    if done.returncode != 0:
        raise AssertionError(f"status {done.returncode}: {' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout, done.stderr


def preloaded(library):
    return ":".join(filter(None, [library, os.environ.get("LD_PRELOAD")]))


class PageOf(html.parser.HTMLParser):
    """The title, the data and the names of elements of a page, as a browser would read them."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.title, self.data, self.inside = set(), "", "", None
        self.feed(text)
        self.data = json.loads(self.data)

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.inside = "data" if dict(attributes).get("id") == "data" else tag

    def handle_data(self, text):
        if self.inside in ("title", "data"):
            setattr(self, self.inside, getattr(self, self.inside) + text)

    def handle_endtag(self, _):
        self.inside = None


class Trial(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.json = self.folder / "results.json"

    def results(self):
        """Returns the total, and all rows with calls by routine and blocks of A."""
        found = json.loads(self.json.read_text())
        total, *rows = found["rows"]
        return found["complete"], total, {(row["routine"], row["a"]["mb"]): row for row in rows if row["calls"]}

    def test_finds_all_symbols_as_it_is_loaded(self):
        out, _ = run(TRY, *LAUNCHER, "1", CALLS, "finalize", LD_BIND_NOW="1")
        self.assertEqual(out, "all right\n")

    def test_in_front_of_the_launcher(self):
        out, err = run(TRY, "--json", str(self.json), *LAUNCHER, "4", CALLS, "finalize")
        self.assertEqual(out, "all right\n")
        complete, total, rows = self.results()
        self.assertTrue(complete)
        self.assertEqual({key: row["calls"] for key, row in rows.items()}, {
            ("PDGEMR2D", 7): 5, ("PDGEMR2D", 60): 3, ("PDGEMR2DO", 8): 1, ("PITRMR2D", 60): 1, ("PZGEMR2D", 60): 1,
            ("PDTRAN", 4): 1, ("PZGEADD", 4): 1, ("PDLASWP", 4): 1})
        self.assertEqual((total["calls"], total["different"], total["not_tried"]), (14, 0, 1))
        row = rows["PDGEMR2D", 60]
        self.assertEqual(row["bytes"], 3 * 8 * 60 * 60)
        self.assertEqual(rows["PITRMR2D", 60]["bytes"], 4 * 60 * 61 / 2)
        self.assertEqual(row["a"], {"mb": 60, "nb": 4, "nprow": 1, "npcol": 4})  # as used: one process row has one block
        self.assertEqual(row["b"], {"mb": 8, "nb": 8, "nprow": 2, "npcol": 2})
        for routine in "own", "xredist":
            self.assertGreater(row[routine]["seconds"], 0)
            self.assertLess(total[routine]["seconds"], json.loads(self.json.read_text())["run_seconds"])
        self.assertRegex(err, r"PDGEMR2D +60 x 60 +60 x 4 on 1 x 4 +8 x 8 on 2 x 2 +3 ")
        self.assertIn("calls that were not tried: 1\n     1  PZGEADD: A and B overlap in memory\n", err)

    def test_calls_that_are_not_tried(self):
        out, err = run(TRY, "--json", str(self.json), *LAUNCHER, "4", CALLS, "odd")
        self.assertEqual(out, "all right\n")
        _, total, rows = self.results()
        self.assertEqual(rows["PDGEMR2D", 32]["calls"], 1)  # with LLD 0
        self.assertEqual(rows["PDTRMR2D", 32]["calls"], 1)
        expected = {
            ("PDGEADD", "PBLAS alone supports its descriptors (first block of another size, or source -1)"),
            ("PDGEMR2D", "M or N is 0"),
            ("PDGEMR2D", "an argument differs between processes"),
            ("PZGEADD", "A and B overlap in memory")}
        left_out = json.loads(self.json.read_text())["left_out"]
        self.assertEqual({(row["routine"], row["why"]) for row in left_out}, expected)
        self.assertEqual([row["calls"] for row in left_out], [1] * 4)
        self.assertEqual(total["not_tried"], 4)
        for routine, why in expected:
            self.assertIn(f"     1  {routine}: {why}\n", err)

    def test_an_invalid_call(self):
        done = subprocess.run([TRY, CALLS, "invalid"], capture_output=True, text=True, timeout=60)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("     1  PDGEMR2D: argument 6 (DESCA), entry 9 (LLD_) is 5, must be at least 10, the local rows on "
                      "process (0,0)\n", done.stderr)

    def test_a_wrong_library_is_found_and_not_used(self):
        out, _ = run(TRY, "--json", str(self.json), *LAUNCHER, "4", CALLS, "finalize", LD_PRELOAD=preloaded(WRONG))
        self.assertEqual(out, "all right\n")
        _, total, rows = self.results()
        self.assertEqual({key: row["different"] for key, row in rows.items() if row["different"]},
                         {("PDGEMR2D", 7): 5, ("PDGEMR2D", 60): 3, ("PZGEADD", 4): 4})
        self.assertEqual(total["different"], 12)

    def test_only_xredist_in_front_of_the_program(self):
        out, err = run(*LAUNCHER, "4", TRY, "--only", "xredist", "--json", str(self.json), CALLS, "finalize")
        self.assertEqual(out, "all right\n")
        complete, total, rows = self.results()
        self.assertTrue(complete)
        self.assertEqual((total["calls"], total["not_tried"]), (15, 0))
        self.assertNotIn("own", total)
        self.assertIn("xredist alone", err)

    def test_several_programs(self):
        _, err = run(TRY, *LAUNCHER, "1", CALLS, "finalize", ":", LAUNCHER[-1], "1", CALLS, "finalize")
        self.assertRegex(err, r"total +14 ")

    def test_without_finalize(self):
        out, err = run(TRY, "--json", str(self.json), CALLS, "exit")
        self.assertEqual(out, "all right\n")
        complete, total, _ = self.results()
        self.assertFalse(complete)
        self.assertEqual((total["calls"], total["different"]), (14, 0))
        self.assertEqual(err.count("ended without MPI_Finalize"), 1)

    def test_nothing_to_compare(self):
        _, err = run(TRY, *LAUNCHER, "1", CALLS, "finalize", LD_PRELOAD=preloaded(DROP_IN))
        self.assertIn("already; XREDIST_REPORT=1", err)
        _, err = run(TRY, *LAUNCHER, "1", ROWS_TO_GRID, "50")
        self.assertIn("no call was tried\nThe program did not call the routines, or it contains ScaLAPACK", err)

    def test_solve(self):
        run(TRY, "--json", str(self.json), *LAUNCHER, "3", SOLVE)
        _, total, rows = self.results()
        self.assertGreater(total["calls"], 4)
        self.assertEqual(total["different"], 0)
        self.assertEqual({routine for routine, _ in rows}, {"PDGEMR2D", "PDLASWP", "PDLAPIV"})

    @unittest.skipUnless(TESTERS, "PBLAS's testers are not installed")
    def test_tester_of_pblas(self):
        (self.folder / "PZBLAS3TST.dat").symlink_to(pathlib.Path(TESTERS, "PBLAS/PZBLAS3TST.dat"))
        run(TRY, "--json", str(self.json), *LAUNCHER, "4", str(pathlib.Path(TESTERS, "PBLAS/zpb3tst")), folder=self.folder)
        _, total, rows = self.results()
        self.assertGreater(total["calls"], 10)
        self.assertEqual(total["different"], 0)
        self.assertLessEqual({"PZGEADD", "PZTRADD"}, {routine for routine, _ in rows})

    def test_layouts(self):
        out, err = run(TRY, "--layouts", *LAUNCHER, "2", LAYOUTS)
        self.assertRegex(out, r"(?m)^all right, INFO of slabs -606$")  # ScaLAPACK itself may write lines about INFO
        rows = re.findall(r"^(PD\w+) +100  (\d+ x \d+ on \d x \d) +(\d+ x \d+ on \d x \d) +(\d) +([\d.]+) +([\d.]+) +"
                          r"([\d.]+)  [\d.]+$", err, re.M)
        self.assertEqual([(routine, before, calls) for routine, before, _, calls, *_ in rows],
                         [("PDGETRF", "1 x 1 on 1 x 2", "2"), ("PDPOTRF", "1 x 1 on 1 x 2", "3"),
                          ("PDPOTRF", "100 x 50 on 1 x 2", "1"), ("PDSYEVD", "1 x 1 on 1 x 2", "1")], err)
        for _, _, fitted, _, _, seconds, moving in rows:
            self.assertEqual(fitted, "50 x 50 on 1 x 1")
            self.assertLessEqual(float(moving), float(seconds))
        left_out = re.search(r"solvers that --layouts left out\n((?: +\d+  P.*\n)*)", err)
        self.assertEqual(left_out and left_out[1],
                         "     1  PDGETRF: M is not N\n"
                         "     1  PDPOSV: it is not among the solvers that are tried\n"
                         "     1  PDPOTRF: IA or JA is not 1\n"
                         "     1  PDPOTRF: N is 0\n"
                         "     1  PDSYGST: it has two matrices\n"
                         "     1  PDTRSM: it continues with factors, whose layout is chosen before\n", err)
        out, err = run(TRY, *LAUNCHER, "2", LAYOUTS)
        self.assertNotIn("fitted", err)
        self.assertNotIn("left out", err)

    def test_pages(self):
        """Texts from outside, such as the name of the program, cannot become a part of the page."""
        program = self.folder / "a \"b\"<img src=x>&'<script>.exe"
        program.symlink_to(CALLS)
        pages = [self.folder / "<one>&.html", self.folder / "two.html"]
        for page in pages:
            run(TRY, "--html", str(page), "--json", str(self.json), *LAUNCHER, "4", str(program), "finalize")
        found = PageOf(pages[0].read_text())
        self.assertEqual(found.title, f"xredist-try of {program} finalize")
        self.assertEqual(found.data, json.loads(pages[0].read_text().split('id="data">')[1].split("</script>")[0]))
        self.assertEqual(json.loads(self.json.read_text()).keys(), found.data.keys())
        self.assertEqual(found.data["where"]["program"], f"{program} finalize")
        self.assertEqual((found.data["where"]["processes"], found.data["where"]["nodes"]), (4, 1))
        self.assertEqual(found.tags & {"img", "link", "iframe"}, {"link"})
        slowest = [max(call["own"], call["xredist"]) for call in found.data["slowest"]]
        self.assertEqual(slowest, sorted(slowest, reverse=True))
        self.assertEqual(len(slowest), 10)
        self.check_comparison(pages)

    def check_comparison(self, pages):
        both = self.folder / "both.html"
        for names in pages, [self.json, pages[1]]:
            out, _ = run(TRY, "--compare", *map(str, names), "--html", str(both))
            self.assertRegex(out, rf"(?m)^A: {re.escape(str(names[0]))}: ")
            self.assertRegex(out, r"PDGEMR2D +60 x 60 +60 x 4 on 1 x 4 +8 x 8 on 2 x 2 +(?:\d\S+ *){6}\n")
            self.assertRegex(out, r"(?m)^total .*\nshare of the [\d.]+ s of A: own routines [\d.]+ %, xredist [\d.]+ %$")
            self.assertLessEqual(max(map(len, out.splitlines()[2:])), 150)
            found = PageOf(both.read_text())
            self.assertEqual([x["file"] for x in found.data["runs"]], list(map(str, names)))
            self.assertEqual(found.title, f"xredist-try: {names[0]} and {names[1]}")
            self.assertNotIn("img", found.tags)
        run(TRY, "--html", str(both), "--compare", *map(str, pages))
        for wrong in [str(both)], [str(both), str(pages[0])], [CALLS, str(pages[0])], ["none", str(pages[0])]:
            done = subprocess.run([TRY, "--compare", *wrong], capture_output=True, text=True, timeout=20)
            self.assertNotEqual(done.returncode, 0)
            self.assertEqual(done.stdout, "")
            self.assertNotIn("Traceback", done.stderr)

    def test_tune(self):
        before = set(pathlib.Path(tempfile.gettempdir()).glob("xredist-try-*"))
        _, err = run(TRY, "--tune", "--json", str(self.json), *LAUNCHER, "4", CALLS, "repeat")
        self.assertEqual(set(pathlib.Path(tempfile.gettempdir()).glob("xredist-try-*")) - before, set())
        logged = [line.removeprefix("xredist: ") for line in err.splitlines() if line.startswith("xredist: ") and "trials" in line]
        self.assertGreater(len(logged), 2)
        self.assertEqual(json.loads(self.json.read_text())["tuned"], logged)
        _, err = run(TRY, "--tune", *LAUNCHER, "4", CALLS, "repeat")
        self.assertRegex(err, r"xredist: PDGEMR2D tuned 60x60 elements of 8 bytes, .*: \d\d trials\n")
        self.assertRegex(err, r"xredist:   as modelled +\d+\.\d us, +\d+ trials")
        self.assertEqual(err.count(", chosen\n"), 1)
        self.assertNotIn("repeated often enough", err)
        none = "no call was repeated often enough to be tuned (at least 2 executions with the same arguments are needed)"
        _, err = run(TRY, "--tune", *LAUNCHER, "1", ROWS_TO_GRID, "50")
        self.assertIn(none, err)
        out, _ = run(TRY, *LAUNCHER, "4", CALLS, "repeat")
        self.assertNotIn("tuned", out)

    def test_usage(self):
        for arguments in [], ["--only", "other", "x"], ["--json"], ["--wrong", "x"], ["srun", "x"]:
            done = subprocess.run([TRY, *arguments], capture_output=True, text=True, timeout=20)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn("xredist-try", done.stderr)


class Report(unittest.TestCase):
    def test_drop_in(self):
        out, err = run(*LAUNCHER, "4", "env", f"LD_PRELOAD={preloaded(DROP_IN)}", CALLS, "finalize", XREDIST_REPORT="1")
        self.assertEqual(out, "all right\n")
        self.assertEqual(err.count("xredist: report of process"), 1)
        self.assertRegex(err, r"xredist: PDGEMR2D +60 x 60 +60 x 4 on 1 x 4 +8 x 8 on 2 x 2 +3 ")
        self.assertRegex(err, r"xredist: PDGEMR2D +60 x 60 +7 x 60 on 2 x 1 +11 x 60 on 2 x 1 +5 ")
        self.assertRegex(err, r"xredist: total +11 +")

    def test_plans(self):
        _, err = run(*LAUNCHER, "2", ROWS_TO_GRID, "500", XREDIST_REPORT="1")
        self.assertRegex(err, r"xredist: plan +500 x 500 .* 1 +2.0 ")
        _, err = run(*LAUNCHER, "2", ROWS_TO_GRID, "500")
        self.assertNotIn("report", err)


unittest.main(argv=sys.argv[:1])
