# SPDX-License-Identifier: BSD-3-Clause
"""Functions that make a plan for one execution: redistribute, scatter and gather, of matrices and arrays."""
from __future__ import annotations

import dataclasses
from ctypes import c_int
from typing import Any, Callable, Dict, Optional, Sequence, Tuple, Union

import numpy as np
from mpi4py import MPI

from . import _library as c
from ._arguments import Array, integer, kind_of, numpy_array, of_type
from ._arrays import ArrayLayout, ArrayOperation
from ._errors import Error, WrongTypeError
from ._layouts import Layout, Operation, in_c, in_first_copy, position_of, ranks_of
from ._lists import NAMES, Selection, count_of, listed_in, listed_on_axes
from ._plans import Plan

AnyLayout = Union[Layout, ArrayLayout]
Shape = Tuple[int, ...]


def _array_of(array: Any, rank: int, dims: int) -> Array:
    """Returns an array, or a list of rows in its place, as a numpy array with the given number of dimensions."""
    rule = f"must be a numpy array with {({1: 'one dimension', 2: 'two dimensions'}).get(dims, f'{dims} dimensions')}"
    try:
        converted = np.asarray(array)
    except Exception as error:  # rows of different lengths, for instance
        raise Error(f"array on rank {rank} is {kind_of(array)}, {rule}: {error}") from None
    if converted.dtype.hasobject and not isinstance(array, np.ndarray):
        raise WrongTypeError(f"array on rank {rank} is {kind_of(array)}, {rule}")
    if converted.ndim != dims:
        raise Error(f"array on rank {rank} has {converted.ndim} dimensions, {rule}")
    return converted


def _agree(comm: MPI.Comm, missing: Optional[Error], wrong: Optional[Error]) -> None:
    """Raises an error on all processes if there is one on any process: an array that is missing first, because wrong
    shapes follow from it."""
    error = missing or wrong
    mine = (0 if error is None else 1 if missing is None else 2, isinstance(error, WrongTypeError), str(error))
    worst, of_type, sentence = comm.allreduce(mine, op=MPI.MAX)
    if worst:
        raise WrongTypeError(sentence) if of_type else Error(sentence)


def whole_array(comm: MPI.Comm, array: Any, layout: AnyLayout,
                check: Callable[[Shape, np.dtype[Any]], None] = lambda shape, dtype: None
                ) -> Tuple[Shape, np.dtype[Any], Optional[Array]]:
    """Returns the shape and the dtype of the matrix or array of which `array` is the local part, and the local part;
    None outside the layout's grid. An axis with places ends with its partition. check(shape, dtype) raises further
    errors. Collective: an error is raised on all processes."""
    rank, dims, first = comm.Get_rank(), len(layout._grid), ranks_of(layout)[0]
    position = position_of(layout, rank)
    sizes, local = np.zeros(dims, dtype=np.int64), np.empty((0,) * dims)
    missing, wrong = None, None
    if position is not None:
        try:
            local = _array_of(array, rank, dims)
            if in_first_copy(layout, rank):
                for k, n in enumerate(local.shape):  # the processes along one edge of the grid
                    sizes[k] = n * all(other == 0 for axis, other in enumerate(position) if axis != k)
        except Error as error:
            missing = error
    comm.Allreduce(MPI.IN_PLACE, sizes)
    for k, partition in enumerate(layout._partitions()):
        if partition is not None and partition.places is not None:  # local arrays have gaps
            sizes[k] = partition.bounds[-1]
    dtype = comm.bcast(local.dtype, root=first)
    shape = tuple(sizes.tolist()) if isinstance(layout, Layout) or layout.shape is None else tuple(layout.shape)
    try:
        expected = layout._local(shape, rank)
        if local.shape != expected:
            whole = " x ".join(map(str, shape))
            raise Error(f"array on rank {rank} has the shape {local.shape}, must be {expected} of {whole}")
        if position is not None and local.dtype != dtype:
            raise Error(f"array on rank {rank} has the dtype {local.dtype}, rank {first} has {dtype}")
        check(shape, dtype)
    except Error as error:
        wrong = error
    _agree(comm, missing, wrong)
    return shape, dtype, None if position is None else local


