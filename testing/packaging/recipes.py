# SPDX-License-Identifier: BSD-3-Clause
"""Recipes of packaging, checked without the tools that read them: options and versions are the project's.

usage: recipes.py SOURCE BUILD VERSION
"""

import json
import pathlib
import re
import subprocess
import sys
import unittest

SOURCE, BUILD = map(pathlib.Path, sys.argv[1:3])
VERSION = sys.argv[3]
# What the recipes have in place of an address and a version, until packaging/release writes these.
ADDRESS = "https://xredist.invalid"
UNRELEASED = "0.0.0"
OPTIONS = set(re.findall(r"(?m)^(XREDIST_\w+):(?:BOOL|STRING|FILEPATH)=", (BUILD / "CMakeCache.txt").read_text()))


def text(path):
    return (SOURCE / "packaging" / path).read_text(encoding="utf-8")


def named(words):
    """Returns the options of -DNAME=VALUE with their values."""
    return dict(re.findall(r"-D((?:XREDIST|BUILD)_\w+)=([^\s\"']*)", words))


class CMake(unittest.TestCase):
    """The version of CMake that the project needs."""
    MINIMUM = re.search(r"cmake_minimum_required\(VERSION ([\d.]+)\)", text("../CMakeLists.txt"))[1]

    # Later features of CMake 3, with the minor version of each.
    LATER = {r"\bENVIRONMENT_MODIFICATION\b": 22, r"\bFILE_SET\b": 23, r"\bFIND_PACKAGE_ARGS\b": 24, r"--fresh\b": 24,
             r"\bCOMPILE_WARNING_AS_ERROR\b": 24, r"\$<LINK_(LIBRARY|GROUP):": 24, r"\$<PATH[:_]": 24, r"\bblock\(": 25,
             r"\breturn\(PROPAGATE\b": 25, r"\bVALIDATOR\b": 25, r"-E env .*--modify": 25, r"--workflow\b": 25,
             r"\$<BUILD_LOCAL_INTERFACE:": 26, r"\$<LIST:": 27}

    def test_one_minimum(self):
        minor = int(self.MINIMUM.split(".")[1])
        files = [path for folder in ("testing", "TIMING") for path in (SOURCE / folder).rglob("CMakeLists.txt")]
        declared = [version for path in files
                    for version in re.findall(r"cmake_minimum_required\(VERSION ([\d.]+)\)", path.read_text())]
        self.assertGreater(len(declared), 2)
        self.assertEqual(set(declared), {self.MINIMUM})
        presets = json.loads(text("../CMakePresets.json"))
        self.assertEqual(presets["cmakeMinimumRequired"], {"major": 3, "minor": minor})
        self.assertEqual(presets["version"], 3)  # which CMake 3.21 reads
        self.assertIn(f"cmake (>= {self.MINIMUM})", text("debian/control"))
        self.assertIn(f'"cmake@{self.MINIMUM}:"', text("spack/xredist/package.py"))
        self.assertIn(f"The build needs CMake {self.MINIMUM},", text("../doc/linking.rst"))

    def test_no_later_feature(self):
        minor = int(self.MINIMUM.split(".")[1])
        paths = [SOURCE / "CMakeLists.txt", SOURCE / "quickstart", SOURCE / ".ci/run", *(SOURCE / "cmake").rglob("*.*")]
        for folder in ("src", "try", "fortran", "examples", "TIMING", "testing", "doc"):
            paths += [*(SOURCE / folder).rglob("CMakeLists.txt"), *(SOURCE / folder).rglob("*.cmake")]
        self.assertGreater(len(paths), 40)
        for path in paths:
            for feature, version in self.LATER.items():
                found = re.search(feature, path.read_text())
                self.assertFalse(found and version > minor, f"{path}: {found and found[0]} needs CMake 3.{version}")


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
        self.assertEqual(re.findall(r"(?m)^## (.*)$", text("../CHANGELOG.md"))[0], VERSION)


