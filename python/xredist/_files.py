# SPDX-License-Identifier: BSD-3-Clause
"""Distributed matrices in files."""
from __future__ import annotations

from ctypes import byref
from typing import Any, Callable, List, NamedTuple, Optional, Tuple, TypeVar

import numpy as np
from mpi4py import MPI

from . import _library as c
from ._arguments import LETTERS, Array, FileName, checked_array, element, in_columns, of_type, path
from ._errors import Error, FileError
from ._layouts import Layout, in_c
from ._redistribute import check_layouts, check_out, whole_array

Kept = TypeVar("Kept")

Progress = Callable[[int, int], Any]  # of the bytes that have moved, and of all


class FileInfo(NamedTuple):
    """The matrix in a .npy file: its shape, the dtype of its elements, and its order ('F' or 'C').

    >>> layout = xredist.Layout(nprow=comm.size, mb=2, nb=3)
    >>> xredist.save(comm, "matrix.npy", np.ones(layout.local_size(5, 3, comm.rank)), layout)
    >>> xredist.file_info(comm, "matrix.npy")
    FileInfo(shape=(5, 3), dtype=dtype('float64'), order='F')
    """
    shape: Tuple[int, int]
    dtype: np.dtype[Any]
    order: str


def file_info(comm: MPI.Comm, name: FileName) -> FileInfo:
    """Returns the FileInfo of a .npy file. An array with one dimension is a matrix of one column. Collective.

    >>> if comm.rank == 0:
    ...     np.save("vector.npy", np.arange(7, dtype=">i2"))
    >>> comm.Barrier()
    >>> xredist.file_info(comm, "vector.npy")
    FileInfo(shape=(7, 1), dtype=dtype('>i2'), order='C')
    """
    info = c.CFileInfo()
    with c.fails_everywhere(lambda: c.library.xredist_file_query(c.handle(comm), None, None)):
        encoded = path(name)
    c.call("file_query", c.handle(comm), encoded, byref(info))
    descr = info.descr.decode(errors="replace")
    try:
        dtype = np.dtype(descr)
    except Exception:
        dtype = np.dtype(object)
    if dtype.hasobject or dtype.itemsize != info.bytes:  # also on all other processes
        shown = encoded.decode(errors="replace")
        raise FileError(f"{shown}: has elements of the type {descr!r}, which this numpy does not know")
    return FileInfo((info.rows, info.cols), dtype, info.order.decode())


def _file(name: bytes, shape: Tuple[int, int], dtype: np.dtype[Any]) -> c.CFile:
    """Returns an xredist_file for a whole matrix."""
    if dtype.names is not None:
        raise Error(f"dtype is {dtype}, must be a number or another element without members")
    file = c.CFile(name=name, m=shape[0], n=shape[1])
    if dtype in LETTERS:
        file.type = LETTERS[dtype].encode()
    else:
        file.bytes, file.descr = dtype.itemsize, dtype.str.encode()
    return file


def _converts(given: np.dtype[Any], wanted: np.dtype[Any]) -> bool:
    """Returns whether the library converts elements, or need not. Otherwise numpy converts the local part."""
    if given == wanted or (given in LETTERS and wanted in LETTERS):
        return True
    if not np.can_cast(given, wanted, "same_kind"):
        raise Error(f"elements of dtype {given} cannot be converted to {wanted}")
    return False


def _call(function: str, comm: MPI.Comm, prepare: Callable[[], Tuple[Any, Any, Any, c.CFile, Kept]],
          progress: Optional[Progress]) -> Kept:
    """Calls a collective function. prepare() returns its arguments, and what must be kept until it returns. If it
    raises an error here, the call fails on all processes. An error of `progress` is raised here, when all is done."""
    errors: List[BaseException] = []

    def tell(done: int, whole: int, _: Any) -> None:
        try:
            if progress is not None and not errors:
                progress(done, whole)
        except BaseException as error:
            errors.append(error)

    with c.fails_everywhere(lambda: getattr(c.library, "xredist_" + function)(c.handle(comm), None, None, 0, None)):
        if progress is not None and not callable(progress):
            raise Error(f"progress is {progress!r}, must be a function of two numbers")
        layout, address, ld, file, kept = prepare()
        if progress is not None:
            file.progress = c.CProgress(tell)
    c.call(function, c.handle(comm), layout, address, ld, byref(file))
    if errors:
        raise errors[0]
    return kept


