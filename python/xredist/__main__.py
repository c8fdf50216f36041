# SPDX-License-Identifier: BSD-3-Clause
"""Tests an installation: python3 -m xredist, or mpirun -n 4 python3 -m xredist. Executes the examples of all docstrings
on all processes, in a temporary folder, and returns 0 if all results are right on all processes."""
from __future__ import annotations

import contextlib
import doctest
import importlib
import os
import pkgutil
import shutil
import sys
import tempfile
from typing import Iterator, Union

import numpy as np
from mpi4py import MPI

import xredist

from . import _library


@contextlib.contextmanager
def shared_folder(comm: MPI.Comm) -> Iterator[None]:
    """Makes a new folder the current one: below that for temporary files, or on several nodes below the current one."""
    node = comm.Split_type(MPI.COMM_TYPE_SHARED)
    one_node = comm.allreduce(node.Get_size() == comm.Get_size(), op=MPI.LAND)
    node.Free()
    before = os.getcwd()
    made: Union[str, OSError] = ""
    if comm.Get_rank() == 0:
        try:
            made = tempfile.mkdtemp(prefix="xredist-", dir=None if one_node else before)
        except OSError as error:
            made = error
    folder = comm.bcast(made)
    if isinstance(folder, OSError):
        raise folder
    problem = ""
    try:
        os.chdir(folder)
    except OSError as error:  # of a node that does not have the folder
        problem = f"process {comm.Get_rank()}: {error}"
    problem = comm.allreduce(problem, op=MPI.MAX)
    try:
        if problem:
            raise OSError(problem)
        yield
    finally:
        os.chdir(before)
        comm.Barrier()
        if comm.Get_rank() == 0:
            shutil.rmtree(folder)


def run_examples(comm: MPI.Comm) -> doctest.TestResults:
    """Executes the examples of all modules of the package. Prints those that are wrong."""
    finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    for module in sorted(module.name for module in pkgutil.iter_modules(xredist.__path__)):
        if module == "__main__":
            continue
        names = {"comm": comm, "np": np, "xredist": xredist}
        for test in finder.find(importlib.import_module(f"xredist.{module}"), extraglobs=names):
            runner.run(test)
    return runner.summarize(verbose=False)


def main() -> int:
    comm = MPI.COMM_WORLD
    with shared_folder(comm):
        failed, attempted = run_examples(comm)
    wrong = comm.allreduce(failed)
    if comm.Get_rank() == 0:
        result = f"{wrong} results of examples are wrong" if wrong else f"all {attempted} examples are right"
        print(f"{_library.library.xredist_build().decode()}\n{_library.file}\n"
              f"{comm.Get_size()} process{'es' * (comm.Get_size() > 1)}: {result}", flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
