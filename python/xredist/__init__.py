# SPDX-License-Identifier: BSD-3-Clause
"""Redistribution of distributed matrices over MPI: the C library xredist, for numpy arrays and mpi4py communicators.

    B = xredist.redistribute(comm, A, a, b)    # the local part in layout b of the matrix that A is a part of

doc/python.rst in the guide has examples."""
from ._files import FileInfo, file_info, load, save
from ._fit import Rules, fit, rules_for, tell
from ._layouts import Layout, Operation, Partition, relabel
from ._library import FILE_ERROR, Error
from ._plans import Job, Plan, PlanInfo, Request, gather, redistribute, scatter, set_option, start

__version__ = "0.1.0"
__all__ = ["FILE_ERROR", "Error", "FileInfo", "Job", "Layout", "Operation", "Partition", "Plan", "PlanInfo", "Request",
           "Rules", "file_info", "fit", "gather", "load", "redistribute", "relabel", "rules_for", "save", "scatter",
           "set_option", "start", "tell"]
