# SPDX-License-Identifier: BSD-3-Clause
"""Distributed matrices in files."""
import os
from ctypes import byref
from typing import NamedTuple

import numpy as np

from . import _library as c
from ._layouts import LETTERS, Layout, Operation, in_c, of_type
from ._plans import Plan, checked_array, whole_matrix


class FileInfo(NamedTuple):
    """The matrix in a .npy file: its shape, the dtype of its elements, and its order ('F' or 'C')."""
    shape: tuple
    dtype: np.dtype
    order: str


def file_info(comm, name):
    """Returns the FileInfo of a .npy file. An array with one dimension is a matrix of one column. Collective."""
    info = c.CFileInfo()
    c.call("file_query", c.handle(comm), os.fsencode(name), byref(info))
    return FileInfo((info.m, info.n), np.dtype(info.descr.decode()), info.order.decode())


def _file(name, shape, dtype, dtype_in_file=None):
    """Returns an xredist_file for a whole matrix."""
    if dtype.hasobject or dtype.names is not None:
        raise c.Error(f"dtype is {dtype}, must be a number or another element without members")
    file = c.CFile(name=os.fsencode(name), m=shape[0], n=shape[1])
    if dtype in LETTERS:
        file.type = LETTERS[dtype].encode()
    else:
        file.bytes, file.descr = dtype.itemsize, dtype.str.encode()
    if dtype_in_file is not None and dtype_in_file != dtype:
        if dtype not in LETTERS or dtype_in_file not in LETTERS:
            raise c.Error(f"dtype_in_file is {dtype_in_file}, dtype is {dtype}: only "
                          f"{', '.join(map(str, LETTERS))} can be converted")
        file.type_in_file = LETTERS[dtype_in_file].encode()
    return file


def _call(function, comm, prepare):
    """Calls a collective function. If `prepare` raises an error here, the call fails on all processes."""
    try:
        arguments = prepare()
    except Exception:
        getattr(c.library, "xredist_" + function)(c.handle(comm), None, None, 0, None)
        raise
    c.call(function, c.handle(comm), *arguments)


def save(comm, name, array, layout, dtype_in_file=None):
    """Writes the matrix of which `array` is the local part in the layout to a .npy file, which numpy.load reads. The
    file gets its name when all processes have written; until then, and after an error, the old file is as it was.
    dtype_in_file: type to convert to. Collective: an error is raised on all processes."""
    Plan(comm, layout, layout, Operation(0, 0))  # checks comm and layout
    m, n, dtype, local = whole_matrix(comm, array, layout)
    contiguous = None if local is None else np.asfortranarray(local)

    def arguments():
        file = _file(name, (m, n), dtype, None if dtype_in_file is None else np.dtype(dtype_in_file))
        address, ld = checked_array("array", contiguous, dtype, (0, 0))
        return byref(in_c("layout", layout, Layout)), address, ld, byref(file)

    _call("write", comm, arguments)


def load(comm, name, layout, dtype=None):
    """Returns the local part in the layout of the matrix in a .npy file, in C or Fortran order. dtype: type to convert
    to. Collective: an error is raised on all processes."""
    info = file_info(comm, name)
    result = []

    def arguments():
        wanted = info.dtype if dtype is None else np.dtype(dtype)
        if not wanted.isnative:
            raise c.Error(f"{name} has elements of the type {wanted.str}, whose bytes are in another order")
        size = of_type("layout", layout, Layout).local_size(*info.shape, comm.Get_rank())
        result.append(np.zeros(size, dtype=wanted, order="F"))
        address, ld = checked_array("result", result[0], wanted, result[0].shape, writes=True)
        return byref(in_c("layout", layout, Layout)), address, ld, byref(_file(name, info.shape, wanted))

    _call("read", comm, arguments)
    return result[0]

