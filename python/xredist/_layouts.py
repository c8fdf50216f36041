# SPDX-License-Identifier: BSD-3-Clause
"""Layouts, partitions and operations: values that describe a redistribution."""
from __future__ import annotations

import ctypes
import dataclasses
import math
from ctypes import byref, c_int, c_int64
from typing import Any, List, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _library as c
from ._arguments import (CONVERTED, LETTERS, Array, checked_array, element, in_columns, integer, integers, letter,
                         of_type, text)
from ._errors import Error, WrongTypeError
from ._lists import NAMES, Selection, check_listed, elements_of, end_of, listed
from ._lists import in_c as list_in_c

Indices = npt.NDArray[np.int64]


def in_c(name: str, value: object, kind: Any) -> Any:
    """Returns a layout or partition in the form of the C interface."""
    return of_type(name, value, kind)._in_c(name)


def ranks_of(layout: Any) -> List[int]:
    """Returns the rank of each process of a layout's grid, whose last axis is the fastest, copy by copy."""
    return list(range(math.prod(layout._grid) * layout._copies) if layout.ranks is None else layout.ranks)


def position_of(layout: Any, rank: int) -> Optional[Tuple[int, ...]]:
    """Returns the position of a process in the grid of its copy; None outside."""
    ranks, grid = ranks_of(layout), layout._grid
    return tuple(map(int, np.unravel_index(ranks.index(rank) % math.prod(grid), grid))) if rank in ranks else None


def in_first_copy(layout: Any, rank: int) -> bool:
    """Returns whether a process of a layout's grid belongs to the first copy, which plans read."""
    return bool(ranks_of(layout).index(rank) < math.prod(layout._grid))


def as_values(instance: object, kinds: Any, *names: str) -> None:
    """Replaces members of the given types, arrays or sequences, by tuples, which compare as one value."""
    for name in names:
        if isinstance(value := getattr(instance, name), kinds):
            object.__setattr__(instance, name, tuple(value.tolist() if isinstance(value, np.ndarray) else value))


def check_array(layout: c.CArrayLayout) -> None:
    """Checks all of a layout that does not depend on a communicator, and its shape, if it has one."""
    local = (c_int64 * max(layout.dims, 1))()
    c.call("array_local_shape", byref(layout), layout.shape or (c_int64 * len(local))(), -1, local)


@dataclasses.dataclass(frozen=True)
class Partition:
    """Intervals of one dimension: elements bounds[i] to bounds[i+1]-1, counted from 0, belong to row (column) owners[i]
    of the process grid; by default to row i. Its owner stores interval i from the local element places[i] on, counted
    from 0; by default in the order of the matrix, without gaps.

    >>> slabs = xredist.Partition([0, 30, 30, 42])            # 30 rows, none, and 12
    >>> xredist.Layout(nprow=3, nb=5, rows=slabs).local_size(42, 5, rank=2)
    (12, 5)
    >>> last_first = xredist.Partition([0, 20, 42], owners=[0, 0], places=[22, 0])
    >>> xredist.Layout(nb=5, rows=last_first).owner(20, 0).row
    0
    """
    bounds: Sequence[int]
    owners: Optional[Sequence[int]] = None
    places: Optional[Sequence[int]] = None

    def __post_init__(self) -> None:
        as_values(self, np.ndarray, "bounds", "owners", "places")
        partition = self._in_c("partition")
        owners = partition.owners[:partition.count] if partition.owners else [partition.count - 1]
        procs = min(max(max(owners, default=0), 0) + 1, 2**31 - 1)
        axis = c.CAxis(procs, partition=ctypes.pointer(partition))
        try:
            check_array(c.CArrayLayout(1, ctypes.pointer(axis)))
        except Error as error:
            raise Error(str(error).replace("layout.axes[0].partition", "partition", 1), error.code) from None

    def _in_c(self, name: str) -> c.CPartition:
        bounds = integers(f"{name}.bounds", self.bounds, c_int64)
        owners = None if self.owners is None else integers(f"{name}.owners", self.owners, c_int)
        if len(bounds) == 0:
            raise Error(f"{name}.bounds is empty, must have at least one number")
        places = None if self.places is None else integers(f"{name}.places", self.places, c_int64)
        for member, numbers in (("owners", owners), ("places", places)):
            if numbers is not None and len(numbers) != len(bounds) - 1:
                raise Error(f"{name}.{member} has {len(numbers)} entries, must have {len(bounds) - 1}")
        return c.CPartition(len(bounds) - 1, bounds, owners, places)

    def _values(self) -> Any:
        """Returns what equal partitions have in common, however their owners and places are written."""
        owners = tuple(range(len(self.bounds) - 1) if self.owners is None else self.owners)
        return tuple(self.bounds), owners, self._places(owners) if self.places is None else tuple(self.places)

    def _holds(self, elements: range, process: int) -> bool:
        """Returns whether a process owns any of the elements."""
        owners = range(len(self.bounds) - 1) if self.owners is None else self.owners
        return any(owner == process and max(begin, elements.start) < min(end, elements.stop)
                   for begin, end, owner in zip(self.bounds, self.bounds[1:], owners))

    def _places(self, owners: Sequence[int]) -> Tuple[int, ...]:
        """Returns the places in the order of the matrix, without gaps."""
        stored = dict.fromkeys(owners, 0)
        places = []
        for begin, end, owner in zip(self.bounds, self.bounds[1:], owners):
            places.append(stored[owner])
            stored[owner] += end - begin
        return tuple(places)


