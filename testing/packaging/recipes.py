# SPDX-License-Identifier: BSD-3-Clause
"""Recipes of packaging, checked without the tools that read them: options and versions are the project's.

usage: recipes.py SOURCE BUILD VERSION
"""

import contextlib
import itertools
import pathlib
import re
import sys
import types
import unittest
import unittest.mock

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


class Spec(unittest.mock.MagicMock):
    """One choice of variants, as the recipe sees it. Packages and their files are mocks."""

    def satisfies(self, condition):
        parts = re.findall(r"([+~])(\w+)", condition)
        assert "".join(sign + name for sign, name in parts) == condition, condition
        return all(self.chosen[name] == (sign == "+") for sign, name in parts)


def define(name, value):
    if isinstance(value, bool):
        value = "ON" if value else "OFF"
    return f"-D{name}={';'.join(map(str, value)) if isinstance(value, list) else value}"


class Spack(unittest.TestCase):
    """Executes the recipe with stand-ins for Spack's names."""

    def setUp(self):
        self.variants, self.needed, self.required, self.versions, self.ran = {}, set(), [], [], []
        package = types.ModuleType("spack.package")
        package.version = self.versions.append
        package.license = package.conflicts = lambda *args, **keys: None
        package.variant = lambda name, default, description: self.variants.update({name: default})
        package.depends_on = lambda spec, type=None, when=None: self.needed.add(re.split("[@+]", spec)[0])
        package.requires = lambda spec, when, msg: self.required.append((spec, when))
        package.when = lambda condition: contextlib.nullcontext()
        package.which = lambda path: lambda *args: self.ran.append(args)
        cmake = types.ModuleType("spack_repo.builtin.build_systems.cmake")
        cmake.CMakePackage = types.new_class("CMakePackage", (), {}, lambda body: body.update(
            define=staticmethod(define),
            define_from_variant=lambda package, name, variant: define(name, package.spec.chosen[variant])))
        folders = ("spack", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems")
        modules = {module.__name__: module for module in (package, cmake, *map(types.ModuleType, folders))}
        with unittest.mock.patch.dict(sys.modules, modules):
            names = {}
            exec(text("spack/package.py"), names)
        self.recipe = names["Xredist"]

    def recipes(self):
        """Yields the recipe with each choice of variants that Spack would accept, and the choice."""
        for values in itertools.product((True, False), repeat=len(self.variants)):
            spec = Spec(chosen=dict(zip(self.variants, values)))
            if all(spec.satisfies(wanted) for wanted, when in self.required if spec.satisfies(when)):
                recipe = self.recipe()
                recipe.spec, recipe.prefix = spec, unittest.mock.MagicMock()
                yield recipe, spec.chosen

    def test_names(self):
        self.assertEqual(self.versions, [VERSION])
        self.assertLessEqual({"mpi", "scalapack", "cmake"}, self.needed)

    def test_options(self):
        recipes = list(self.recipes())
        self.assertGreater(len(recipes), 10)
        for recipe, chosen in recipes:
            options = named(" ".join(recipe.cmake_args()))
            shared = options.pop("BUILD_SHARED_LIBS", None)
            self.assertLessEqual(options.keys(), OPTIONS)
            for name in ("fortran", "ilp64", "timing"):
                self.assertEqual(options[f"XREDIST_{name.upper()}"], "ON" if chosen[name] else "OFF")
            if options["XREDIST_TESTING"] == "ON":  # CMakeLists.txt demands this
                self.assertEqual((shared, options["XREDIST_FORTRAN"], options["XREDIST_ILP64"]), (None, "ON", "ON"))
            else:
                self.assertEqual(shared, "ON" if chosen["shared"] else "OFF")
            self.assertFalse(options["XREDIST_TIMING"] == "ON" and shared == "OFF")

    def test_smoke(self):
        for recipe, chosen in self.recipes():
            self.ran.clear()
            recipe.test_smoke()
            configured, built, tested = self.ran
            self.assertIn(recipe.prefix.share.xredist.testing, configured)
            self.assertIn("-DLANGUAGES=C;CXX" + (";Fortran" if chosen["fortran"] else ""), configured)
            self.assertEqual((built[0], tested[0]), ("--build", "--test-dir"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
