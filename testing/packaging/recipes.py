# SPDX-License-Identifier: BSD-3-Clause
"""Recipes of packaging, checked without the tools that read them: options and versions are the project's.

usage: recipes.py SOURCE BUILD VERSION
"""

import pathlib
import re
import subprocess
import sys
import unittest

SOURCE, BUILD = map(pathlib.Path, sys.argv[1:3])
VERSION = sys.argv[3]
OPTIONS = set(re.findall(r"(?m)^(XREDIST_\w+):(?:BOOL|STRING|FILEPATH)=", (BUILD / "CMakeCache.txt").read_text()))


def text(path):
    return (SOURCE / "packaging" / path).read_text(encoding="utf-8")


def named(words):
    """Returns the options of -DNAME=VALUE with their values."""
    return dict(re.findall(r"-D((?:XREDIST|BUILD)_\w+)=([^\s\"']*)", words))


class Debian(unittest.TestCase):
    def test_options(self):
        options = {name for name in named(text("debian/rules")) if name.startswith("XREDIST")}
        self.assertGreater(len(OPTIONS), 7)
        self.assertLessEqual(options, OPTIONS)
        self.assertLessEqual({"XREDIST_TESTING", "XREDIST_MPI", "XREDIST_SMPICXX"}, options)

    def test_versions(self):
        self.assertRegex(text("debian/changelog"), rf"^xredist \({re.escape(VERSION)}-\d+\) ")
        self.assertRegex(text("../CITATION.cff"), rf"(?m)^version: {re.escape(VERSION)}$")
        self.assertIn(f'__version__ = "{VERSION}"', text("../python/xredist/__init__.py"))


class Spack(unittest.TestCase):
    def test_options_and_variants(self):
        recipe = text("spack/package.py")
        compile(recipe, "package.py", "exec")
        options = set(re.findall(r'"(XREDIST_\w+)"', recipe))
        self.assertGreater(len(options), 4)
        self.assertLessEqual(options, OPTIONS)
        variants = set(re.findall(r'variant\("(\w+)", default', recipe))
        used = re.findall(r'define_from_variant\("\w+", "(\w+)"\)|[+~](\w+)', recipe)
        self.assertEqual({name for names in used for name in names if name}, variants)

    def test_version(self):
        self.assertIn(f'version("{VERSION}")', text("spack/package.py"))


class Workflow(unittest.TestCase):
    def test_runs_each_step_once(self):
        steps = subprocess.run([SOURCE / ".ci/run", "--list"], capture_output=True, text=True, check=True).stdout.split()
        self.assertGreater(len(steps), 8)
        matrix = re.findall(r"(?m)^ {10}- (.*)$", text("../.github/workflows/ci.yml"))
        self.assertEqual(sorted(" ".join(matrix).split()), sorted(steps))

    def test_an_unknown_step_is_refused(self):
        done = subprocess.run([SOURCE / ".ci/run", "other"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("unknown step other", done.stderr)


class Python(unittest.TestCase):
    def test_licence(self):
        self.assertEqual(text("../python/LICENSE"), text("../LICENSE"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
