# SPDX-License-Identifier: BSD-3-Clause
"""The pages of the tools in a browser: no complaints, no requests, contrast, keyboard, narrow windows, dark mode, print.
usage: pages.py TEMPLATES XSCHEDULE   prints "skipped: ..." where there is no browser; XSCHEDULE may be empty"""
import base64
import json
import pathlib
import runpy
import shutil
import subprocess
import sys
import tempfile
import unittest

from browser import Browser

TEMPLATES, XSCHEDULE = pathlib.Path(sys.argv.pop(1)), sys.argv.pop(1)
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
        """Opens a page with data, in which texts are escaped as core::json_text does."""
        text = json.dumps(data).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
        page = self.folder / "page.html"
        template = (TEMPLATES / f"{kind}.html").read_text()
        page.write_text(template.replace("{{title}}", "a page").replace("{{data}}", text))
        self.browser.window(width, 900)
        self.browser.media()
        self.browser.open(page)

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
                controls = self.value("[...document.querySelectorAll('.screen')].filter(x => x.getClientRects().length).length")
                if kind == "print":
                    self.assertEqual((back, controls), ("rgb(255, 255, 255)", 0))
                else:
                    self.assertGreater(controls, 0)
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
            "tuned": ["PDGEMR2D tuned 60x60 elements of 8 bytes: 9 trials",
                      f"  {'as modelled':46} {'120.5':>12} us,  3 trials",
                      f"  {HOSTILE:46} {'90.0':>12} us,  5 trials, chosen", f"  {'permits=1':46} {'no time':>15},  1 trials"],
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

    def test_ways(self):
        self.open("trial", trial())
        rows = "section:has(#ways-of-xredist) .row"
        self.assertEqual(self.texts(f"{rows} .value"), ["as modelled", HOSTILE, "permits=1"])
        self.assertEqual(self.texts(f"{rows} svg"), ["121 µs", "90.0 µs", "not known"])
        self.assertEqual([text.count("(chosen)") for text in self.texts(rows)], [0, 1, 0])

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
        nothing = trial(cases=0) | {"slowest": [], "left_out": [], "layouts": [], "solvers_left_out": [], "tuned": []}
        self.open("trial", nothing)
        self.assertEqual(self.texts(".answer"), ["No redistribution was tried."])
        self.check_looks(5)


