# SPDX-License-Identifier: BSD-3-Clause
"""What documents say of the sources: options, functions, messages, files.
usage: sources.py TREE"""
import pathlib
import re
import runpy
import shutil
import subprocess
import sys
import unittest

TREE = pathlib.Path(sys.argv.pop(1)).resolve()
MAN = TREE / "doc/man"
CONF = runpy.run_path(str(TREE / "doc/conf.py"))
RST = sorted((TREE / "doc").rglob("*.rst"))


def text(path):
    return (TREE / path).read_text()


def tracked():
    """The files of the tree: what git has or would take; without git, all files outside of build."""
    if shutil.which("git"):
        listed = subprocess.run(["git", "-C", TREE, "ls-files", "--cached", "--others", "--exclude-standard"],
                                capture_output=True, text=True).stdout.splitlines()
        if listed:
            return [TREE / name for name in listed if (TREE / name).is_file()]
    return [path for path in TREE.rglob("*") if path.is_file() and "build" not in path.relative_to(TREE).parts]


FILES = tracked()


def page_of(name):
    return next((page for _, page, *_ in CONF["man_pages"]
                 if name == page or name in CONF["aliases"].get(page, [])), None)


class Options(unittest.TestCase):
    page = (MAN / "xredist.7.rst").read_text()
    documented = dict(re.findall(r"^``XREDIST_([A-Z]+)`` \(default: (.*)\)$", page, re.M))

    def test_each_is_documented_and_exists(self):
        rows = re.findall(r'^    \{"([a-z]+)", &Options::\1,', text("src/plan/options.cpp"), re.M)
        self.assertGreater(len(rows), 5)
        read = re.findall(r'getenv\("XREDIST_([A-Z]+)"\)', text("src/plan/log.cpp"))
        self.assertEqual(sorted(self.documented), sorted([row.upper() for row in rows] + read))
        self.assertEqual(list(self.documented), sorted(self.documented))

    def test_defaults(self):
        found = 0
        for name, value in re.findall(r"^  Index (\w+) = ([^;]+);", text("src/plan/options.hpp"), re.M):
            default = self.documented[name.upper()].strip("`")
            if name in ("algorithm", "route", "beta"):  # names, and a measurement
                self.assertFalse(default[0].isdigit(), name)
                continue
            number, _, shift = re.sub(r"Index\{(\d+)\}|'", r"\1", value).partition(" << ")  # 2'000, Index{16} << 20
            shown = int(default[:-1]) << 20 if default.endswith("M") else int(default)
            self.assertEqual(int(number) << int(shift or 0), shown, name)
            found += 1
        self.assertGreater(found, 5)

    def test_algorithms(self):
        algorithms = re.findall(r'^    \{"([a-z-]+)",', text("src/schedule/algorithm.cpp"), re.M)
        self.assertGreater(len(algorithms), 5)
        paragraph = self.page[self.page.index("``XREDIST_ALGORITHM`` "):self.page.index("``XREDIST_ALPHA`` ")]
        for name in algorithms:
            self.assertIn(f"``{name}``", paragraph)


class Functions(unittest.TestCase):
    def declared(self):
        names = set()
        for header in sorted((TREE / "include/xredist").glob("*.h")):
            code = header.read_text().replace("\\\n", " ")
            for prefix, stem in re.findall(r"\b(P|CP|C)##letter##(\w+?)##suffix", code):
                names |= {{"P": "p", "CP": "Cp", "C": "C"}[prefix] + letter + stem for letter in "isdcz"}
            names |= {re.sub("(_64)?_?$", "", name)
                      for name in re.findall(r"XREDIST_API [^;#]*?\b(xredist_\w+)\(", code)}
        return names

    def test_each_has_a_page(self):
        names = self.declared()
        self.assertGreater(len(names), 60)
        for name in sorted(names):
            self.assertIsNotNone(page_of(name), f"{name} has no page")
            if name.startswith("xredist_"):
                self.assertRegex((MAN / f"{page_of(name)}.3.rst").read_text(), rf"\b{name}\(", f"{name} in its page")

    def test_each_page_is_of_something(self):
        known = self.declared() | {"xredist", "xredist_fortran", "xschedule"} | {f"x{t}redist" for t in "isdcz"}
        pages = [page for _, page, *_ in CONF["man_pages"]]
        self.assertEqual({name for page in pages for name in [page, *CONF["aliases"].get(page, [])]} - known, set())
        self.assertEqual({f"{page}.{section}.rst" for _, page, _, _, section in CONF["man_pages"]},
                         {path.name for path in MAN.iterdir()})

    def test_references(self):
        for path in RST:
            for name, section in re.findall(r":manpage:`(\w+)\((\d)\)`", path.read_text()):
                page = page_of(name)
                self.assertTrue(page and (MAN / f"{page}.{section}.rst").exists(), f"{path.name}: {name}({section})")


class Messages(unittest.TestCase):
    def test_each_is_in_the_sources(self):
        """Of each message in the list, all that is not a placeholder in capitals."""
        rooms = TREE / "src", TREE / "cmake"
        code = "\n".join(path.read_text() for path in FILES if any(room in path.parents for room in rooms))
        code = re.sub(r'"\s*\n\s*"', "", code)
        found = 0
        for line in re.findall(r"^(?:CMake: )?``.*``$", text("doc/messages.rst"), re.M):
            for message in re.findall(r"``(.*?)``", line):
                for part in re.split(r"\(?\b(?:[A-Z]|NAMES)\b[,)]*", message):
                    if len(part.strip()) > 3:
                        self.assertTrue(part.strip() in code, f"{part.strip()} of: {message}")
                        found += 1
        self.assertGreater(found, 20)


class Links(unittest.TestCase):
    def headings(self, path):
        lines = re.findall(r"^#+ +(.*?)\s*$", re.sub(r"^```.*?^```", "", path.read_text(), flags=re.M | re.S), re.M)
        return {re.sub(r"[^\w\- ]", "", line.lower()).replace(" ", "-") for line in lines}

    def test_markdown(self):
        found = 0
        for path in FILES:
            if path.suffix != ".md":
                continue
            for link in re.findall(r"\]\(([^)\s]+)\)", path.read_text()):
                if re.match(r"[a-z]+:", link):
                    continue
                name, _, anchor = link.partition("#")
                target = (path.parent / name).resolve() if name else path
                self.assertTrue(target.exists(), f"{path.relative_to(TREE)}: {link}")
                if anchor:
                    self.assertIn(anchor, self.headings(target), f"{path.relative_to(TREE)}: {link}")
                found += 1
        self.assertGreater(found, 10)

    def test_paths_in_the_guide(self):
        """What the guide names with its folder is in the tree; options may follow."""
        rooms = {path.relative_to(TREE).parts[0] for path in FILES}
        found = 0
        for path in RST:
            if path.name == "comparison.rst":  # it names files of others
                continue
            for name in re.findall(r"``([\w.-]+/[\w./-]+)", path.read_text()):
                if name.split("/")[0] in rooms:
                    self.assertTrue((TREE / name).exists(), f"{path.name}: {name}")
                    found += 1
        self.assertGreater(found, 8)


unittest.main()