class Spack(unittest.TestCase):
    def test_options_and_variants(self):
        recipe = text("spack/xredist/package.py")
        compile(recipe, "package.py", "exec")
        options = set(re.findall(r'"(XREDIST_\w+)"', recipe))
        self.assertGreater(len(options), 4)
        self.assertLessEqual(options, OPTIONS)
        variants = set(re.findall(r'variant\("(\w+)", default', recipe))
        used = re.findall(r'define_from_variant\("\w+", "(\w+)"\)|[+~](\w+)', recipe)
        self.assertEqual({name for names in used for name in names if name}, variants)

    def test_versions(self):
        of_python = text("spack/py_xredist/package.py")
        compile(of_python, "package.py", "exec")
        for recipe in (text("spack/xredist/package.py"), of_python):
            self.assertIn(f'version("{UNRELEASED}", sha256="', recipe)
            self.assertIn(f'url = "{ADDRESS}/xredist-{UNRELEASED}.tar.gz"', recipe)
        self.assertIn(f'for number in ("{UNRELEASED}",)', of_python)
        needed = re.search(r"setuptools>=(\d+)", text("../python/pyproject.toml"))[1]
        self.assertIn(f'"py-setuptools@{needed}:"', of_python)


class EasyBuild(unittest.TestCase):
    def test_parameters(self):
        recipe = dict(SOURCE_TAR_GZ="%(name)s-%(version)s.tar.gz", SHLIB_EXT="so")
        (file,) = (SOURCE / "packaging/easybuild").glob("*.eb")
        exec(compile(file.read_text(), file, "exec"), recipe)
        toolchain = recipe["toolchain"]
        self.assertEqual(file.name, f"xredist-{UNRELEASED}-{toolchain['name']}-{toolchain['version']}.eb")
        self.assertEqual((recipe["name"], recipe["version"], recipe["homepage"]), ("xredist", UNRELEASED, ADDRESS))
        self.assertEqual(len(recipe["sources"]), len(recipe["checksums"]))
        self.assertLessEqual(set(named(recipe["configopts"])), OPTIONS)
        for name, version in recipe["builddependencies"]:
            if name == "CMake":
                self.assertGreaterEqual(int(version.split(".")[1]), int(CMake.MINIMUM.split(".")[1]))


class CondaForge(unittest.TestCase):
    def test_recipe(self):
        recipe = text("conda-forge/meta.yaml")
        self.assertIn(f'{{% set version = "{UNRELEASED}" %}}', recipe)
        self.assertIn(f"url: {ADDRESS}/xredist-{{{{ version }}}}.tar.gz", recipe)
        self.assertIn(f"home: {ADDRESS}\n", recipe)
        self.assertIn(f"- cmake >={CMake.MINIMUM}\n", recipe)
        scripts = re.findall(r"script: (\S+)", recipe)
        self.assertEqual(len(scripts), 2)
        for script in scripts:
            subprocess.run(["bash", "-n", SOURCE / "packaging/conda-forge" / script], check=True)
            self.assertLessEqual(set(named(text(f"conda-forge/{script}"))), OPTIONS | {"BUILD_SHARED_LIBS"})


class Workflow(unittest.TestCase):
    def test_runs_each_step_once(self):
        steps = subprocess.run([SOURCE / ".ci/run", "--list"], capture_output=True, text=True, check=True).stdout.split()
        self.assertGreater(len(steps), 8)
        matrix = re.findall(r"(?m)^ {10}- (.*)$", text("../.github/workflows/ci.yml"))
        self.assertEqual(sorted(" ".join(matrix).split()), sorted(steps))

    def test_contributors_know_all_steps(self):
        guide = text("../CONTRIBUTING.md")
        listed = subprocess.run([SOURCE / ".ci/run", "--list"], capture_output=True, text=True, check=True).stdout.split()
        each_change, = re.findall(r"(?m)^\| each change \| (.*) \|$", guide)
        by_name, = re.findall(r"(?m)^\| before a release, by name \| `.ci/run (.*)` \|$", guide)
        defined = re.findall(r"(?m)^step_(\w+)\(\)", text("../.ci/run"))
        self.assertEqual(each_change.split(", "), listed)
        self.assertEqual(sorted(defined), sorted(listed + by_name.split()))

    def test_an_unknown_step_is_refused(self):
        done = subprocess.run([SOURCE / ".ci/run", "other"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertIn("unknown step other", done.stderr)


class Licences(unittest.TestCase):
    def test_copies(self):
        for copy in ("../python/LICENSE", "../LICENSES/BSD-3-Clause.txt"):
            self.assertEqual(text(copy), text("../LICENSE"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
