# SPDX-License-Identifier: BSD-3-Clause
"""Redistribution of distributed matrices and arrays over MPI: the C library xredist, for numpy and mpi4py.

    B = xredist.redistribute(comm, A, a, b)    # the local part in layout b of the matrix that A is a part of

doc/python.rst in the guide has examples. Those of the docstrings begin with these lines, as `python -m xredist`, which
tests an installation, does:

    import numpy as np
    import xredist
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
"""
__version__ = "0.1.0"  # before the imports: the package compares it with the version of the library

from ._arrays import ArrayLayout, ArrayOperation
from ._distributed import DistributedArray
from ._errors import (BAD_OPTION, DISAGREEMENT, FILE_ERROR, INVALID_ARGUMENT, NO_MEMORY, PEER_FAILED, Error, FileError,
                      WrongTypeError)
from ._files import FileInfo, file_info, load, save
from ._fit import Rules, fit, rules_for, tell
from ._layouts import Layout, Operation, Partition, Place
from ._mapping import relabel
from ._matrix import DistributedMatrix
from ._memory import zeros
from ._plans import Job, Plan, PlanInfo, Request, get_option, set_option, start
from ._redistribute import gather, redistribute, scatter

__all__ = ["ArrayLayout", "ArrayOperation", "BAD_OPTION", "DISAGREEMENT", "DistributedArray", "DistributedMatrix",
           "Error", "FILE_ERROR", "FileError", "FileInfo", "INVALID_ARGUMENT", "Job", "Layout", "NO_MEMORY",
           "Operation", "PEER_FAILED", "Partition", "Place", "Plan", "PlanInfo", "Request", "Rules", "WrongTypeError",
           "file_info", "fit", "gather", "get_option", "load", "redistribute", "relabel", "rules_for", "save",
           "scatter", "set_option", "start", "tell", "zeros"]