class Place(NamedTuple):
    """Where elements are: the rank of their process, and their rows and columns in its local array, from 0.

    >>> rank, row, col = xredist.Layout(npcol=2, mb=4, nb=4).owner(3, 7)
    >>> rank, row, col
    (1, 3, 3)
    """
    rank: Any
    row: Any
    col: Any


@dataclasses.dataclass(frozen=True)
class Layout:
    """The distribution of a matrix over an nprow x npcol process grid. Rows are in blocks of mb elements, dealt to the
    grid rows in turn from rsrc on, or in the partition `rows`; columns likewise. ranks[row * npcol + col] is the rank
    of the process at (row, col); by default 0, 1, 2 ...

    >>> layout = xredist.Layout(nprow=2, npcol=2, mb=64, nb=64)
    >>> layout.local_size(1000, 1000, rank=3)
    (488, 488)
    """
    nprow: int = 1
    npcol: int = 1
    mb: int = 0
    nb: int = 0
    rsrc: int = 0
    csrc: int = 0
    ranks: Optional[Sequence[int]] = None
    rows: Optional[Partition] = None
    cols: Optional[Partition] = None

    def __post_init__(self) -> None:
        as_values(self, np.ndarray, "ranks")
        c.call("local_size", byref(self._in_c("layout")), 0, 0, -1, byref(c_int64()), byref(c_int64()))

    def _in_c(self, name: str) -> c.CLayout:
        numbers = {key: integer(f"{name}.{key}", getattr(self, key), c_int64 if key in ("mb", "nb") else c_int)
                   for key in ("nprow", "npcol", "mb", "nb", "rsrc", "csrc")}
        layout = c.CLayout(**numbers)
        if self.ranks is not None:
            layout.ranks = integers(f"{name}.ranks", self.ranks, c_int)
            if len(self.ranks) != self.nprow * self.npcol:
                raise Error(f"{name}.ranks has {len(self.ranks)} entries, must have {self.nprow * self.npcol}")
        for axis in ("rows", "cols"):
            if (partition := getattr(self, axis)) is not None:
                setattr(layout, axis, ctypes.pointer(in_c(f"{name}.{axis}", partition, Partition)))
        return layout

    def _same_as(self, other: Any) -> bool:
        """Returns whether both layouts are the same, also if one names ranks or owners that are the default of the
        other, or numbers that a partition makes irrelevant."""
        return self is other or (isinstance(other, Layout) and self._values() == other._values())

    @property
    def _grid(self) -> Tuple[int, ...]:
        return self.nprow, self.npcol

    @property
    def _copies(self) -> int:
        return 1

    def _partitions(self) -> Sequence[Optional[Partition]]:
        return self.rows, self.cols

    def _local(self, shape: Tuple[int, ...], rank: int) -> Tuple[int, ...]:
        """Returns the shape of a local array with the elements of the matrix before `shape`."""
        return self.local_size(shape[0], shape[1], rank)

    def _placed(self, name: str, array: Any, dtype: np.dtype[Any], size: Tuple[int, ...],
                writes: bool = False) -> Tuple[Any, Any]:
        """Returns what a job says of a local array of at least the given size: its address and leading dimension."""
        return checked_array(name, array, dtype, (size[0], size[1]), writes)

    def _as_placed(self, array: Array) -> Array:
        """Returns a local array that a job takes: the array, or a copy of it."""
        return in_columns(array)

    def _zeros(self, size: Tuple[int, ...], dtype: np.dtype[Any], make: Any = np.zeros) -> Array:
        """Returns a local array of zeros, in memory that make(shape, dtype, order) returns."""
        return make(size, dtype, order="F")  # type: ignore[no-any-return]

    def _values(self) -> Any:
        return (self.nprow, self.npcol, tuple(ranks_of(self)),
                self.rows._values() if self.rows else (self.mb, self.rsrc),
                self.cols._values() if self.cols else (self.nb, self.csrc))

    def local_size(self, m: int, n: int, rank: int) -> Tuple[int, int]:
        """Returns (rows, columns) of the local array of process `rank` for an m x n matrix; (0, 0) outside the grid.

        >>> layout = xredist.Layout(nprow=2, mb=3, nb=4)
        >>> layout.local_size(8, 4, rank=0), layout.local_size(8, 4, rank=1), layout.local_size(8, 4, rank=2)
        ((5, 4), (3, 4), (0, 0))
        """
        rows, cols = c_int64(), c_int64()
        c.call("local_size", byref(self._in_c("layout")), integer("m", m), integer("n", n),
               integer("rank", rank, c_int), byref(rows), byref(cols))
        return rows.value, cols.value

    def indices(self, m: int, n: int, rank: int) -> Tuple[Indices, Indices]:
        """Returns the rows and the columns of an m x n matrix that process `rank` holds, counted from 0, in the order
        of its local array, with -1 for a gap; none outside the grid. numpy.ix_ of them indexes a matrix, and broadcasts
        in a formula:

        >>> layout = xredist.Layout(nprow=2, npcol=2, mb=2, nb=3)
        >>> rows, columns = layout.indices(6, 6, rank=1)
        >>> rows, columns
        (array([0, 1, 4, 5]), array([3, 4, 5]))
        >>> i, j = np.ix_(rows, columns)
        >>> hilbert = np.asfortranarray(1 / (1 + i + j))      # the local part of a Hilbert matrix
        """
        held = tuple(np.empty(size, dtype=np.int64) for size in self.local_size(m, n, rank))
        c.call("local_to_global", byref(self._in_c("layout")), integer("m", m), integer("n", n),
               integer("rank", rank, c_int), *(array.ctypes.data for array in held))
        return held[0] - 1, held[1] - 1

    def owner(self, i: Any, j: Any) -> Place:
        """Returns the Place (rank, row, col) of element (i, j), counted from 0: its process, and where its local array
        has the element. i and j are integers, or arrays of integers that broadcast.

        >>> layout = xredist.Layout(nprow=2, npcol=2, mb=2, nb=3)
        >>> layout.owner(4, 5)
        Place(rank=1, row=2, col=2)
        >>> layout.owner(np.arange(4), 0).rank
        array([0, 0, 2, 2], dtype=int32)
        """
        layout = self._in_c("layout")
        given = [np.asarray(i), np.asarray(j)]
        for name, array, partition in (("i", given[0], layout.rows), ("j", given[1], layout.cols)):
            if array.size > 0 and array.dtype.kind not in "iu":
                raise WrongTypeError(f"{name} is {array}, must have integers")
            end = partition.contents.bounds[partition.contents.count] if partition else 1 << 40
            if array.size > 0 and not 0 <= array.min() <= array.max() < end:
                wrong = array.min() if array.min() < 0 else array.max()
                raise Error(f"{name} is {wrong}, must be in 0 .. {end - 1}")
        try:
            of_rows, of_cols = np.broadcast_arrays(*(array.astype(np.int64) + 1 for array in given))
        except ValueError:
            raise Error(f"i has the shape {given[0].shape}, j has {given[1].shape}, must broadcast") from None
        rows, cols = (np.ascontiguousarray(array).ravel() for array in (of_rows, of_cols))
        ranks, local_rows, local_cols = (np.empty(rows.size, dtype) for dtype in (np.intc, np.int64, np.int64))
        c.call("global_to_local", byref(layout), rows.size,
               *(array.ctypes.data for array in (rows, cols, ranks, local_rows, local_cols)))
        places = (array.reshape(of_rows.shape) for array in (ranks, local_rows - 1, local_cols - 1))
        return Place(*(array if array.ndim > 0 else array.item() for array in places))