def check_out(out: Any, array: Any, layout: AnyLayout, size: Shape, dtype: np.dtype[Any], rank: int) -> None:
    """Checks an array for the result, of the given size in the layout, which is made from `array`. None: the result
    gets a new array."""
    if out is None:
        return
    name = f"out on rank {rank}"
    if numpy_array(name, out).dtype != dtype:
        raise Error(f"{name} has the dtype {out.dtype}, must have {dtype}")
    if out.shape != size:
        raise Error(f"{name} has the shape {out.shape}, must have {size}")
    layout._placed(name, out, dtype, size, writes=True)
    if isinstance(array, np.ndarray) and np.shares_memory(array, out):
        raise Error(f"{name} overlaps array")


def on_whole_matrices(keywords: Dict[str, Any], a: Shape, b: Optional[Shape], dtype: Any, dtype_b: Any) -> Operation:
    """Returns the operation on a whole matrix of the shape a, or on the rows and columns that lists select. b: the
    shape of B, if it is known."""
    lists = listed_in(keywords, a, b)
    counts = count_of(lists["rows_a"], a[0]), count_of(lists["cols_a"], a[1])
    operation = Operation(*counts, dtype, dtype_b, **{**keywords, **lists})
    return dataclasses.replace(operation, m=counts[1], n=counts[0]) if operation.transposes else operation


def on_whole_arrays(lists_a: Any, lists_b: Any, a: Shape, b: Optional[Sequence[int]], dtype: Any, dtype_b: Any,
                    conj: bool) -> ArrayOperation:
    """Returns the operation on a whole array of the shape a, or on the elements that lists select. b: the shape of B,
    if it is known."""
    lists = listed_on_axes("lists_a", lists_a, a)
    counts = a if lists is None else tuple(map(count_of, lists, a))
    return ArrayOperation(counts, dtype, dtype_b, conj=conj, lists_a=lists,
                          lists_b=listed_on_axes("lists_b", lists_b, b))


def shape_of_result(operation: Any, layout: AnyLayout) -> Shape:
    """Returns the shape of B. It ends with the elements that are written, unless lists name them in a layout that has a
    shape."""
    if isinstance(layout, ArrayLayout) and layout.shape is not None and operation.lists_b is not None:
        return tuple(layout.shape)
    return operation._ends()[1]  # type: ignore[no-any-return]


def _on_whole(of_arrays: bool, keywords: Dict[str, Any], shape: Shape, dtype: Any = float, dtype_b: Any = None,
              b: Any = None) -> Any:
    """Returns the operation on the whole matrix, or array in an ArrayLayout, of the given shape. b: the layout of an
    array B."""
    letters = dict(keywords)
    lists_a, lists_b = letters.pop("lists_a", None), letters.pop("lists_b", None)
    if not of_arrays:
        if lists_a is not None or lists_b is not None:
            raise Error("lists_a and lists_b are for arrays; rows_a, cols_a, rows_b and cols_b are for matrices")
        return on_whole_matrices(letters, shape, None, dtype, dtype_b)
    for name in NAMES:
        if letters.get(name) is not None:
            raise Error(f"{name} is for matrices; lists_a and lists_b are for arrays")
    for name, allowed in (("trans", "NR"), ("uplo", "A"), ("diag", "N"), ("mirror", "N")):
        value = letters.get(name, allowed[0])
        if Operation(0, 0, **{name: value})._letter(name).decode().upper() not in allowed:
            raise Error(f"{name} is {value!r}, must be {' or '.join(allowed)}: the array is no matrix in a Layout")
    conj = str(letters.get("trans")).upper() == "R"
    return on_whole_arrays(lists_a, lists_b, shape, b and b.shape, dtype, dtype_b, conj)


