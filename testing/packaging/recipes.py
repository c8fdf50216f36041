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


class Prefix(str):
    """A folder whose attributes are the folders in it."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Prefix(f"{self}/{name}")


class Spec:
    """One choice of variants, as the recipe sees it."""

    def __init__(self, chosen):
        self.chosen = chosen
        self.prefix = Prefix("/prefix")
        self.mpicc, self.mpifc, self.libs = "/prefix/bin/mpicc", "/prefix/bin/mpifort", ["/prefix/lib/libscalapack.so"]

    def __getitem__(self, package):
        return self

    def satisfies(self, condition):
        parts = re.findall(r"([+~])(\w+)", condition)
        assert "".join(sign + name for sign, name in parts) == condition, condition
        return all(self.chosen[name] == (sign == "+") for sign, name in parts)


class Spack(unittest.TestCase):
    """Executes the recipe with stand-ins for Spack's names."""

    def setUp(self):
        self.variants, self.needed, self.required, self.versions, self.ran = {}, set(), [], [], []
        package = types.ModuleType("spack.package")
        package.version = self.versions.append
        package.license = lambda *args: None
        package.conflicts = lambda *args, **keys: None
        package.variant = lambda name, default, description: self.variants.update({name: default})
        package.depends_on = lambda spec, type=None, when=None: self.needed.add(re.split("[@+]", spec)[0])
        package.requires = lambda spec, when, msg: self.required.append((spec, when))
        package.when = lambda condition: contextlib.nullcontext()
        package.which = lambda path: lambda *args: self.ran.append((path, args))
        cmake = types.ModuleType("spack_repo.builtin.build_systems.cmake")
        cmake.CMakePackage = types.new_class("CMakePackage", (), {}, lambda body: body.update(
            define=staticmethod(self.define),
            define_from_variant=lambda package, name, variant: self.define(name, package.spec.chosen[variant])))
        folders = ("spack", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems")
        modules = {module.__name__: module for module in (package, cmake, *map(types.ModuleType, folders))}
        with unittest.mock.patch.dict(sys.modules, modules):
            names = {}
            exec(text("spack/package.py"), names)
        self.recipe = names["Xredist"]

    @staticmethod
    def define(name, value):
        if isinstance(value, bool):
            value = "ON" if value else "OFF"
        return f"-D{name}={value if isinstance(value, str) else ';'.join(value)}"

    def choices(self):
        """Yields the choices of variants that Spack would accept."""
        for values in itertools.product((True, False), repeat=len(self.variants)):
            spec = Spec(dict(zip(self.variants, values)))
            if all(spec.satisfies(wanted) for wanted, when in self.required if spec.satisfies(when)):
                yield spec

    def test_names(self):
        self.assertEqual(self.versions, [VERSION])
        self.assertLessEqual({"shared", "fortran", "timing", "tests", "ilp64"}, self.variants.keys())
        self.assertLessEqual({"mpi", "scalapack", "cmake"}, self.needed)
        self.assertEqual(self.recipe.__name__, "Xredist")

    def test_options(self):
        choices = list(self.choices())
        self.assertGreater(len(choices), 10)
        for spec in choices:
            recipe = self.recipe()
            recipe.spec, recipe.prefix = spec, spec.prefix
            options = named(" ".join(recipe.cmake_args()))
            shared = options.pop("BUILD_SHARED_LIBS", None)
            self.assertLessEqual(options.keys(), OPTIONS)
            for name in ("fortran", "ilp64", "timing"):
                self.assertEqual(options[f"XREDIST_{name.upper()}"], "ON" if spec.chosen[name] else "OFF")
            if options["XREDIST_TESTING"] == "ON":  # CMakeLists.txt demands this
                self.assertEqual((shared, options["XREDIST_FORTRAN"], options["XREDIST_ILP64"]), (None, "ON", "ON"))
            else:
                self.assertEqual(shared, "ON" if spec.chosen["shared"] else "OFF")
            self.assertFalse(options["XREDIST_TIMING"] == "ON" and shared == "OFF")

    def test_smoke(self):
        for spec in self.choices():
            self.ran.clear()
            recipe = self.recipe()
            recipe.spec, recipe.prefix = spec, spec.prefix
            recipe.test_smoke()
            configured, built, tested = self.ran
            self.assertIn("/prefix/share/xredist/testing", configured[1])
            self.assertIn("-DLANGUAGES=C;CXX" + (";Fortran" if spec.chosen["fortran"] else ""), configured[1])
            self.assertEqual((built[1][0], tested[0]), ("--build", "/prefix/bin/ctest"))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