def element_types(dtype: Any, dtype_b: Any) -> Tuple[np.dtype[Any], np.dtype[Any]]:
    """Returns the numpy types of A and B; dtype_b is None for the type of A."""
    a = element("dtype", dtype)
    return a, a if dtype_b is None else element("dtype_b", dtype_b)


def set_types(operation: Any, dtypes: Tuple[np.dtype[Any], np.dtype[Any]]) -> None:
    """Sets the types of A and B in an operation of the C interface."""
    a, b = dtypes
    if a in LETTERS and b in LETTERS:
        operation.type, operation.type_b = LETTERS[a].encode(), LETTERS[b].encode()
    elif a != b:
        raise Error(f"dtype_b is {b}, dtype is {a}: only {CONVERTED} can be converted")
    operation.bytes = a.itemsize


@dataclasses.dataclass(frozen=True)
class Operation:
    """B(ib:, jb:) := beta B(ib:, jb:) + alpha op(A(ia:, ja:)) for an m x n submatrix of B. Indices count from 1, as in
    ScaLAPACK. dtype and dtype_b are those of A and B (dtype_b: that of A); the letters are those of xredist.h. trans is
    also True ('T') or False ('N'). options are those of this plan in place of those of its communicator: "buffer=8M
    route=direct".

    rows_a, cols_a, rows_b and cols_b select rows and columns of A and B in place of neighbours: slices, sequences of
    integers, or masks, as of numpy. They count from 0, as in Python: B[np.ix_(rows_b, cols_b)] := beta B[...] + alpha
    op(A[np.ix_(rows_a, cols_a)]). A plan does not know the sizes of A and B, so its lists do not count from the end.

    >>> triangle = xredist.Operation(m=100, n=100, dtype="f4", dtype_b="f8", trans=True, uplo="L")
    >>> triangle.dtypes
    (dtype('float32'), dtype('float64'))
    >>> xredist.Operation(m=3, n=2, rows_a=slice(0, 6, 2), cols_a=[4, 1]).rows_a
    (0, 2, 4)
    """
    m: int
    n: int
    dtype: Any = float
    dtype_b: Any = None
    ia: int = 1
    ja: int = 1
    ib: int = 1
    jb: int = 1
    trans: Union[str, bool] = "N"
    uplo: str = "A"
    diag: str = "N"
    mirror: str = "N"
    options: Optional[str] = None
    rows_a: Selection = None
    cols_a: Selection = None
    rows_b: Selection = None
    cols_b: Selection = None

    def __post_init__(self) -> None:
        for name in NAMES:
            object.__setattr__(self, name, listed(name, getattr(self, name)))

    @property
    def dtypes(self) -> Tuple[np.dtype[Any], np.dtype[Any]]:
        """The numpy types of A and B.

        >>> xredist.Operation(m=4, n=4, dtype=complex).dtypes
        (dtype('complex128'), dtype('complex128'))
        """
        return element_types(self.dtype, self.dtype_b)

    @property
    def transposes(self) -> bool:
        """Whether A's rows become B's columns.

        >>> xredist.Operation(m=4, n=4, trans="C").transposes, xredist.Operation(m=4, n=4, trans=False).transposes
        (True, False)
        """
        return self._letter("trans").upper() in (b"T", b"C")

    def _letter(self, name: str) -> bytes:
        value = getattr(self, name)
        if name == "trans" and isinstance(value, (bool, np.bool_)):
            return b"T" if value else b"N"
        return letter(name, value)

    def _in_c(self, a: c.CLayout, b: c.CLayout) -> c.COperation:
        numbers = {key: integer(key, getattr(self, key)) for key in ("m", "n", "ia", "ja", "ib", "jb")}
        operation = c.COperation(**numbers)
        for key in ("trans", "uplo", "diag", "mirror"):
            setattr(operation, key, self._letter(key))
        set_types(operation, self.dtypes)
        operation.options = None if self.options is None else text("options", self.options)
        partitions = (("a.rows", a.rows), ("a.cols", a.cols), ("b.rows", b.rows), ("b.cols", b.cols))
        for name, count, (axis, partition) in zip(NAMES, (*self._size_in_a(), self.m, self.n), partitions):
            ends = [(axis, partition.contents.bounds[partition.contents.count])] if partition else []
            check_listed(name, getattr(self, name), count, ends, repeats=name.endswith("a"))
            setattr(operation, name, list_in_c(getattr(self, name)))
        return operation

    def _size_in_a(self) -> Tuple[int, int]:
        """Returns the numbers of rows and of columns that are read."""
        return (self.n, self.m) if self.transposes else (self.m, self.n)

    def _ends(self) -> Tuple[Tuple[int, ...], Tuple[int, ...]]:
        """Returns the sizes of A and of B up to the ends of their submatrices."""
        firsts, counts = (self.ia, self.ja, self.ib, self.jb), (*self._size_in_a(), self.m, self.n)
        of_rows_a, of_cols_a, of_rows_b, of_cols_b = (
            end_of(elements_of(getattr(self, name), max(first, 1) - 1, count))
            for name, first, count in zip(NAMES, firsts, counts))
        return (of_rows_a, of_cols_a), (of_rows_b, of_cols_b)

    def _text(self) -> str:
        return f"{self.m} x {self.n}"
