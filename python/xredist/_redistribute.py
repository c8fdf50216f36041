# SPDX-License-Identifier: BSD-3-Clause
"""Functions that make a plan for one execution: redistribute, scatter and gather."""
from __future__ import annotations

from ctypes import c_int
from typing import Any, Callable, Dict, Optional, Tuple, Union

import numpy as np
from mpi4py import MPI

from ._arguments import Array, checked_array, in_columns, integer, kind_of, numpy_array
from ._errors import Error, WrongTypeError
from ._layouts import Layout, Operation
from ._plans import Plan


def _array_of(array: Any, rank: int) -> Array:
    """Returns an array, or a list of rows in its place, as a numpy array with two dimensions."""
    rule = "must be a numpy array with two dimensions"
    try:
        converted = np.asarray(array)
    except Exception as error:  # rows of different lengths, for instance
        raise Error(f"array on rank {rank} is {kind_of(array)}, {rule}: {error}") from None
    if converted.dtype.hasobject and not isinstance(array, np.ndarray):
        raise WrongTypeError(f"array on rank {rank} is {kind_of(array)}, {rule}")
    if converted.ndim != 2:
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


def whole_matrix(comm: MPI.Comm, array: Any, layout: Layout,
                 check: Callable[[int, int, np.dtype[Any]], None] = lambda m, n, dtype: None
                 ) -> Tuple[int, int, np.dtype[Any], Optional[Array]]:
    """Returns the rows, columns and dtype of the matrix of which `array` is the local part, and the array; None outside
    the layout's grid. check(m, n, dtype) raises further errors. Collective: an error is raised on all processes."""
    rank, sizes, local = comm.Get_rank(), np.zeros(2, dtype=np.int64), np.empty((0, 0))
    missing, wrong = None, None
    ranks = list(range(layout.nprow * layout.npcol)) if layout.ranks is None else list(layout.ranks)
    if rank in ranks:
        row, col = divmod(ranks.index(rank), layout.npcol)
        try:
            local = _array_of(array, rank)
            sizes[:] = local.shape[0] * (col == 0), local.shape[1] * (row == 0)
        except Error as error:
            missing = error
    comm.Allreduce(MPI.IN_PLACE, sizes)
    dtype = comm.bcast(local.dtype, root=ranks[0])
    m, n = sizes.tolist()
    try:
        expected = layout.local_size(m, n, rank)
        if local.shape != expected:
            raise Error(f"array on rank {rank} has the shape {local.shape}, must be {expected} of {m} x {n}")
        if rank in ranks and local.dtype != dtype:
            raise Error(f"array on rank {rank} has the dtype {local.dtype}, rank {ranks[0]} has {dtype}")
        check(m, n, dtype)
    except Error as error:
        wrong = error
    _agree(comm, missing, wrong)
    return m, n, dtype, local if rank in ranks else None


def check_out(out: Any, array: Any, size: Tuple[int, int], dtype: np.dtype[Any], rank: int) -> None:
    """Checks an array for the result, which is made from `array`. None: the result gets a new array."""
    if out is None:
        return
    name = f"out on rank {rank}"
    if numpy_array(name, out).dtype != dtype:
        raise Error(f"{name} has the dtype {out.dtype}, must have {dtype}")
    if out.shape != size:
        raise Error(f"{name} has the shape {out.shape}, must have {size}")
    checked_array(name, out, dtype, size, writes=True)
    if isinstance(array, np.ndarray) and np.shares_memory(array, out):
        raise Error(f"{name} overlaps array")


