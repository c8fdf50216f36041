# SPDX-License-Identifier: BSD-3-Clause
"""The examples of doc/python.rst are a program that runs, and so is that of python/README.md."""
import os
import pathlib
import re
import tempfile
import textwrap

import pytest
from mpi4py import MPI

TREE = pathlib.Path(__file__).resolve().parents[2]


def run(page, pattern, count):
    blocks = re.findall(pattern, (TREE / page).read_text(), re.M | re.S)
    assert len(blocks) == count
    exec(compile("\n".join(map(textwrap.dedent, blocks)), page, "exec"), {})


@pytest.mark.parametrize("page, pattern, count", [
    ("doc/python.rst", r"^\.\. code-block:: python\n\n((?:   [^\n]*\n|\n)+)", 17),
    ("python/README.md", r"^```python\n(.*?)^```$", 1),
])
def test_examples_run(page, pattern, count):
    comm = MPI.COMM_WORLD
    folder = tempfile.TemporaryDirectory() if comm.rank == 0 else None
    before = os.getcwd()
    os.chdir(comm.bcast(folder.name if comm.rank == 0 else None))
    try:
        run(page, pattern, count)
    finally:
        os.chdir(before)
        comm.Barrier()
        if comm.rank == 0:
            folder.cleanup()
