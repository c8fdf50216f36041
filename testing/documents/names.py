# SPDX-License-Identifier: BSD-3-Clause
"""Names in the documents exist: functions, messages, files.
usage: names.py TREE NM LIBRARY"""
import pathlib
import re
import runpy
import shutil
import subprocess
import sys
import unittest

TREE = pathlib.Path(sys.argv[1]).resolve()
NM, LIBRARY = sys.argv[2:]
MAN = TREE / "doc/man"
CONF = runpy.run_path(str(TREE / "doc/conf.py"))
RST = sorted((TREE / "doc").rglob("*.rst"))
# An included header or module is a part of its page.
INCLUDED = re.compile(r"^\.\. (?:literalinclude|header):: (.*)$", re.M)
PAGES = {name: f"{page}.{section}.rst" for _, page, *_, section in CONF["man_pages"]
         for name in [page, *CONF["aliases"].get(page, [])]}


def tracked():
    """Returns the files of the tree that git has or would add; without git, all files outside of build."""
    if shutil.which("git"):
        listed = subprocess.run(["git", "-C", TREE, "ls-files", "--cached", "--others", "--exclude-standard"],
                                capture_output=True, text=True).stdout.splitlines()
        if listed:
            return [TREE / name for name in listed if (TREE / name).is_file()]
    return [path for path in TREE.rglob("*") if path.is_file() and "build" not in path.relative_to(TREE).parts]


FILES = tracked()


def functions():
    """Returns the names that the library exports, without the prefix of ScaLAPACK's names and Fortran's underscore."""
    lines = subprocess.run([NM, "-D", "--defined-only", LIBRARY], check=True, capture_output=True, text=True).stdout
    exported = {line.split()[-1].rstrip("_") for line in lines.splitlines()}
    return {name for name in exported
            if name.removeprefix("xredist_") == name or name.removeprefix("xredist_") not in exported}


class Functions(unittest.TestCase):
    def test_each_has_a_page(self):
        names = functions()
        self.assertGreater(len(names), 60)
        for name in sorted(names):
            if name.startswith("xredist_fortran_"):  # called by the module's routines only
                continue
            self.assertIn(name, PAGES)
            page = (MAN / PAGES[name]).read_text()
            texts = [page, *((MAN / file).read_text() for file in INCLUDED.findall(page))]
            if name.startswith("xredist_"):
                self.assertRegex("".join(texts), rf"(?i)\b{name}\(")

    def test_each_page_is_of_something(self):
        known = functions() | {"xredist", "xredist_fortran", "xredist_pivots", "xredist-roll", "xredist-cluster",
                               "xredist-try", "xschedule"} | {f"x{t}redist" for t in "isdcz"}
        self.assertLessEqual(PAGES.keys(), known)
        self.assertEqual(set(PAGES.values()), {path.name for path in MAN.iterdir()})

    def test_references(self):
        for path in RST:
            for name, section in re.findall(r":manpage:`(\w+)\((\d)\)`", path.read_text()):
                self.assertTrue(PAGES.get(name, "").endswith(f".{section}.rst"), f"{path.name}: {name}({section})")


class Messages(unittest.TestCase):
    def test_each_is_in_the_sources(self):
        """Each message in the list, without its placeholders in capitals, is in a literal of the sources."""
        rooms = TREE / "src", TREE / "cmake"
        code = "\n".join(path.read_text() for path in FILES if any(room in path.parents for room in rooms))
        code = re.sub(r'"\s*\n\s*"', "", code)
        found = 0
        for line in re.findall(r"^(?:CMake: )?``.*``$", (TREE / "doc/messages.rst").read_text(), re.M):
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
        """A path in the guide that begins with a folder of the tree exists; options may follow."""
        rooms = {path.relative_to(TREE).parts[0] for path in FILES}
        found = 0
        for path in RST:
            if path.name == "comparison.rst":  # files of other projects
                continue
            for name in re.findall(r"``([\w.-]+/[\w./-]+)", path.read_text()):
                if name.split("/")[0] in rooms:
                    self.assertTrue((TREE / name).exists(), f"{path.name}: {name}")
                    found += 1
        self.assertGreater(found, 8)


unittest.main(argv=sys.argv[:1])
