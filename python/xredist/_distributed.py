# SPDX-License-Identifier: BSD-3-Clause
"""DistributedArray: a local array with its communicator, layout and shape, which other functions would repeat."""
from __future__ import annotations

from typing import Any, Callable, Generic, Optional, Sequence, Tuple, TypeVar, Union

import numpy as np
from mpi4py import MPI

from . import _library as c
from ._arguments import Array, FileName, element, of_type
from ._arrays import ArrayLayout
from ._errors import Error
from ._files import Progress, load_whole, save
from ._layouts import Indices, Layout
from ._lists import Selection, count_of
from ._plans import Plan
from ._redistribute import (check_layouts, gather, on_whole_arrays, redistributed, shape_of_result, whole_array,
                            whole_on)

AnyLayout = TypeVar("AnyLayout", bound=Union[Layout, ArrayLayout])
Whole = TypeVar("Whole", bound="Distributed[Any]")


def filled(local: Array, elements: Array) -> Array:
    """Returns the local array after it got the elements that a function has returned."""
    try:
        local[...] = elements
    except ValueError:
        raise Error(f"function returns the shape {elements.shape}, must broadcast to {local.shape}") from None
    return local


class Distributed(Generic[AnyLayout]):
    """What a DistributedMatrix and a DistributedArray have in common."""

    _noun: str  # for messages

    def __init__(self, comm: MPI.Comm, layout: AnyLayout, size: Tuple[int, ...], local: Array) -> None:
        self._comm, self._layout, self._size = comm, layout, size
        self.local = local

    @property
    def comm(self) -> MPI.Comm:
        """The communicator.

        >>> xredist.DistributedMatrix.zeros(comm, (4, 3), xredist.Layout(mb=4, nb=3)).comm == comm
        True
        """
        return self._comm

    @property
    def layout(self) -> AnyLayout:
        """The layout.

        >>> xredist.DistributedMatrix.zeros(comm, (4, 3), xredist.Layout(mb=4, nb=3)).layout.mb
        4
        """
        return self._layout

    @property
    def local(self) -> Array:
        """The part of this process. Another array of the same shape, of a matrix in Fortran order, may take its place.

        >>> layout = xredist.Layout(nprow=comm.size, mb=2, nb=3)
        >>> A = xredist.DistributedMatrix.zeros(comm, (2 * comm.size, 3), layout)
        >>> A.local = np.full((2, 3), 1j, order="F")
        >>> A.dtype
        dtype('complex128')
        """
        return self._local

    @local.setter
    def local(self, array: Array) -> None:
        least = (0,) * len(self._size)
        self._layout._placed("local", of_type("local", array, np.ndarray), array.dtype, least)
        if array.shape != self._size:
            raise Error(f"local has the shape {array.shape}, must have {self._size}")
        self._local = array

    @property
    def dtype(self) -> np.dtype[Any]:
        """The numpy type of the elements.

        >>> xredist.DistributedMatrix.zeros(comm, (4, 4), xredist.Layout(mb=4, nb=4), dtype="f4").dtype
        dtype('float32')
        """
        return self._local.dtype

    def gather(self, root: int = 0, out: Optional[Array] = None) -> Optional[Array]:
        """Returns the whole matrix or array on rank `root`, and None on the other processes.

        >>> A = xredist.DistributedMatrix.zeros(comm, (3, 2), xredist.Layout(nprow=comm.size, mb=1, nb=2))
        >>> whole = A.gather()
        >>> comm.bcast(whole).tolist()
        [[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]
        """
        return gather(self.comm, self.local, self.layout, root, out=out)

    def _redistributed(self: Whole, layout: Any, dtype: Any, out: Optional[Whole], zeros: Callable[[], Whole],
                       plan: Callable[[Whole], Plan]) -> Whole:
        """Does the work of redistribute(): executes a plan to `out`, or to the result of zeros() without `out`."""
        if out is None:
            out = zeros()
        elif layout is not None or dtype is not None:
            raise Error("out excludes layout and dtype, which are those of out")
        elif out is self:
            raise Error(f"out is this {self._noun}, must be another one")
        with plan(out) as made:
            made.execute(self, out)
        return out


def _local_shape(comm: MPI.Comm, shape: Sequence[int], layout: ArrayLayout) -> Tuple[int, ...]:
    """Returns the shape of the local array of this process."""
    c.handle(comm)
    local = of_type("layout", layout, ArrayLayout).local_shape(shape, comm.Get_rank())
    if layout.shape is not None and tuple(shape) != tuple(layout.shape):
        raise Error(f"shape is {tuple(shape)}, layout.shape is {tuple(layout.shape)}")
    return local


