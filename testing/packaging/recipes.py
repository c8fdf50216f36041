# SPDX-License-Identifier: BSD-3-Clause
"""Recipes of packaging, checked without the tools that read them: options, versions and names are the project's.

usage: recipes.py SOURCE VERSION [TEST...]
"""

import contextlib
import itertools
import pathlib
import re
import sys
import types
import unittest
import unittest.mock

SOURCE = pathlib.Path(sys.argv[1])
VERSION = sys.argv[2]
PACKAGING = SOURCE / "packaging"
LIBRARIES = {"xredist", "xredist_prefixed", "xredist_scalapack", "xredist_scalapack_ilp64"}


def text(path):
    return (SOURCE / path).read_text(encoding="utf-8")


LISTS = text("CMakeLists.txt") + text("TIMING/CMakeLists.txt")
OPTIONS = {*re.findall(r"(?:option|find_program)\((XREDIST_\w+)", LISTS),
           *re.findall(r"set\((XREDIST_\w+) .*CACHE", LISTS)}


def named(words):
    """Options with their values in -DNAME=VALUE."""
    return dict(re.findall(r"-D((?:XREDIST|BUILD)_\w+)=([^\s\"']*)", words))


class Recipes(unittest.TestCase):
    def test_options(self):
        self.assertGreater(len(OPTIONS), 7)
        for path in ("debian/rules", "conda/build.sh", f"easybuild/xredist-{VERSION}-foss-2023b.eb"):
            options = named((PACKAGING / path).read_text(encoding="utf-8"))
            self.assertLessEqual({name for name in options if name.startswith("XREDIST")}, OPTIONS, path)
            self.assertLessEqual({"XREDIST_TESTING", "XREDIST_MPI", "XREDIST_SMPICXX"}, options.keys(), path)

    def test_versions(self):
        self.assertRegex(text("packaging/debian/changelog"), rf"^xredist \({re.escape(VERSION)}-\d+\) ")
        self.assertRegex(text("CITATION.cff"), rf"(?m)^version: {re.escape(VERSION)}$")

    def test_easybuild(self):
        files = list((PACKAGING / "easybuild").iterdir())
        self.assertEqual(len(files), 1)
        config = {"SHLIB_EXT": "so"}
        exec(files[0].read_text(encoding="utf-8"), config)  # what EasyBuild does
        for key in ("name", "version", "homepage", "description", "toolchain", "moduleclass"):
            self.assertIn(key, config)
        self.assertEqual((config["name"], config["version"]), ("xredist", VERSION))
        toolchain = config["toolchain"]
        self.assertEqual(files[0].name, f"xredist-{VERSION}-{toolchain['name']}-{toolchain['version']}.eb")
        checked = set(config["sanity_check_paths"]["files"])
        self.assertLessEqual({f"lib/lib{name}.{end}" for name in LIBRARIES for end in ("a", "so")}, checked)
        for path in (path for path in checked if path.startswith("include/")):
            self.assertTrue((SOURCE / path).is_file(), path)
        self.assertIn("share/xredist/testing/Makefile", "".join(config["sanity_check_commands"]))


class Conda(unittest.TestCase):
    def rendered(self, value, names):
        if isinstance(value, dict):
            return {key: self.rendered(item, names) for key, item in value.items()}
        if isinstance(value, list):
            return [self.rendered(item, names) for item in value]
        if isinstance(value, str):
            return re.sub(r"\$\{\{(.*?)\}\}", lambda found: str(eval(found[1].strip(), {}, names)), value)
        return value

    def test_variants(self):
        import yaml

        folder = PACKAGING / "conda"
        recipe = yaml.safe_load((folder / "recipe.yaml").read_text(encoding="utf-8"))
        variants = yaml.safe_load((folder / "variants.yaml").read_text(encoding="utf-8"))
        self.assertEqual(recipe["context"]["version"], VERSION)
        self.assertEqual(variants, {"mpi": ["openmpi", "mpich"]})
        for mpi in variants["mpi"]:
            names = {**recipe["context"], "mpi": mpi, "hash": "hash",
                     "compiler": lambda language: f"{language}_compiler",
                     "stdlib": lambda language: f"{language}_stdlib"}
            made = self.rendered({key: value for key, value in recipe.items() if key != "context"}, names)
            self.assertEqual(made["package"], {"name": "xredist", "version": VERSION})
            self.assertEqual(made["build"]["string"], f"mpi_{mpi}_hhash_0")
            needed = made["requirements"]
            self.assertTrue(mpi in needed["host"] and mpi in needed["run"] and "scalapack" in needed["host"])
            self.assertLessEqual({"c_compiler", "cxx_compiler", "fortran_compiler", "ninja"}, set(needed["build"]))
            self.assertTrue((folder / made["source"]["path"]).samefile(SOURCE))
            self.assertTrue((folder / made["build"]["script"]).is_file())
            self.assertTrue((SOURCE / made["about"]["license_file"]).is_file())
            contents, smoke = made["tests"]
            self.assertEqual(set(contents["package_contents"]["lib"]), LIBRARIES)
            self.assertIn("share/xredist/testing", "".join(smoke["script"]["content"]))


class Prefix(str):
    """A folder whose attributes are the folders in it."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Prefix(f"{self}/{name}")


class Spec:
    """One choice of variants, with what the recipe asks of it."""

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
    """The recipe is executed with a stand-in for Spack's names."""

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
            exec(text("packaging/spack/package.py"), names)
        self.recipe = names["Xredist"]

    @staticmethod
    def define(name, value):
        if isinstance(value, bool):
            value = "ON" if value else "OFF"
        return f"-D{name}={value if isinstance(value, str) else ';'.join(value)}"

    def choices(self):
        """All that Spack would accept."""
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
        self.assertGreater(len(choices), 20)
        for spec in choices:
            recipe = self.recipe()
            recipe.spec, recipe.prefix = spec, spec.prefix
            options = named(" ".join(recipe.cmake_args()))
            shared = options.pop("BUILD_SHARED_LIBS", None)
            self.assertLessEqual(options.keys(), OPTIONS)
            for name in ("fortran", "ilp64", "timing", "openmp"):
                self.assertEqual(options[f"XREDIST_{name.upper()}"], "ON" if spec.chosen[name] else "OFF")
            if options["XREDIST_TESTING"] == "ON":  # what CMakeLists.txt asks for
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
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
