# SPDX-License-Identifier: BSD-3-Clause
"""Distributed matrices and arrays in files."""
from __future__ import annotations

from ctypes import byref
from typing import Any, Callable, List, NamedTuple, Optional, Tuple, TypeVar

import numpy as np
from mpi4py import MPI

from . import _library as c
from ._arguments import LETTERS, Array, FileName, element, path, sizes
from ._arrays import ArrayLayout
from ._errors import Error, FileError
from ._layouts import Layout, in_c
from ._redistribute import AnyLayout, Shape, check_layouts, check_out, whole_array

Kept = TypeVar("Kept")

Progress = Callable[[int, int], Any]  # of the bytes that have moved, and of all


class FileInfo(NamedTuple):
    """The matrix or array in a .npy file: its shape, the dtype of its elements, and its order ('F' or 'C').

    >>> layout = xredist.Layout(nprow=comm.size, mb=2, nb=3)
    >>> xredist.save(comm, "matrix.npy", np.ones(layout.local_size(5, 3, comm.rank)), layout)
    >>> xredist.file_info(comm, "matrix.npy")
    FileInfo(shape=(5, 3), dtype=dtype('float64'), order='F')
    """
    shape: Tuple[int, ...]
    dtype: np.dtype[Any]
    order: str


def file_info(comm: MPI.Comm, name: FileName) -> FileInfo:
    """Returns the FileInfo of a .npy file. An array with one dimension is a matrix of one column, and one without
    dimensions a matrix of one element. Collective.

    >>> if comm.rank == 0:
    ...     np.save("vector.npy", np.arange(7, dtype=">i2"))
    ...     np.save("array.npy", np.zeros((3, 4, 5)))
    >>> comm.Barrier()
    >>> xredist.file_info(comm, "vector.npy")
    FileInfo(shape=(7, 1), dtype=dtype('>i2'), order='C')
    >>> xredist.file_info(comm, "array.npy").shape
    (3, 4, 5)
    """
    info = _query(comm, name, True)
    return info if len(info.shape) > 2 else info._replace(shape=(*info.shape, 1, 1)[:2])


def _query(comm: MPI.Comm, name: FileName, of_arrays: bool) -> FileInfo:
    """Returns the FileInfo of a file, with all its dimensions; of a matrix, if `of_arrays` is false."""
    info = c.CArrayFileInfo() if of_arrays else c.CFileInfo()
    function = "array_file_query" if of_arrays else "file_query"
    with c.fails_everywhere(lambda: getattr(c.library, "xredist_" + function)(c.handle(comm), None, None)):
        encoded = path(name)
    c.call(function, c.handle(comm), encoded, byref(info))
    descr = info.descr.decode(errors="replace")
    try:
        dtype = np.dtype(descr)
    except Exception:
        dtype = np.dtype(object)
    if dtype.hasobject or dtype.itemsize != info.bytes:  # also on all other processes
        raise FileError(f"{_shown(encoded)}: has elements of the type {descr!r}, which this numpy does not know")
    shape = tuple(info.shape[:info.dims]) if of_arrays else (info.rows, info.cols)
    return FileInfo(shape, dtype, info.order.decode())


def _shown(name: bytes) -> str:
    return name.decode(errors="replace")


def _file(name: bytes, shape: Shape, dtype: np.dtype[Any], layout: AnyLayout) -> Any:
    """Returns an xredist_file, or an xredist_array_file, for a whole matrix or array. A new file of an array has the
    order of the layout's arrays, 'F' or 'C'; that of a matrix 'F'."""
    if dtype.names is not None:
        raise Error(f"dtype is {dtype}, must be a number or another element without members")
    file: Any
    if isinstance(layout, ArrayLayout):
        in_columns = len(shape) > 1 and list(layout._order("layout", len(shape))) == list(range(len(shape)))
        file = c.CArrayFile(name=name, shape=sizes("shape", shape, len(shape)), order=b"F" if in_columns else b"C")
    else:
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


def _kind(layout: object) -> Any:
    return ArrayLayout if isinstance(layout, ArrayLayout) else Layout


def _call(function: str, comm: MPI.Comm, layout: AnyLayout, kind: Any,
          prepare: Callable[[], Tuple[Any, Any, Any, Kept]], progress: Optional[Progress]) -> Kept:
    """Calls a collective function. `kind`: the type that the layout must have. prepare() returns the address of the
    local array, its leading dimension or its strides, the file, and what must be kept until the function returns. If it
    raises an error here, the call fails on all processes. An error of `progress` is raised here, when all is done."""
    if kind is ArrayLayout:
        function = "array_" + function
    errors: List[BaseException] = []

    def tell(done: int, whole: int, _: Any) -> None:
        try:
            if progress is not None and not errors:
                progress(done, whole)
        except BaseException as error:
            errors.append(error)

    nothing = None if kind is ArrayLayout else 0
    with c.fails_everywhere(
            lambda: getattr(c.library, "xredist_" + function)(c.handle(comm), None, None, nothing, None)):
        if progress is not None and not callable(progress):
            raise Error(f"progress is {progress!r}, must be a function of two numbers")
        of_c = in_c("layout", layout, kind)
        address, places, file, kept = prepare()
        if progress is not None:
            file.progress = c.CProgress(tell)
    c.call(function, c.handle(comm), byref(of_c), address, places, byref(file))
    if errors:
        raise errors[0]
    return kept


def _with_suffix(name: bytes) -> bytes:
    return name if name.endswith(b".npy") else name + b".npy"