@unittest.skipUnless(XSCHEDULE, "xschedule is not built")
class Schedule(Pages):
    def open_case(self, arguments):
        """Opens the page of a case, and returns the size of the file."""
        page = self.folder / "schedule.html"
        subprocess.run([XSCHEDULE, *arguments.split(), "--html", page], check=True, stdout=subprocess.DEVNULL)
        self.browser.window(1200, 900)
        self.browser.media()
        self.browser.open(page)
        return page.stat().st_size

    def marked(self):
        """Returns the numbers of the marked cells of the first table, and the lines of its list of messages."""
        panel = "document.querySelector('.panel')"
        return (self.value(f"[...{panel}.querySelectorAll('text.now')].map(x => x.textContent)"),
                self.value(f"[...{panel}.querySelectorAll('.sent li')].map(x => x.firstChild.data.trim())"))

    def test_the_slider_moves(self):
        self.open_case("1d 15 6 2 3")
        self.assertEqual(self.texts(".answer"), ["The default schedule takes 10 steps; its time is 1.00 times the lower bound."])
        self.assertEqual(self.texts("output"), ["step 1 of 15"])
        moving = "document.querySelectorAll('.owner.moves').length"  # of the first elements, which are shown
        steps, elements = [self.marked()], [self.value(moving)]
        self.value("document.getElementById('step').focus()")
        for step in range(2, 11):
            self.browser.press("ArrowRight")
            self.assertEqual(self.texts("output"), [f"step {step} of 15"])
            steps.append(self.marked())
            elements.append(self.value(moving))
        for number, (cells, messages) in enumerate(steps, 1):
            self.assertEqual(set(cells), {str(number)})
            self.assertEqual(len(cells), len(messages))
            ends = [message.replace(" keeps", "").split(" → ") for message in messages]
            self.assertEqual(len({end[0] for end in ends}), len(ends))
            self.assertEqual(len({end[-1] for end in ends}), len(ends))
        self.assertEqual(sum(len(messages) for _, messages in steps), 60)
        self.browser.press("ArrowRight")
        self.assertEqual(self.texts(".panel .messages p")[0], "All messages have been sent.")
        self.value("[...document.querySelectorAll('button')].find(x => x.textContent.includes('Back')).click()")
        self.assertEqual(self.marked(), steps[-1])
        self.assertEqual(self.value(moving), elements[-1])
        self.assertGreater(sum(elements), 0)

    def test_looks_and_keyboard(self):
        for arguments, least in (("1d 4 6 3 2", 100), ("2d 2x3 3x2 4x4 3x6 --size 40x40", 200), ("3d 2x2x2 1x2x4 4x4x4 8x2x3", 200),
                                 ("nd 2x2x2x2 1x2x4x2 4x4x4x4 8x2x3x4 --size 8x8x8x8", 200)):
            with self.subTest(arguments=arguments):
                self.open_case(arguments)
                for _ in range(3):
                    self.check_looks(least)
                    self.value("[...document.querySelectorAll('button')].find(x => x.textContent.includes('Next')).click()")
        self.check_keyboard()

    def test_algorithms_beside_each_other(self):
        self.open_case("2d 2x3 3x2 4x4 3x6 --algorithm default,two-hop")
        self.assertEqual(self.value("[...document.querySelectorAll('select')].map(x => x.value)"), ["default", "two-hop"])
        self.assertIn("two-hop, hop 1", self.texts(".panel .messages p")[1])
        self.value("(s => { s.value = 'caterpillar'; s.dispatchEvent(new Event('change')); })(document.querySelectorAll('select')[1])")
        self.assertNotIn("hop", self.texts(".panel .messages p")[1])
        self.assertEqual(self.browser.complaints(), [])

    def test_planes_of_more_dimensions(self):
        """A slider for each dimension after the second shows the other process of this dimension in A."""
        for arguments, sizes, strides in (("3d 1x2x2 2x2x1 1x2x3 3x3x2", (6,), (1,)),
                                          ("nd 1x2x2x3 2x2x1x3 1x2x3x1 3x3x2x1 --size 6x12x6x3", (6, 3), (3, 1))):
            with self.subTest(arguments=arguments):
                self.open_case(arguments)
                self.assertEqual(self.texts("output")[1:], [f"plane 0 of {size}" for size in sizes])
                for k, (size, stride) in enumerate(zip(sizes, strides)):
                    steps, before = size // 2, self.texts(".array text:not(.tick)")
                    self.value(f"document.getElementById('plane{k + 3}').focus()")
                    for _ in range(steps):
                        self.browser.press("ArrowRight")
                    self.assertEqual(self.texts("output")[k + 1], f"plane {steps} of {size}")
                    after = self.texts(".array text:not(.tick)")
                    self.assertEqual({int(y) - int(x) for x, y in zip(before[:6], after[:6])}, {stride})
                self.assertEqual(self.browser.complaints(), [])

    def test_large_grids(self):
        self.open_case("1d 2 2 1 1")
        before = self.browser.work()
        size = self.open_case("2d 64x64 64x64 3x5 5x3 --algorithm default,caterpillar")
        self.value("document.body.offsetHeight")  # waits for the layout
        seconds = self.browser.work() - before
        print(f"64 x 64 processes: {size} bytes, {seconds:.2f} s of a processor")
        self.assertLess(size, 2_000_000)
        self.assertLess(seconds, 1)
        self.assertGreater(seconds, 0)
        self.check_looks(300)


class Examples(Pages):
    def test_pages_of_the_guide(self):
        tree = pathlib.Path(__file__).resolve().parents[2]
        example_page = runpy.run_path(str(tree / "doc/conf.py"))["example_page"]
        for kind, answer in (("trial", "Redistribution takes "), ("schedule", "The default schedule takes ")):
            with self.subTest(kind=kind):
                page = self.folder / f"{kind}.html"
                page.write_text(example_page(kind))
                self.browser.window(1200, 900)
                self.browser.media()
                self.browser.open(page)
                self.assertTrue(self.texts(".answer")[0].startswith(answer))
                self.check_looks(80)


if PROGRAM is None:
    print("skipped: there is no browser (Debian: chromium), so the pages are not tested in one")
else:
    unittest.main()