def redistribute(comm: MPI.Comm, array: Any, a: AnyLayout, b: AnyLayout, *, dtype_b: Any = None,
                 trans: Union[str, bool] = "N", uplo: str = "A", diag: str = "N", mirror: str = "N",
                 rows_a: Selection = None, cols_a: Selection = None, rows_b: Selection = None,
                 cols_b: Selection = None, lists_a: Optional[Sequence[Selection]] = None,
                 lists_b: Optional[Sequence[Selection]] = None, out: Optional[Array] = None) -> Array:
    """Returns the local part in layout b of the matrix of which `array` is the local part in layout a; an array with
    the shape (0, 0) outside b's grid. Collective over comm: an error is raised on all processes. An array in C order is
    copied, columns of a larger array are not. The keywords are those of Operation; a reduction finds m and n. The
    result is written to `out`, an array of its shape and dtype in Fortran order, if that is passed.

    a and b are Layouts, or both ArrayLayouts. Of an array in an ArrayLayout, the result has the order of layout b, and
    `out` may have any strides of Plan. The array is copied if it has others. trans may be 'R', the conjugate; the other
    letters are for matrices.

    rows_a and cols_a, of arrays lists_a, select what moves, as numpy.ix_ does: A[np.ix_(rows_a, cols_a)]. They may
    count from the end. rows_b and cols_b, of arrays lists_b, say which elements of B are written. B ends with the
    greatest of them unless its layout has a shape. The other elements are 0, or stay as they are in `out`.

    >>> rows = xredist.Layout(nprow=comm.size, mb=1, nb=4)
    >>> columns = xredist.Layout(npcol=comm.size, mb=6, nb=1)
    >>> i, j = np.ix_(*rows.indices(6, 4, comm.rank))
    >>> B = xredist.redistribute(comm, 10 * i + j, rows, columns)
    >>> i, j = np.ix_(*columns.indices(6, 4, comm.rank))
    >>> bool((B == 10 * i + j).all())
    True
    >>> every_second = xredist.redistribute(comm, 10 * j + 0 * i, columns, columns, rows_a=slice(None, None, 2))
    >>> every_second.shape[0]
    3
    >>> slabs = xredist.ArrayLayout("(BLOCK, *, *)", grid=(comm.size, 1, 1))
    >>> others = xredist.ArrayLayout("(*, *, EVEN)", grid=(1, 1, comm.size))
    >>> i, j, k = np.ix_(*slabs.indices((6, 4, 9), comm.rank))
    >>> B = xredist.redistribute(comm, 100 * i + 10 * j + k, slabs, others)
    >>> i, j, k = np.ix_(*others.indices((6, 4, 9), comm.rank))
    >>> bool((B == 100 * i + 10 * j + k).all())
    True
    """
    letters: Dict[str, Any] = {"trans": trans, "uplo": uplo, "diag": diag, "mirror": mirror}
    lists: Dict[str, Any] = {"rows_a": rows_a, "cols_a": cols_a, "rows_b": rows_b, "cols_b": cols_b,
                             "lists_a": lists_a, "lists_b": lists_b}
    return redistributed(comm, array, a, b, letters, dtype_b, out, lists=lists)[1]


def order_of(array: Array) -> Shape:
    """Returns the axes of an array from the fastest to the slowest in memory."""
    return tuple(sorted(range(array.ndim), key=lambda axis: (array.strides[axis], -axis)))


def redistributed(comm: MPI.Comm, array: Any, a: AnyLayout, b: AnyLayout, letters: Dict[str, Any],
                  dtype_b: Any = None, out: Optional[Array] = None, kind: Any = None,
                  lists: Optional[Dict[str, Any]] = None) -> Tuple[Shape, Array]:
    """Returns the shape of the matrix or array that redistribute() makes, and the local part, which redistribute()
    returns. `kind`: as of check_layouts(). Collective over comm."""
    check_layouts(comm, a, b, letters, kind)
    rank, keywords = comm.Get_rank(), {**letters, **(lists or {})}

    def sizes(operation: Any) -> Tuple[Shape, Shape]:
        """Returns the shapes of the result and of its local part."""
        shape = shape_of_result(operation, b)
        if isinstance(b, ArrayLayout) and b.shape not in (None, shape):
            raise Error(f"b has the shape {b.shape}, the array has {shape}")
        return shape, b._local(shape, rank)

    def check(shape: Shape, dtype: np.dtype[Any]) -> None:
        operation = _on_whole(isinstance(a, ArrayLayout), keywords, shape, dtype, dtype_b, b)
        check_out(out, array, b, sizes(operation)[1], operation.dtypes[1], rank)

    shape, dtype, local = whole_array(comm, array, a, check)
    operation = _on_whole(isinstance(a, ArrayLayout), keywords, shape, dtype, dtype_b, b)
    shape, size = sizes(operation)
    result = b._zeros(size, operation.dtypes[1]) if out is None else out
    given = None if local is None else a._as_placed(local)
    if isinstance(a, ArrayLayout):
        a = dataclasses.replace(a, order=comm.bcast(None if given is None else order_of(given), root=ranks_of(a)[0]))
    with Plan(comm, a, b, operation) as plan:
        plan.execute(given, result)
    return shape, result