def save(comm: MPI.Comm, name: FileName, array: Any, layout: AnyLayout, dtype_in_file: Any = None, *,
         progress: Optional[Progress] = None, consume: bool = False) -> None:
    """Writes the matrix or array of which `array` is the local part in the layout to a .npy file, which numpy.load
    reads. A name without the suffix .npy gets it, as by numpy.save. The file gets its name when all processes have
    written; until then, and after an error, the old file is as it was. dtype_in_file: type to convert to. progress: a
    function that this process calls now and then with the number of bytes that have been written, and of all; each
    process may pass another one or none. Collective: an error is raised on all processes, but for an error of
    `progress`. An array in an ArrayLayout of order "F" has Fortran order in the file, others have C order. consume: the
    elements of `array` are undefined afterwards, and its memory goes back to the system while it is written, unless
    numpy has to convert or copy the array first; equal on all processes.

    >>> layout = xredist.Layout(nprow=comm.size, mb=2, nb=3)
    >>> rows, columns = layout.indices(5, 3, comm.rank)
    >>> xredist.save(comm, "matrix", np.add.outer(10 * rows, columns), layout)
    >>> np.load("matrix.npy")[4].tolist()
    [40, 41, 42]
    >>> slabs = xredist.ArrayLayout("(BLOCK, *, *)", grid=(comm.size, 1, 1))
    >>> xredist.save(comm, "array", np.ones(slabs.local_shape((8, 3, 5), comm.rank)), slabs)
    >>> np.load("array.npy").shape
    (8, 3, 5)
    """
    check_layouts(comm, layout, layout, {}, _kind(layout))
    shape, dtype, local = whole_array(comm, array, layout)

    def arguments() -> Tuple[Any, Any, Any, Any]:
        given = element("dtype", dtype)
        wanted = given if dtype_in_file is None else element("dtype_in_file", dtype_in_file)
        passed = given if _converts(given, wanted) else wanted
        if consume and local is not None and not local.flags.writeable:
            raise Error("array is not writeable, so it cannot be consumed")
        file = _file(_with_suffix(path(name)), shape, passed, layout)
        file.consume = int(consume)
        if wanted != passed:
            file.type_in_file = LETTERS[wanted].encode()
        kept = None if local is None else layout._as_placed(local if local.dtype == passed else local.astype(passed))
        address, places = layout._placed("array", kept, passed, (0,) * len(shape) if kept is None else kept.shape)
        return address, places, file, kept

    _call("write", comm, layout, _kind(layout), arguments, progress)


def load(comm: MPI.Comm, name: FileName, layout: AnyLayout, dtype: Any = None, *, out: Optional[Array] = None,
         progress: Optional[Progress] = None) -> Array:
    """Returns the local part in the layout of the matrix or array in a .npy file, in C or Fortran order. Without dtype,
    elements have the type of the file, with its order of bytes (">f8"), as by numpy.load; with it, they are converted.
    The result is written to `out`, an array of its shape and dtype, of a matrix in Fortran order, if that is passed. An
    ArrayLayout has as many axes as the array in the file. progress: as of save(). Collective: an error is raised on all
    processes, but for an error of `progress`.

    >>> if comm.rank == 0:
    ...     np.save("numbers.npy", np.arange(20).reshape(4, 5))
    ...     np.save("array.npy", np.arange(24).reshape(2, 3, 4))
    >>> comm.Barrier()
    >>> columns = xredist.Layout(npcol=comm.size, mb=4, nb=1)
    >>> A = xredist.load(comm, "numbers.npy", columns, dtype=float)
    >>> bool((A[3] == 15.0 + columns.indices(4, 5, comm.rank)[1]).all())
    True
    >>> slabs = xredist.ArrayLayout("(*, *, CYCLIC)", grid=(1, 1, comm.size))
    >>> u = xredist.load(comm, "array.npy", slabs)
    >>> bool((u[1, 2] == 20 + slabs.indices((2, 3, 4), comm.rank)[2]).all())
    True
    """
    return load_whole(comm, name, layout, _kind(layout), dtype, out, progress)[1]


def _shape_in(info: FileInfo, name: bytes, layout: AnyLayout) -> Shape:
    """Returns the shape of the matrix or array in a file, whose number of dimensions the layout has."""
    if not isinstance(layout, ArrayLayout):
        return info.shape
    shape, dims = info.shape or (1,), len(layout._grid)  # numpy's array without dimensions has one element
    if len(shape) != dims:
        raise FileError(f"{_shown(name)}: has an array with {len(info.shape)} dimensions, layout has {dims} axes")
    if layout.shape is not None and tuple(layout.shape) != shape:
        raise Error(f"layout.shape is {tuple(layout.shape)}, the array in the file has the shape {shape}")
    return shape


def load_whole(comm: MPI.Comm, name: FileName, layout: AnyLayout, kind: Any, dtype: Any = None,
               out: Optional[Array] = None, progress: Optional[Progress] = None) -> Tuple[Shape, Array]:
    """Does the work of load() with a layout of type `kind`. Returns also the shape of the matrix or array in the
    file."""
    info, rank = _query(comm, name, kind is ArrayLayout), comm.Get_rank()

    def arguments() -> Tuple[Any, Any, Any, Tuple[Shape, Array, Array]]:
        wanted = info.dtype if dtype is None else element("dtype", dtype)
        shape = _shape_in(info, path(name), layout)
        size = layout._local(shape, rank)
        check_out(out, None, layout, size, wanted, rank)
        result = layout._zeros(size, wanted) if out is None else out
        read = result if _converts(info.dtype, wanted) else layout._zeros(size, info.dtype)
        address, places = layout._placed("result", read, read.dtype, size, writes=True)
        return address, places, _file(path(name), shape, read.dtype, layout), (shape, read, result)

    shape, read, result = _call("read", comm, layout, kind, arguments, progress)
    if read is not result:
        result[...] = read
    return shape, result
