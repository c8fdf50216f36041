# SPDX-License-Identifier: BSD-3-Clause
"""The package as its users install and read it: versions, examples of all public names, and types. python -m xredist, a
test of its own, executes the examples."""
import inspect
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
import xredist

PACKAGE = pathlib.Path(xredist.__file__).parent


def imported(library, tmp_path, version=None):
    """Returns what Python prints to stderr when it imports the package, or a copy of it with another version."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OMPI_", "PMIX_", "PMI_"))}
    if version is not None:
        shutil.copytree(PACKAGE, tmp_path / "xredist")
        init = tmp_path / "xredist/__init__.py"
        text = init.read_text().replace(f'__version__ = "{xredist.__version__}"', f'__version__ = "{version}"')
        assert version in text
        init.write_text(text)
        environment["PYTHONPATH"] = str(tmp_path)
    code = "import mpi4py; mpi4py.rc.initialize = False; import xredist"
    return subprocess.run([sys.executable, "-B", "-c", code], env={**environment, "XREDIST_LIBRARY": library},
                          capture_output=True, text=True, timeout=50).stderr


@pytest.mark.parametrize("library", ["/nowhere/libxredist.so", "libm.so.6"])
def test_other_libraries_are_refused(library, tmp_path):
    assert f"ImportError: {library} is not a library of this xredist" in imported(library, tmp_path)


def test_the_library_has_the_version_of_the_package(tmp_path):
    library = os.environ["XREDIST_LIBRARY"]
    assert "Error" not in imported(library, tmp_path)
    expected = (f"ImportError: {library} has version {xredist.__version__} of xredist, this Python package has version "
                "9.8.7: install both with one version, or set XREDIST_LIBRARY to the other file")
    assert expected in imported(library, tmp_path, "9.8.7")


def public():
    """Yields the name and the object of each public class, function, method and property."""
    for name in xredist.__all__:
        thing = getattr(xredist, name)
        if not callable(thing):
            continue
        yield name, thing
        for member, value in vars(thing).items() if inspect.isclass(thing) else ():
            value = getattr(value, "__func__", value)
            if not member.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
                yield f"{name}.{member}", value


@pytest.mark.parametrize("name, thing", public())
def test_each_public_name_has_a_text_and_an_example(name, thing):
    text = inspect.getdoc(thing)
    assert text and re.match(r"\w[^\n]+", text), name
    assert ">>> " in text, name


def test_all_public_names_are_listed():
    assert len(list(public())) > 50
    listed = {name for name, value in vars(xredist).items() if not name.startswith("_") and not inspect.ismodule(value)}
    assert listed == set(xredist.__all__)


PROGRAM = """import numpy as np
import xredist
from mpi4py import MPI

layout = xredist.Layout(nprow=MPI.COMM_WORLD.size, mb=2, nb=8)
A = xredist.DistributedMatrix.zeros(MPI.COMM_WORLD, (8, 8), layout, np.float32)
with A.plan(A.redistribute(layout)) as plan:
    rows: int = plan.query().rows_a
pencils = xredist.ArrayLayout(["*", "BLOCK", xredist.Partition([0, 4])], grid=(1, 1, 1), order=(1, 2, 0))
U = xredist.DistributedArray.zeros(MPI.COMM_WORLD, (8, 8, 4), pencils)
with xredist.Plan(U.comm, U.layout, pencils, shape=U.shape, first_a=(0, 0, 0)) as plan:
    plan.execute(U, xredist.redistribute(U.comm, U.local, U.layout, pencils))
A.redistribute(layout, rows_a=slice(None, None, 2), cols_a=[True, False, True, True] * 2, cols_b=np.arange(6))
U.redistribute(pencils, lists_a=(None, [0, -1], slice(1, 3)))
A.redistribute(layout, rows_a=5)  # error
U.redistribute(layout)  # error
xredist.ArrayLayout("(*, BLOCK)", grid=2)  # error
A.layout = layout  # error
A.save(5)  # error
xredist.load(A.comm, "a.npy")  # error
xredist.gather(A.comm, A.local, layout).sum()  # error
"""


@pytest.mark.skipif(shutil.which("mypy") is None, reason="mypy is not installed (Debian: mypy)")
def test_types(tmp_path):
    """mypy finds no error in the package, and in a program those of the program."""
    (tmp_path / "program.py").write_text(PROGRAM)
    check = ["mypy", "--strict", "--python-executable", sys.executable, "--cache-dir", str(tmp_path / "cache")]
    package = subprocess.run([*check, str(PACKAGE)], capture_output=True, text=True, timeout=300)
    assert package.returncode == 0, package.stdout + package.stderr
    assert (PACKAGE / "py.typed").exists()
    program = subprocess.run([*check, "program.py"], capture_output=True, text=True, timeout=300, cwd=tmp_path,
                             env={**os.environ, "MYPYPATH": str(PACKAGE.parent)})
    wrong = [number for number, line in enumerate(PROGRAM.splitlines(), 1) if "# error" in line]
    found = [int(number) for number in re.findall(r"^program.py:(\d+): error", program.stdout, re.M)]
    assert found == wrong, program.stdout
