# SPDX-License-Identifier: BSD-3-Clause
"""The pages of the tools in a browser: no complaints, no requests, contrast, keyboard, narrow windows, dark mode, print.
usage: pages.py TEMPLATES   prints "skipped: ..." where there is no browser"""
import base64
import json
import pathlib
import shutil
import sys
import tempfile
import unittest

from browser import Browser

TEMPLATES = pathlib.Path(sys.argv.pop(1))
PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
INSPECT = pathlib.Path(__file__).with_name("inspect.js").read_text()
HOSTILE = "<img src=x onerror=alert(1)> \"quoted\" 'name' & </script><b>"


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser(PROGRAM)
        cls.addClassCleanup(cls.browser.__exit__)
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)

    def open(self, kind, data, width=1200):
        """Opens a page with data, in which texts are escaped as core::json_text does, and returns the milliseconds."""
        text = json.dumps(data).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
        page = self.folder / "page.html"
        template = (TEMPLATES / f"{kind}.html").read_text()
        page.write_text(template.replace("{{title}}", "a page").replace("{{data}}", text))
        self.browser.window(width, 900)
        self.browser.media()
        return self.browser.open(page)

    def value(self, script):
        return self.browser.value(script)

    def texts(self, selector):
        return self.value(f"[...document.querySelectorAll({json.dumps(selector)})].map(x => x.textContent)")

    def check_looks(self, least):
        """Checks the contrast of at least so many texts in all modes, that no window must be scrolled sideways, and that
        the browser has nothing to complain about."""
        backs = set()
        for kind, scheme in (("screen", "light"), ("screen", "dark"), ("print", "light"), ("print", "dark")):
            with self.subTest(media=kind, scheme=scheme):
                self.browser.media(kind, scheme)
                found = self.value(INSPECT)
                self.assertEqual(found["wrong"], [])
                self.assertGreaterEqual(found["seen"], least)
                back = self.value("getComputedStyle(document.body).backgroundColor")
                backs.add(back)
                if kind == "print":
                    self.assertEqual(back, "rgb(255, 255, 255)")
        self.assertEqual(len(backs), 2)
        self.assertTrue(base64.b64decode(self.browser("Page.printToPDF")["data"]).startswith(b"%PDF"))
        self.browser.media()
        for width in (1200, 700, 360):
            self.browser.window(width, 900)
            self.assertLessEqual(self.value("document.documentElement.scrollWidth"), width)
        self.browser.window(1200, 900)
        self.assertEqual(self.browser.complaints(), [])

    def check_keyboard(self):
        """Checks that Tab reaches all controls, each with a visible focus."""
        controls = "button, input, select, summary, a[href], [tabindex='0']"
        count = self.value(f"document.querySelectorAll({json.dumps(controls)}).length")
        self.value("window.reached = new Set(), document.activeElement.blur()")
        for _ in range(count):
            self.browser.press("Tab")
            self.value("reached.add(document.activeElement)")
            self.assertNotEqual(self.value("getComputedStyle(document.activeElement).outlineStyle"), "none")
        self.assertEqual(self.value(f"[...document.querySelectorAll({json.dumps(controls)})].filter(x => !reached.has(x)).length"), 0)


def row(routine, order, own, xredist, different=0, calls=1, **more):
    return {"routine": routine, "m": order, "n": order, "a": {"mb": 8, "nb": -3, "nprow": 2, "npcol": 2},
            "b": {"mb": 64, "nb": 64, "nprow": 1, "npcol": 4}, "calls": calls, "bytes": 8 * order * order * calls,
            "different": different, "not_tried": 0, "own": {"seconds": own, "memory": 3_000_000},
            "xredist": {"seconds": xredist, "memory": None}} | more