def _with_suffix(name: bytes) -> bytes:
    return name if name.endswith(b".npy") else name + b".npy"


def save(comm: MPI.Comm, name: FileName, array: Any, layout: Layout, dtype_in_file: Any = None, *,
         progress: Optional[Progress] = None) -> None:
    """Writes the matrix of which `array` is the local part in the layout to a .npy file, which numpy.load reads. A name
    without the suffix .npy gets it, as by numpy.save. The file gets its name when all processes have written; until
    then, and after an error, the old file is as it was. dtype_in_file: type to convert to. progress: a function that
    this process calls now and then with the number of bytes that have been written, and of all; each process may pass
    another one or none. Collective: an error is raised on all processes, but for an error of `progress`.

    >>> layout = xredist.Layout(nprow=comm.size, mb=2, nb=3)
    >>> rows, columns = layout.indices(5, 3, comm.rank)
    >>> xredist.save(comm, "matrix", np.add.outer(10 * rows, columns), layout)
    >>> np.load("matrix.npy")[4].tolist()
    [40, 41, 42]
    """
    check_layouts(comm, layout, layout, {}, Layout)
    (m, n), dtype, local = whole_array(comm, array, layout)

    def arguments() -> Tuple[Any, Any, Any, c.CFile, Any]:
        given = element("dtype", dtype)
        wanted = given if dtype_in_file is None else element("dtype_in_file", dtype_in_file)
        passed = given if _converts(given, wanted) else wanted
        file = _file(_with_suffix(path(name)), (m, n), passed)
        if wanted != passed:
            file.type_in_file = LETTERS[wanted].encode()
        kept = None if local is None else in_columns(local) if local.dtype == passed else local.astype(passed, "F")
        address, ld = checked_array("array", kept, passed, (0, 0))
        return byref(in_c("layout", layout, Layout)), address, ld, file, kept

    _call("write", comm, arguments, progress)


def load(comm: MPI.Comm, name: FileName, layout: Layout, dtype: Any = None, *, out: Optional[Array] = None,
         progress: Optional[Progress] = None) -> Array:
    """Returns the local part in the layout of the matrix in a .npy file, in C or Fortran order. Without dtype, elements
    have the type of the file, with its order of bytes (">f8"), as by numpy.load; with it, they are converted. The
    result is written to `out`, an array of its shape and dtype in Fortran order, if that is passed. progress: as of
    save(). Collective: an error is raised on all processes, but for an error of `progress`.

    >>> if comm.rank == 0:
    ...     np.save("numbers.npy", np.arange(20).reshape(4, 5))
    >>> comm.Barrier()
    >>> columns = xredist.Layout(npcol=comm.size, mb=4, nb=1)
    >>> A = xredist.load(comm, "numbers.npy", columns, dtype=float)
    >>> bool((A[3] == 15.0 + columns.indices(4, 5, comm.rank)[1]).all())
    True
    """
    return load_matrix(comm, name, layout, dtype, out, progress)[1]


def load_matrix(comm: MPI.Comm, name: FileName, layout: Layout, dtype: Any = None,
                out: Optional[Array] = None, progress: Optional[Progress] = None) -> Tuple[Tuple[int, int], Array]:
    """Does the work of load(). Returns also the shape of the matrix in the file."""
    info, rank = file_info(comm, name), comm.Get_rank()

    def arguments() -> Tuple[Any, Any, Any, c.CFile, Tuple[Array, Array]]:
        wanted = info.dtype if dtype is None else element("dtype", dtype)
        size = of_type("layout", layout, Layout).local_size(*info.shape, rank)
        check_out(out, None, layout, size, wanted, rank)
        result = np.zeros(size, dtype=wanted, order="F") if out is None else out
        read = result if _converts(info.dtype, wanted) else np.zeros(size, dtype=info.dtype, order="F")
        address, ld = checked_array("result", read, read.dtype, size, writes=True)
        file = _file(path(name), info.shape, read.dtype)
        return byref(in_c("layout", layout, Layout)), address, ld, file, (read, result)

    read, result = _call("read", comm, arguments, progress)
    if read is not result:
        result[...] = read
    return info.shape, result