def redistribute(comm: MPI.Comm, array: Any, a: Layout, b: Layout, *, dtype_b: Any = None,
                 trans: Union[str, bool] = "N", uplo: str = "A", diag: str = "N", mirror: str = "N",
                 out: Optional[Array] = None) -> Array:
    """Returns the local part in layout b of the matrix of which `array` is the local part in layout a; an array with
    the shape (0, 0) outside b's grid. Collective over comm: an error is raised on all processes. An array in C order is
    copied, columns of a larger array are not. The keywords are those of Operation; a reduction finds m and n. The
    result is written to `out`, an array of its shape and dtype in Fortran order, if that is passed.

    >>> rows = xredist.Layout(nprow=comm.size, mb=1, nb=4)
    >>> columns = xredist.Layout(npcol=comm.size, mb=6, nb=1)
    >>> i, j = np.ix_(*rows.indices(6, 4, comm.rank))
    >>> B = xredist.redistribute(comm, 10 * i + j, rows, columns)
    >>> i, j = np.ix_(*columns.indices(6, 4, comm.rank))
    >>> bool((B == 10 * i + j).all())
    True
    """
    letters: Dict[str, Any] = {"trans": trans, "uplo": uplo, "diag": diag, "mirror": mirror}
    return redistributed(comm, array, a, b, letters, dtype_b, out)[1]


def redistributed(comm: MPI.Comm, array: Any, a: Layout, b: Layout, letters: Dict[str, Any], dtype_b: Any = None,
                  out: Optional[Array] = None) -> Tuple[Tuple[int, int], Array]:
    """Returns the shape of the matrix that redistribute() makes, and the local part, which redistribute() returns.
    Collective over comm."""
    empty = Operation(0, 0, **letters)
    Plan(comm, a, b, empty).free()  # checks comm, layouts and letters
    rank = comm.Get_rank()

    def operation(m: int, n: int, dtype: np.dtype[Any]) -> Operation:
        m, n = (n, m) if empty.transposes else (m, n)
        return Operation(m, n, dtype, dtype_b, **letters)

    def check(m: int, n: int, dtype: np.dtype[Any]) -> None:
        op = operation(m, n, dtype)
        check_out(out, array, b.local_size(op.m, op.n, rank), op.dtypes[1], rank)

    m, n, dtype, local = whole_matrix(comm, array, a, check)
    op = operation(m, n, dtype)
    result = np.zeros(b.local_size(op.m, op.n, rank), dtype=op.dtypes[1], order="F") if out is None else out
    with Plan(comm, a, b, op) as plan:
        plan.execute(None if local is None else in_columns(local), result)
    return (op.m, op.n), result


def whole_on(root: int) -> Layout:
    """Returns the layout of a matrix that process `root` holds."""
    return Layout(mb=1 << 40, nb=1 << 40, ranks=[integer("root", root, c_int)])


def scatter(comm: MPI.Comm, matrix: Any, layout: Layout, root: int = 0, **keywords: Any) -> Array:
    """Returns the local part of a matrix (an array, or a list of rows) that rank `root` holds; other processes pass
    None. The keywords are those of redistribute().

    >>> layout = xredist.Layout(nprow=comm.size, mb=1, nb=2)
    >>> part = xredist.scatter(comm, [[1.0, 2.0], [3.0, 4.0]] if comm.rank == 0 else None, layout)
    >>> bool((part == np.array([[1.0, 2.0], [3.0, 4.0]])[layout.indices(2, 2, comm.rank)[0]]).all())
    True
    """
    return redistribute(comm, matrix, whole_on(root), layout, **keywords)


def gather(comm: MPI.Comm, array: Any, layout: Layout, root: int = 0, **keywords: Any) -> Optional[Array]:
    """Returns the whole matrix on rank `root`, and None on the other processes. The keywords are those of
    redistribute(); `out` is an array for the whole matrix on rank `root`.

    >>> layout = xredist.Layout(nprow=comm.size, mb=1, nb=2)
    >>> rows, columns = layout.indices(3, 2, comm.rank)
    >>> whole = xredist.gather(comm, np.add.outer(10 * rows, columns), layout)
    >>> comm.bcast(whole).tolist()
    [[0, 1], [10, 11], [20, 21]]
    """
    whole = redistribute(comm, array, layout, whole_on(root), **keywords)
    return whole if comm.Get_rank() == root else None