def trial(different=0, cases=20):
    rows = [row(f"P{'SDCZ'[k % 4]}GEMR2D", 100 * (k + 1), 0.01 * (k + 1), 0.003 * (cases - k)) for k in range(cases)]
    if different:
        rows[2]["different"] = different
    total = row("total", 0, sum(x["own"]["seconds"] for x in rows), sum(x["xredist"]["seconds"] for x in rows), different, cases)
    slow = [{key: rows[k][key] for key in ("routine", "m", "n", "a", "b")} |
            {"call": 1, "begin": 0.5 + k, "own": 0.01 * (k + 1), "xredist": 0.003} for k in range(min(5, cases))]
    return {"complete": True, "run_seconds": 20.0, "rows": [total, *rows],
            "left_out": [{"routine": "PDGEADD", "why": HOSTILE, "calls": 3}],
            "where": {"program": HOSTILE, "date": "2026-01-02 03:04 UTC", "processes": 4, "nodes": 2,
                      "hosts": [HOSTILE, "b"], "processor": HOSTILE, "cores": 2, "mpi": "Open MPI", "own_library": HOSTILE,
                      "xredist": "xredist 0"},
            "slowest": slow,
            "layouts": [{"routine": "PDPOTRF", "n": 100, "layout": "1 x 1 on 1 x 2", "fitted_layout": "50 x 50 on 1 x 1",
                         "calls": 3, "own_seconds": 0.002, "fitted_seconds": 0.001, "moving_seconds": 0.0005}],
            "solvers_left_out": [{"routine": "PDGETRF", "why": "M is not N", "calls": 1}]}


class Trial(Pages):
    def test_answer(self):
        self.open("trial", trial())
        self.assertEqual(self.texts(".answer"), ["Redistribution takes 10.5 % of the run; xredist would take 3.2 %."])
        self.assertEqual(self.texts("h1"), [f"xredist-try of {HOSTILE}"])
        self.assertIn("All elements agree.", self.texts(".under")[0])
        self.assertEqual(self.value("document.querySelectorAll('.alarm, .alarm-text, img, b').length"), 0)
        self.check_looks(150)
        self.check_keyboard()

    def test_differing_elements_are_red(self):
        self.open("trial", trial(different=7))
        self.assertEqual(len(self.texts(".alarm")), 1)
        self.assertIn("7 elements of B differ.", self.texts(".alarm")[0])
        self.assertEqual(self.texts("td.alarm-text"), ["7", "7"])  # of the case, and the total
        red, green, blue = self.value("getComputedStyle(document.querySelector('td.alarm-text')).color.match(/\\d+/g).map(Number)")
        self.assertGreater(red, 2 * max(green, blue))
        self.check_looks(150)

    def test_the_table_sorts(self):
        self.open("trial", trial())
        head = "[...document.querySelectorAll('section:has(#all-numbers) th')].find(x => x.textContent === '{}')"
        column = ("[...document.querySelectorAll('section:has(#all-numbers) tbody tr')]"
                  ".map(x => x.cells[{}].textContent)")
        for name, number, descends in (("own s", 6, True), ("routine", 0, False)):
            index = self.value(head.format(name) + ".cellIndex")
            before = self.value(column.format(index))
            self.assertEqual(len(before), 20)
            order = sorted(before, key=float if number else None, reverse=descends)
            self.value(head.format(name) + ".querySelector('button').focus()")
            for direction, expected in (("descending" if descends else "ascending", order),
                                        ("ascending" if descends else "descending", order[::-1])):
                self.browser.press("Enter")
                self.browser("Input.dispatchKeyEvent", type="char", text="\r")
                self.assertEqual(self.value(head.format(name) + ".getAttribute('aria-sort')"), direction)
                self.assertEqual(self.value(column.format(index)), expected)
        self.assertEqual(self.texts("tfoot td")[0], "total")

    def test_two_runs(self):
        second = trial(cases=12)
        self.open("trial", {"runs": [trial() | {"file": HOSTILE}, second | {"file": "b.html"}]})
        self.assertEqual(self.texts(".answer"), ["Redistribution takes 10.5 % and 3.9 % of runs A and B; with xredist, 3.2 % and 1.2 %."])
        self.assertEqual(self.texts(".legend")[1], "own routines in run Aown routines in run Bxredist in run Axredist in run B")
        self.check_looks(200)

    def test_xredist_alone_and_nothing(self):
        alone = trial()
        for x in alone["rows"] + alone["slowest"]:
            del x["own"]
        self.open("trial", alone)
        self.assertEqual(self.texts(".answer"), ["xredist takes 3.2 % of the run."])
        self.check_looks(100)
        nothing = trial(cases=0) | {"slowest": [], "left_out": [], "layouts": [], "solvers_left_out": []}
        self.open("trial", nothing)
        self.assertEqual(self.texts(".answer"), ["No redistribution was tried."])
        self.check_looks(5)


if PROGRAM is None:
    print("skipped: there is no browser (Debian: chromium), so the pages are not tested in one")
else:
    unittest.main()
