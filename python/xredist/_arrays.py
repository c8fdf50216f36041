# SPDX-License-Identifier: BSD-3-Clause
"""Layouts of arrays of any number of dimensions, and the operation of their plans."""
from __future__ import annotations

import ctypes
import dataclasses
import math
from ctypes import byref, c_int, c_int64
from typing import Any, Optional, Sequence, Tuple, Union

import numpy as np

from . import _library as c
from ._arguments import Array, integer, integers, kind_of, of_type, sizes, strided_array, text
from ._errors import Error, WrongTypeError
from ._layouts import (Indices, Layout, Partition, as_values, check_array, element_types, position_of, ranks_of,
                       set_types)
from ._lists import Listed, Selection, check_count, check_listed, elements_of, end_of, listed_on_axes
from ._lists import in_c as list_in_c

#: XREDIST_EVEN of array.h.
EVEN = -1


@dataclasses.dataclass(frozen=True, eq=False)
class ArrayLayout:
    """The distribution of an array of 1 to 15 dimensions (axes) over a process grid with as many dimensions.

    `axes` says how each axis is distributed, in the notation of High Performance Fortran: "(*, BLOCK, CYCLIC(3))". `*`
    is an axis that is not distributed, CYCLIC(b) deals blocks of b elements to the processes in turn, and CYCLIC is
    CYCLIC(1). Of n elements over p processes, BLOCK gives ceil(n / p) to each as long as there are any, and EVEN gives
    n // p, and one more to the first n % p, as numpy.array_split. `axes` may also be a sequence with a string or a
    Partition for each axis. `grid` has the number of processes along each axis.

    `shape` is the size of the whole array, which BLOCK and EVEN divide; without it, the array ends with the subarray
    that a plan moves. `order` is the order in memory of the arrays that the package makes, and for which it plans: "C"
    (the last axis is contiguous, as in numpy), "F" (the first axis), or the axes from the fastest to the slowest.
    Arrays of programs may have any order; those in another one are copied slowly. ranks[k] is the rank of process k of
    the grid, whose last axis is the fastest; by default 0, 1, 2 ... The process sources[k] along axis k owns the first
    block; by default 0.

    With copies = c, c grids hold the same array, and `ranks` names the processes of all of them, one grid after the
    other. A plan reads the first copy of A, and writes the same elements to all copies of B.

    >>> pencils = xredist.ArrayLayout("(*, BLOCK, CYCLIC(3))", grid=(1, 2, 2))
    >>> pencils.local_shape((8, 5, 10), rank=3)
    (8, 2, 4)
    >>> xredist.ArrayLayout(["*", xredist.Partition([0, 1, 5])], grid=(1, 2)).local_shape((8, 5), rank=1)
    (8, 4)
    >>> pencils == xredist.ArrayLayout(("*", "block", "cyclic(3)"), grid=[1, 2, 2], ranks=range(4))
    True
    >>> everywhere = xredist.ArrayLayout("(*, *)", grid=(1, 1), copies=4)      # the whole array on ranks 0 to 3
    >>> everywhere.local_shape((8, 5), rank=3)
    (8, 5)
    """
    axes: Union[str, Sequence[Union[str, Partition]]]
    grid: Sequence[int]
    shape: Optional[Sequence[int]] = None
    order: Union[str, Sequence[int]] = "C"
    ranks: Optional[Sequence[int]] = None
    sources: Optional[Sequence[int]] = None
    copies: int = 1

    def __post_init__(self) -> None:
        as_values(self, (list, range, np.ndarray), "axes", "grid", "shape", "order", "ranks", "sources")
        check_array(self._in_c("layout"))

    def _in_c(self, name: str) -> c.CArrayLayout:
        pattern, partitions = self._pattern(name)
        dims = len(partitions)
        grid = sizes(f"{name}.grid", self.grid, dims, c_int)
        axes = (c.CAxis * dims)()
        try:
            c.call("axes", pattern, dims, grid, axes)
        except Error as error:
            raise Error(f"{name}: {error}", error.code) from None
        sources = [0] * dims if self.sources is None else sizes(f"{name}.sources", self.sources, dims, c_int)
        for k, (axis, partition) in enumerate(zip(axes, partitions)):
            axis.source = sources[k]
            if partition is not None:
                axis.partition = ctypes.pointer(partition._in_c(f"{name}.axes[{k}]"))
        layout = c.CArrayLayout(dims, axes, order=(c_int * dims)(*self._order(name, dims)),
                                copies=integer(f"{name}.copies", self.copies, c_int64))
        if self.shape is not None:
            layout.shape = sizes(f"{name}.shape", self.shape, dims)
        if self.ranks is not None:
            layout.ranks = integers(f"{name}.ranks", self.ranks, c_int)
            positions = math.prod(grid) * self._copies
            if len(self.ranks) != positions:
                raise Error(f"{name}.ranks has {len(self.ranks)} entries, must have {positions}")
        return layout

    def _pattern(self, name: str) -> Tuple[bytes, Sequence[Optional[Partition]]]:
        """Returns the pattern of all axes, and the partition of each axis that has one, of which the pattern says
        BLOCK."""
        if isinstance(self.axes, str):
            return text(f"{name}.axes", self.axes), [None] * (self.axes.count(",") + 1)
        if not isinstance(self.axes, tuple):
            raise WrongTypeError(f"{name}.axes is {kind_of(self.axes)}, must be a string such as '(*, BLOCK)', or a "
                                 "sequence of strings and Partitions")
        for k, axis in enumerate(self.axes):
            if not isinstance(axis, (str, Partition)):
                raise WrongTypeError(f"{name}.axes[{k}] is {kind_of(axis)}, must be a string or a Partition")
        pattern = ", ".join("BLOCK" if isinstance(axis, Partition) else axis for axis in self.axes)
        return (text(f"{name}.axes", f"({pattern})"),
                [axis if isinstance(axis, Partition) else None for axis in self.axes])

    def _order(self, name: str, dims: int) -> Sequence[int]:
        """Returns the axes from the fastest to the slowest."""
        if isinstance(self.order, str):
            if self.order.upper() not in ("C", "F"):
                raise Error(f"{name}.order is {self.order!r}, must be 'C', 'F', or the axes from the fastest to the "
                            "slowest")
            return range(dims) if self.order.upper() == "F" else range(dims)[::-1]
        return list(sizes(f"{name}.order", self.order, dims, c_int))

    def _values(self) -> Any:
        """Returns what equal layouts have in common."""
        layout = self._in_c("layout")
        of_axes = tuple((axis.procs, *((axis.block, axis.source) if partition is None else partition._values()))
                        for axis, partition in zip(layout.axes[:layout.dims], self._partitions()))
        order = tuple(layout.order[:layout.dims])
        return of_axes, self.shape and tuple(self.shape), order, tuple(ranks_of(self)), self._copies

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ArrayLayout):
            return NotImplemented
        return self is other or bool(self._values() == other._values())

    def __hash__(self) -> int:
        return hash(self._values())

    def _same_as(self, other: object) -> bool:
        return bool(self == other)

    @property
    def _grid(self) -> Tuple[int, ...]:
        return tuple(self.grid)

    @property
    def _copies(self) -> int:
        return max(int(self.copies), 1)

    def _partitions(self) -> Sequence[Optional[Partition]]:
        return self._pattern("layout")[1]

    def local_shape(self, shape: Sequence[int], rank: int) -> Tuple[int, ...]:
        """Returns the shape of the local array of process `rank` for a whole array of the given shape; zeros outside
        the grid.

        >>> slabs = xredist.ArrayLayout("(BLOCK, *, *)", grid=(2, 1, 1))
        >>> [slabs.local_shape((7, 4, 5), rank) for rank in range(3)]
        [(4, 4, 5), (3, 4, 5), (0, 0, 0)]
        """
        layout = self._in_c("layout")
        whole, local = sizes("shape", shape, layout.dims), (c_int64 * layout.dims)()
        c.call("array_local_shape", byref(layout), whole, integer("rank", rank, c_int), local)
        return tuple(local)

    def indices(self, shape: Sequence[int], rank: int) -> Tuple[Indices, ...]:
        """Returns the indices along each axis, counted from 0, that process `rank` holds of a whole array of the given
        shape, in the order of its local array, with -1 for a gap; none outside the grid. numpy.ix_ of them indexes the
        whole array, and broadcasts in a formula:

        >>> layout = xredist.ArrayLayout("(CYCLIC(2), BLOCK)", grid=(2, 2))
        >>> layout.indices((6, 6), rank=1)
        (array([0, 1, 4, 5]), array([3, 4, 5]))
        >>> i, j = np.ix_(*layout.indices((6, 6), rank=1))
        >>> hilbert = 1 / (1 + i + j)                         # the local part of a Hilbert matrix
        """
        local = self.local_shape(shape, rank)  # checks the arguments
        position = position_of(self, rank)
        if position is None:
            return tuple(np.empty(0, dtype=np.int64) for _ in local)
        return tuple(axis.indices(int(n), 1, process)[0]
                     for axis, n, process in zip(self._of_columns(shape), shape, position))

    def _of_columns(self, shape: Sequence[int]) -> Sequence[Layout]:
        """Returns for each axis the layout of a column of a matrix that is distributed as the axis."""
        layout, layouts = self._in_c("layout"), []
        for axis, partition, size in zip(layout.axes[:layout.dims], self._partitions(), shape):
            n, procs = int(size), axis.procs
            block = axis.block or max(-(-n // procs), 1)
            if partition is None and block == EVEN:
                partition = Partition([n // procs * k + min(k, n % procs) for k in range(procs + 1)])
            layouts.append(Layout(procs, mb=block, nb=1, rsrc=axis.source, rows=partition))
        return layouts

    def _local(self, shape: Tuple[int, ...], rank: int) -> Tuple[int, ...]:
        """Returns the shape of a local array of the whole array, which ends at `shape` if the layout has none."""
        return self.local_shape(shape if self.shape is None else self.shape, rank)

    def _part(self, elements: Sequence[Sequence[int]], rank: int) -> Tuple[int, ...]:
        """Returns the shape of a local array in a plan that moves the given elements along each axis, counted from 0;
        zeros on a process that holds none of them."""
        position, whole = position_of(self, rank), self.shape
        if whole is None:
            whole = tuple(map(end_of, elements))
        if position is None or not all(map(_holds, self._of_columns(whole), elements, position)):
            return (0,) * len(elements)
        return self.local_shape(whole, rank)

    def _placed(self, name: str, array: Any, dtype: np.dtype[Any], size: Tuple[int, ...],
                writes: bool = False) -> Tuple[Any, Any]:
        """Returns what a job says of a local array: its address and strides. Of the whole array, the shape is known."""
        return strided_array(name, array, dtype, size, self.shape is not None and math.prod(size) > 0, writes)

    def _as_placed(self, array: Array) -> Array:
        """Returns a local array that a job takes: the array, or a copy of it if its strides are no whole numbers."""
        try:
            strided_array("array", array, array.dtype, array.shape, True)
            return array
        except Error:
            copied = self._zeros(array.shape, array.dtype)
            copied[...] = array
            return copied

    def _zeros(self, size: Tuple[int, ...], dtype: np.dtype[Any], make: Any = np.zeros) -> Array:
        """Returns a local array of zeros in the order of the layout, in memory that make(shape, dtype) returns."""
        slowest_first = list(self._order("layout", len(size)))[::-1]
        return make([size[k] for k in slowest_first], dtype).transpose(  # type: ignore[no-any-return]
            np.argsort(slowest_first))


def _holds(axis: Layout, elements: Sequence[int], process: int) -> bool:
    """Returns whether a process holds any of the elements of an axis."""
    if isinstance(elements, range):
        if axis.rows is not None:
            return axis.rows._holds(elements, process)
        return axis.local_size(elements.start, 1, process) != axis.local_size(elements.stop, 1, process)
    return bool(np.any(axis.owner(np.array(elements, dtype=np.int64), 0).rank == process))


@dataclasses.dataclass(frozen=True)
class ArrayOperation:
    """B[first_b ...] := beta B[first_b ...] + alpha A[first_a ...] for a subarray of the given shape. first_a and
    first_b are the indices of its first elements in A and B along each axis, counted from 0, as in Python; None: 0 on
    all axes. dtype and dtype_b are those of A and B (dtype_b: that of A). conj: A is conjugated. options are those of
    this plan in place of those of its communicator, as in Operation: "buffer=8M route=direct".

    lists_a and lists_b select elements in place of neighbours: a slice, a sequence of integers or a mask for each axis,
    as in Operation, and None on an axis without a list. B[np.ix_(*lists_b)] := beta B[...] + alpha
    A[np.ix_(*lists_a)].

    >>> block = xredist.ArrayOperation(shape=(4, 4, 2), dtype="f4", dtype_b="f8", first_a=(0, 1, 3))
    >>> block.dtypes
    (dtype('float32'), dtype('float64'))
    >>> xredist.ArrayOperation(shape=(4, 2), lists_a=(None, [7, 3])).lists_a
    (None, (7, 3))
    """
    shape: Sequence[int]
    dtype: Any = float
    dtype_b: Any = None
    first_a: Optional[Sequence[int]] = None
    first_b: Optional[Sequence[int]] = None
    conj: bool = False
    options: Optional[str] = None
    lists_a: Optional[Sequence[Selection]] = None
    lists_b: Optional[Sequence[Selection]] = None

    @property
    def dtypes(self) -> Tuple[np.dtype[Any], np.dtype[Any]]:
        """The numpy types of A and B.

        >>> xredist.ArrayOperation((4, 4, 4), dtype=complex).dtypes
        (dtype('complex128'), dtype('complex128'))
        """
        return element_types(self.dtype, self.dtype_b)

    def __post_init__(self) -> None:
        as_values(self, (list, np.ndarray), "shape", "first_a", "first_b")
        for name in ("lists_a", "lists_b"):
            object.__setattr__(self, name, listed_on_axes(name, getattr(self, name)))

    def _in_c(self, a: c.CArrayLayout, b: c.CArrayLayout) -> c.CArrayOperation:
        shape = integers("shape", self.shape, c_int64)
        if len(shape) != a.dims:
            raise Error(f"shape has {len(shape)} entries, a has {a.dims} axes")
        if b.dims != a.dims:
            raise Error(f"b has {b.dims} axes, a has {a.dims}")
        operation = c.CArrayOperation(shape)
        for side, layout in zip("ab", (a, b)):
            lists = self._lists(side)
            check_count(f"lists_{side}", lists, a.dims, " lists")
            setattr(operation, f"first_{side}", self._first(side, layout, shape))
            if any(elements is not None for elements in lists):
                passed = (ctypes.POINTER(c_int64) * len(lists))()
                for k, elements in enumerate(lists):
                    if elements is not None:
                        passed[k] = list_in_c(elements)
                setattr(operation, f"lists_{side}", passed)
        operation.conj = b"R" if of_type("conj", self.conj, bool) else b"N"
        set_types(operation, self.dtypes)
        operation.options = None if self.options is None else text("options", self.options)
        return operation

    def _lists(self, side: str) -> Sequence[Listed]:
        """Returns the list of each axis of A or B."""
        lists: Optional[Sequence[Listed]] = getattr(self, f"lists_{side}")
        return (None,) * len(self.shape) if lists is None else lists

    def _first(self, side: str, layout: c.CArrayLayout, shape: Sequence[int]) -> Any:
        """Returns the first element of the subarray in A or B, counted from 1. Checks the lists as well."""
        name, given = f"first_{side}", getattr(self, f"first_{side}")
        first = (c_int64 * len(shape))() if given is None else sizes(name, given, len(shape))
        for k, (index, n, elements) in enumerate(zip(first, shape, self._lists(side))):
            if not 0 <= index < 1 << 40:
                raise Error(f"{name}[{k}] is {index}, must be in 0 .. {(1 << 40) - 1}")
            if index != 0 and elements is not None:
                raise Error(f"{name}[{k}] is {index}, must be 0 with lists_{side}[{k}]")
            ends = [(f"{side}.shape[{k}]", layout.shape[k])] if layout.shape else []
            if partition := layout.axes[k].partition:
                ends.append((f"{side}.axes[{k}]", partition.contents.bounds[partition.contents.count]))
            check_listed(f"lists_{side}[{k}]", elements, n, ends, repeats=side == "a")
            for member, end in ends:
                if elements is None and index + n > end:
                    raise Error(f"shape[{k}] is {n}: with {name}[{k}] = {index} it reaches beyond {member}, which "
                                f"ends at {end}")
            first[k] = index + 1
        return first

    def _elements(self, side: str) -> Sequence[Sequence[int]]:
        """Returns the elements of A or B that move, along each axis, counted from 0."""
        first = getattr(self, f"first_{side}") or (0,) * len(self.shape)
        return [elements_of(elements, int(i), int(n)) for elements, i, n in zip(self._lists(side), first, self.shape)]

    def _ends(self) -> Tuple[Tuple[int, ...], Tuple[int, ...]]:
        """Returns the sizes of A and of B up to the ends of their subarrays."""
        a, b = (tuple(map(end_of, self._elements(side))) for side in "ab")
        return a, b

    def _text(self) -> str:
        return " x ".join(map(str, self.shape))