def everywhere(comm: MPI.Comm, check: Callable[[], object]) -> None:
    """Runs a check, which may make plans. Collective: an error is raised on all processes."""
    c.handle(comm)
    error: Union[Error, MemoryError, None] = None
    try:
        check()
    except (Error, MemoryError) as raised:
        if comm == MPI.COMM_NULL or comm.Is_inter():
            raise
        error = raised
    if comm.allreduce(error is not None, op=MPI.LOR):
        rank = comm.Get_rank() if error else comm.Get_size()
        before, sentence = comm.allreduce((-rank, str(error)), op=MPI.MAX)
        raise error or Error(f"process {-before}: {sentence}")


def check_layouts(comm: MPI.Comm, a: AnyLayout, b: AnyLayout, letters: Dict[str, Any], kind: Any = None) -> None:
    """Checks comm, layouts and letters by an empty plan. `kind`: the type that b, the caller's `layout`, must have;
    None: that of a. Collective: an error is raised on all processes."""
    of_arrays = kind is ArrayLayout or isinstance(a, ArrayLayout) or (kind is None and isinstance(b, ArrayLayout))
    function = c.library.xredist_array_plan_create if of_arrays else c.library.xredist_plan_create

    def check() -> None:
        with c.fails_everywhere(lambda: function(c.handle(comm), None, None, None, None)):
            if kind is not None:
                of_type("layout", b, kind)
            dims = in_c("a", a, ArrayLayout).dims if of_arrays else 2
            empty = _on_whole(of_arrays, letters, (0,) * dims)
        Plan(comm, a, b, empty).free()

    everywhere(comm, check)


def whole_on(root: int, layout: Any = None) -> AnyLayout:
    """Returns the layout of a matrix that process `root` holds, or of an array, which has as many axes as another
    layout, and its order."""
    ranks = [integer("root", root, c_int)]
    if not isinstance(layout, ArrayLayout):
        return Layout(mb=1 << 40, nb=1 << 40, ranks=ranks)
    dims = len(layout.grid) if isinstance(layout.grid, tuple) else 1  # another layout is refused later
    return ArrayLayout(("*",) * dims, (1,) * dims, order=layout.order, ranks=ranks)


def scatter(comm: MPI.Comm, matrix: Any, layout: AnyLayout, root: int = 0, **keywords: Any) -> Array:
    """Returns the local part of a matrix (an array, or a list of rows), or of an array in an ArrayLayout, that rank
    `root` holds; other processes pass None. The keywords are those of redistribute().

    >>> layout = xredist.Layout(nprow=comm.size, mb=1, nb=2)
    >>> part = xredist.scatter(comm, [[1.0, 2.0], [3.0, 4.0]] if comm.rank == 0 else None, layout)
    >>> bool((part == np.array([[1.0, 2.0], [3.0, 4.0]])[layout.indices(2, 2, comm.rank)[0]]).all())
    True
    """
    return redistribute(comm, matrix, whole_on(root, layout), layout, **keywords)


def gather(comm: MPI.Comm, array: Any, layout: AnyLayout, root: int = 0, **keywords: Any) -> Optional[Array]:
    """Returns the whole matrix or array on rank `root`, and None on the other processes. The keywords are those of
    redistribute(); `out` is an array for the whole matrix on rank `root`.

    >>> layout = xredist.Layout(nprow=comm.size, mb=1, nb=2)
    >>> rows, columns = layout.indices(3, 2, comm.rank)
    >>> whole = xredist.gather(comm, np.add.outer(10 * rows, columns), layout)
    >>> comm.bcast(whole).tolist()
    [[0, 1], [10, 11], [20, 21]]
    """
    whole = redistribute(comm, array, layout, whole_on(root, layout), **keywords)
    return whole if comm.Get_rank() == root else None