class DistributedArray(Distributed[ArrayLayout]):
    """An array of any number of dimensions over the processes of a communicator: `comm`, the `shape` of the whole
    array, its `layout`, and `local`, the part of this process: a numpy array with any strides that a Plan takes, whose
    shape has zeros outside the layout's grid. The constructor keeps these four values.

    >>> slabs = xredist.ArrayLayout("(BLOCK, *, *)", grid=(comm.size, 1, 1))
    >>> A = xredist.DistributedArray(comm, (8, 3, 5), slabs, np.ones(slabs.local_shape((8, 3, 5), comm.rank)))
    >>> A.local *= 2
    >>> A
    <xredist.DistributedArray of 8 x 3 x 5 elements, float64, ... x 1 x 1 processes>
    """

    _noun = "array"

    def __init__(self, comm: MPI.Comm, shape: Sequence[int], layout: ArrayLayout, local: Array) -> None:
        super().__init__(comm, layout, _local_shape(comm, shape, layout), local)
        self._shape = tuple(int(n) for n in shape)

    @property
    def shape(self) -> Tuple[int, ...]:
        """The shape of the whole array.

        >>> slabs = xredist.ArrayLayout("(BLOCK, *, *)", grid=(comm.size, 1, 1))
        >>> xredist.DistributedArray.zeros(comm, (8, 3, 5), slabs).shape
        (8, 3, 5)
        """
        return self._shape

    @classmethod
    def zeros(cls, comm: MPI.Comm, shape: Sequence[int], layout: ArrayLayout, dtype: Any = float) -> DistributedArray:
        """Returns an array of zeros, in the order of the layout. Local.

        >>> slabs = xredist.ArrayLayout("(BLOCK, *, *)", grid=(comm.size, 1, 1), order="F")
        >>> xredist.DistributedArray.zeros(comm, (8, 3, 5), slabs, dtype="i2").local.flags.f_contiguous
        True
        """
        size = _local_shape(comm, shape, layout)
        return cls(comm, shape, layout, layout._zeros(size, element("dtype", dtype)))

    @classmethod
    def from_local(cls, comm: MPI.Comm, local: Any, layout: ArrayLayout) -> DistributedArray:
        """Returns the array of which `local` is the part of this process. An array with strides that are negative, or
        no whole numbers of elements, is copied, others are kept. A reduction finds the shape. Collective: an error is
        raised on all processes.

        >>> layout = xredist.ArrayLayout("(*, *, CYCLIC)", grid=(1, 1, comm.size))
        >>> xredist.DistributedArray.from_local(comm, np.ones((2, 3, 1)), layout).shape == (2, 3, comm.size)
        True
        """
        check_layouts(comm, layout, layout, {}, ArrayLayout)
        shape, dtype, array = whole_array(comm, local, layout)
        given = layout._zeros((0,) * len(shape), dtype) if array is None else layout._as_placed(array)
        return cls(comm, shape, layout, given)

    @classmethod
    def from_function(cls, comm: MPI.Comm, function: Callable[..., Any], shape: Sequence[int], layout: ArrayLayout,
                      dtype: Any = None) -> DistributedArray:
        """Returns the array with the elements function(i, j, k ...): indices along each axis, counted from 0, in arrays
        that broadcast, as of numpy.ix_. The result of the function broadcasts to the shape of the local array, and has
        its dtype unless `dtype` is passed. Local.

        >>> slabs = xredist.ArrayLayout("(BLOCK, *, *)", grid=(comm.size, 1, 1))
        >>> A = xredist.DistributedArray.from_function(comm, lambda i, j, k: 100 * i + 10 * j + k, (8, 3, 5), slabs)
        >>> whole = A.gather()
        >>> comm.bcast(whole)[7, 2].tolist()
        [720, 721, 722, 723, 724]
        """
        size = _local_shape(comm, shape, layout)
        elements = np.asarray(function(*np.ix_(*layout.indices(shape, comm.Get_rank()))))
        local = layout._zeros(size, element("dtype", elements.dtype if dtype is None else dtype))
        return cls(comm, shape, layout, filled(local, elements))

    @classmethod
    def scatter(cls, comm: MPI.Comm, array: Any, layout: ArrayLayout, root: int = 0) -> DistributedArray:
        """Returns an array that rank `root` holds as an array, or as lists; other processes pass None.

        >>> layout = xredist.ArrayLayout("(*, *, CYCLIC)", grid=(1, 1, comm.size))
        >>> xredist.DistributedArray.scatter(comm, [[[1, 2], [3, 4]]] if comm.rank == 0 else None, layout).shape
        (1, 2, 2)
        """
        shape, local = redistributed(comm, array, whole_on(root, layout), layout, {}, kind=ArrayLayout)
        return cls(comm, shape, layout, local)

    @classmethod
    def load(cls, comm: MPI.Comm, name: FileName, layout: ArrayLayout, dtype: Any = None, *,
             progress: Optional[Progress] = None) -> DistributedArray:
        """Returns the array in a .npy file (xredist.load). progress: as of xredist.save().

        >>> if comm.rank == 0:
        ...     np.save("ones.npy", np.ones((3, 4, 5)))
        >>> comm.Barrier()
        >>> layout = xredist.ArrayLayout("(*, *, CYCLIC)", grid=(1, 1, comm.size))
        >>> xredist.DistributedArray.load(comm, "ones.npy", layout).shape
        (3, 4, 5)
        """
        shape, local = load_whole(comm, name, layout, ArrayLayout, dtype, progress=progress)
        return cls(comm, shape, layout, local)

    def indices(self) -> Tuple[Indices, ...]:
        """Returns the indices along each axis of the elements in `local`, counted from 0.

        >>> layout = xredist.ArrayLayout("(CYCLIC, *)", grid=(comm.size, 1))
        >>> i, j = xredist.DistributedArray.zeros(comm, (2 * comm.size, 3), layout).indices()
        >>> (i - comm.rank).tolist() == [0, comm.size], j.tolist()
        (True, [0, 1, 2])
        """
        return self.layout.indices(self.shape, self.comm.Get_rank())

    def plan(self, to: DistributedArray, conj: bool = False, lists_a: Optional[Sequence[Selection]] = None,
             lists_b: Optional[Sequence[Selection]] = None) -> Plan:
        """Returns a plan from the layout of this array to that of another one, for these and other arrays with the same
        shapes and types. conj: elements are conjugated. The lists are those of ArrayOperation, which may count from the
        end.

        >>> a = xredist.ArrayLayout("(BLOCK, *, *)", grid=(comm.size, 1, 1))
        >>> b = xredist.ArrayLayout("(*, BLOCK, *)", grid=(1, comm.size, 1))
        >>> A, B = (xredist.DistributedArray.zeros(comm, (8, 6, 5), layout) for layout in (a, b))
        >>> with A.plan(B) as plan:
        ...     plan.execute(A, B)
        """
        return self._plan("to", to, conj, lists_a, lists_b)

    def _plan(self, name: str, to: DistributedArray, conj: bool, lists_a: Any, lists_b: Any) -> Plan:
        """Returns plan(to); `name` of the argument that is `to`."""
        of_type(name, to, DistributedArray)
        operation = on_whole_arrays(lists_a, lists_b, self.shape, to.shape, self.dtype, to.dtype, conj)
        written = tuple(map(count_of, operation._lists("b"), to.shape))
        if written != operation.shape:
            chosen = f", of which lists name {written}" if written != to.shape else ""
            raise Error(f"{name} has the shape {to.shape}{chosen}, must have {operation.shape}")
        return Plan(self.comm, self.layout, to.layout, operation)

    def redistribute(self, layout: Optional[ArrayLayout] = None, *, dtype: Any = None, conj: bool = False,
                     lists_a: Optional[Sequence[Selection]] = None, lists_b: Optional[Sequence[Selection]] = None,
                     out: Optional[DistributedArray] = None) -> DistributedArray:
        """Returns the array in another layout, or writes it to `out`, in whose layout and with whose dtype. conj:
        elements are conjugated. The lists are those of redistribute().

        >>> a = xredist.ArrayLayout("(BLOCK, *, *)", grid=(comm.size, 1, 1))
        >>> b = xredist.ArrayLayout("(*, BLOCK, *)", grid=(1, comm.size, 1))
        >>> A = xredist.DistributedArray.from_function(comm, lambda i, j, k: 1j * i + j * k, (8, 6, 5), a)
        >>> B = A.redistribute(b, conj=True)
        >>> C = xredist.DistributedArray.zeros(comm, (8, 6, 5), a, dtype=complex)
        >>> B.redistribute(out=C, conj=True) is C, bool((A.local == C.local).all())
        (True, True)
        >>> A.redistribute(a, lists_a=(None, [-1, 0], slice(0, 4))).shape
        (8, 2, 4)
        """
        def zeros() -> DistributedArray:
            given = of_type("layout", layout, ArrayLayout)
            operation = on_whole_arrays(lists_a, lists_b, self.shape, given.shape, self.dtype, dtype, conj)
            return DistributedArray.zeros(self.comm, shape_of_result(operation, given), given, operation.dtypes[1])

        return self._redistributed(layout, dtype, out, zeros,
                                   lambda to: self._plan("out", to, conj, lists_a, lists_b))

    def save(self, name: FileName, dtype: Any = None, *, progress: Optional[Progress] = None,
             consume: bool = False) -> None:
        """Writes the array to a .npy file (xredist.save). dtype: type to convert to. progress and consume: as of
        xredist.save().

        >>> slabs = xredist.ArrayLayout("(BLOCK, *, *)", grid=(comm.size, 1, 1))
        >>> xredist.DistributedArray.zeros(comm, (8, 3, 5), slabs).save("array.npy", dtype="f4")
        >>> np.load("array.npy").dtype
        dtype('float32')
        """
        save(self.comm, name, self.local, self.layout, dtype, progress=progress, consume=consume)

    def __repr__(self) -> str:
        shape, grid = (" x ".join(map(str, numbers)) for numbers in (self.shape, self.layout._grid))
        copies = f"{self.layout._copies} copies, " if self.layout._copies > 1 else ""
        return f"<xredist.DistributedArray of {shape} elements, {self.dtype}, {copies}{grid} processes>"
