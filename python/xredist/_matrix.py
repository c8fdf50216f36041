# SPDX-License-Identifier: BSD-3-Clause
"""DistributedMatrix: a local array with its communicator, layout and shape, which other functions would repeat."""
from __future__ import annotations

from typing import Any, Callable, Dict, Optional, Tuple, Union

import numpy as np
from mpi4py import MPI

from . import _library as c
from ._arguments import Array, FileName, element, in_columns, integer, of_type
from ._distributed import Distributed, filled
from ._errors import Error, WrongTypeError
from ._files import Progress, load_whole, save
from ._fit import Rules, fit
from ._layouts import Indices, Layout, Place
from ._lists import Selection, count_of
from ._plans import Plan
from ._redistribute import check_layouts, on_whole_matrices, redistributed, whole_array, whole_on


def _local_size(comm: MPI.Comm, shape: Any, layout: Layout) -> Tuple[int, int]:
    """Returns the size of the local array of this process."""
    c.handle(comm)
    try:
        m, n = shape
    except (TypeError, ValueError):
        raise WrongTypeError(f"shape is {shape!r}, must be a tuple of two integers") from None
    return of_type("layout", layout, Layout).local_size(integer("shape[0]", m), integer("shape[1]", n), comm.Get_rank())


class DistributedMatrix(Distributed[Layout]):
    """A matrix over the processes of a communicator: `comm`, the `shape` of the whole matrix, its `layout`, and
    `local`, the part of this process: a numpy array in Fortran order, of the shape (0, 0) outside the layout's grid.
    The constructor keeps these four values.

    >>> rows = xredist.Layout(nprow=comm.size, mb=2, nb=8)
    >>> local = np.zeros(rows.local_size(8, 8, comm.rank), order="F")
    >>> A = xredist.DistributedMatrix(comm, (8, 8), rows, local)
    >>> A.local += comm.rank
    >>> A
    <xredist.DistributedMatrix of 8 x 8 elements, float64, ... x 1 processes>
    """

    _noun = "matrix"

    def __init__(self, comm: MPI.Comm, shape: Tuple[int, int], layout: Layout, local: Array) -> None:
        super().__init__(comm, layout, _local_size(comm, shape, layout), local)
        self._shape = int(shape[0]), int(shape[1])

    @property
    def shape(self) -> Tuple[int, int]:
        """The numbers of rows and columns of the whole matrix.

        >>> xredist.DistributedMatrix.zeros(comm, (4, 3), xredist.Layout(mb=4, nb=3)).shape
        (4, 3)
        """
        return self._shape

    @classmethod
    def zeros(cls, comm: MPI.Comm, shape: Tuple[int, int], layout: Layout, dtype: Any = float) -> DistributedMatrix:
        """Returns a matrix of zeros. Local.

        >>> xredist.DistributedMatrix.zeros(comm, (4, 4), xredist.Layout(mb=4, nb=4), dtype="f4").dtype
        dtype('float32')
        """
        local = np.zeros(_local_size(comm, shape, layout), dtype=element("dtype", dtype), order="F")
        return cls(comm, shape, layout, local)

    @classmethod
    def from_local(cls, comm: MPI.Comm, local: Any, layout: Layout) -> DistributedMatrix:
        """Returns the matrix of which `local` is the part of this process. An array in C order is
        copied, others are kept. A reduction finds the shape. Collective: an error is raised on all processes.

        >>> layout = xredist.Layout(nprow=comm.size, mb=1, nb=3)
        >>> xredist.DistributedMatrix.from_local(comm, np.ones((2, 3)), layout).shape == (2 * comm.size, 3)
        True
        """
        check_layouts(comm, layout, layout, {}, Layout)
        (m, n), dtype, array = whole_array(comm, local, layout)
        return cls(comm, (m, n), layout, in_columns(np.zeros((0, 0), dtype) if array is None else array))

    @classmethod
    def from_function(cls, comm: MPI.Comm, function: Callable[[Indices, Indices], Any], shape: Tuple[int, int],
                      layout: Layout, dtype: Any = None) -> DistributedMatrix:
        """Returns the matrix with the elements function(i, j). i is a column of row indices and j a row of column
        indices, both counted from 0. The result of the function broadcasts to the shape of the local array, and has its
        dtype unless `dtype` is passed. Local.

        >>> layout = xredist.Layout(nprow=comm.size, mb=1, nb=3)
        >>> hilbert = xredist.DistributedMatrix.from_function(comm, lambda i, j: 1 / (1 + i + j), (3, 3), layout)
        >>> whole = hilbert.gather()
        >>> comm.bcast(whole)[2].tolist() == [1 / 3, 1 / 4, 1 / 5]
        True
        """
        size = _local_size(comm, shape, layout)
        elements = np.asarray(function(*np.ix_(*layout.indices(*shape, comm.Get_rank()))))
        local = np.empty(size, element("dtype", elements.dtype if dtype is None else dtype), order="F")
        return cls(comm, shape, layout, filled(local, elements))

    @classmethod
    def scatter(cls, comm: MPI.Comm, matrix: Any, layout: Layout, root: int = 0) -> DistributedMatrix:
        """Returns a matrix that rank `root` holds as an array, or a list of rows; other processes pass None.

        >>> layout = xredist.Layout(nprow=comm.size, mb=1, nb=2)
        >>> A = xredist.DistributedMatrix.scatter(comm, [[1, 2], [3, 4]] if comm.rank == 0 else None, layout)
        >>> A.shape
        (2, 2)
        """
        (m, n), local = redistributed(comm, matrix, whole_on(root), layout, {}, kind=Layout)
        return cls(comm, (m, n), layout, local)

    @classmethod
    def load(cls, comm: MPI.Comm, name: FileName, layout: Layout, dtype: Any = None, *,
             progress: Optional[Progress] = None) -> DistributedMatrix:
        """Returns the matrix in a .npy file (xredist.load). progress: as of xredist.save().

        >>> layout = xredist.Layout(nprow=comm.size, mb=1, nb=2)
        >>> xredist.DistributedMatrix.zeros(comm, (5, 4), layout).save("zeros.npy")
        >>> xredist.DistributedMatrix.load(comm, "zeros.npy", layout, dtype="f4").dtype
        dtype('float32')
        """
        (m, n), local = load_whole(comm, name, layout, Layout, dtype, progress=progress)
        return cls(comm, (m, n), layout, local)

    def indices(self) -> Tuple[Indices, Indices]:
        """Returns the rows and the columns of the matrix in `local`, counted from 0.

        >>> layout = xredist.Layout(nprow=comm.size, mb=2, nb=3)
        >>> rows, columns = xredist.DistributedMatrix.zeros(comm, (2 * comm.size, 3), layout).indices()
        >>> (rows - 2 * comm.rank).tolist(), columns.tolist()
        ([0, 1], [0, 1, 2])
        """
        return self.layout.indices(*self.shape, self.comm.Get_rank())

    def owner(self, i: Any, j: Any) -> Place:
        """Returns the Place (rank, row, col) of element (i, j), or of arrays of elements, counted from 0.

        >>> A = xredist.DistributedMatrix.zeros(comm, (8, 8), xredist.Layout(nprow=comm.size, mb=1, nb=8))
        >>> place = A.owner(0, 5)
        >>> if place.rank == comm.rank:
        ...     A.local[place.row, place.col] = 3.0
        >>> place
        Place(rank=0, row=0, col=5)
        """
        place = self.layout.owner(i, j)
        for name, index, size in zip("ij", (i, j), self.shape):
            if np.any(np.asarray(index) >= size):
                raise Error(f"{name} is {np.max(index)}, must be in 0 .. {size - 1}")
        return place

    def plan(self, to: DistributedMatrix, **letters: Any) -> Plan:
        """Returns a plan from the layout of this matrix to that of another one, for these and other matrices with the
        same shapes and types. The keywords are trans, uplo, diag, mirror and the lists of Operation, which may count
        from the end.

        >>> rows, columns = xredist.Layout(nprow=comm.size, mb=2, nb=8), xredist.Layout(npcol=comm.size, mb=6, nb=2)
        >>> A = xredist.DistributedMatrix.zeros(comm, (8, 6), rows)
        >>> B = xredist.DistributedMatrix.zeros(comm, (6, 8), columns)
        >>> with A.plan(B, trans=True) as plan:
        ...     plan.execute(A, B)
        >>> with A.plan(A, rows_a=[-1, 0], rows_b=[0, -1]) as exchange:
        ...     exchange.execute(A, xredist.DistributedMatrix.zeros(comm, (8, 6), rows))
        """
        return self._plan("to", to, letters)

    def _plan(self, name: str, to: DistributedMatrix, keywords: Dict[str, Any]) -> Plan:
        """Returns plan(to); `name` of the argument that is `to`."""
        shape = of_type(name, to, DistributedMatrix).shape
        operation = on_whole_matrices(keywords, self.shape, shape, self.dtype, to.dtype)
        written = count_of(operation.rows_b, shape[0]), count_of(operation.cols_b, shape[1])
        if written != (operation.m, operation.n):
            read = (operation.n, operation.m) if operation.transposes else (operation.m, operation.n)
            transposed = " for a transpose" if operation.transposes else ""
            chosen = f", of which lists name {written}" if written != shape else ""
            raise Error(f"{name} has the shape {shape}{chosen}, which does not fit {read}{transposed}")
        return Plan(self.comm, self.layout, to.layout, operation)

    def redistribute(self, layout: Optional[Layout] = None, *, dtype: Any = None, trans: Union[str, bool] = "N",
                     uplo: str = "A", diag: str = "N", mirror: str = "N", rows_a: Selection = None,
                     cols_a: Selection = None, rows_b: Selection = None, cols_b: Selection = None,
                     out: Optional[DistributedMatrix] = None) -> DistributedMatrix:
        """Returns the matrix in another layout, or writes it to `out`, in whose layout and with whose dtype. The
        keywords are those of Operation; lists are as of redistribute().

        >>> rows, columns = xredist.Layout(nprow=comm.size, mb=2, nb=8), xredist.Layout(npcol=comm.size, mb=6, nb=2)
        >>> A = xredist.DistributedMatrix.from_function(comm, lambda i, j: i + 10 * j, (8, 6), rows, float)
        >>> B = A.redistribute(columns, trans=True)
        >>> C = xredist.DistributedMatrix.zeros(comm, (8, 6), rows, dtype="f4")
        >>> B.redistribute(out=C, trans=True) is C, bool((A.local == C.local).all())
        (True, True)
        >>> A.redistribute(rows, cols_a=[5, 0], rows_a=np.arange(8) % 2 == 1).shape
        (4, 2)
        """
        keywords: Dict[str, Any] = {"trans": trans, "uplo": uplo, "diag": diag, "mirror": mirror, "rows_a": rows_a,
                                    "cols_a": cols_a, "rows_b": rows_b, "cols_b": cols_b}

        def zeros() -> DistributedMatrix:
            given = of_type("layout", layout, Layout)
            m, n = on_whole_matrices(keywords, self.shape, None, self.dtype, dtype)._ends()[1]
            return DistributedMatrix.zeros(self.comm, (m, n), given, self.dtype if dtype is None else dtype)

        return self._redistributed(layout, dtype, out, zeros, lambda to: self._plan("out", to, keywords))

    def save(self, name: FileName, dtype: Any = None, *, progress: Optional[Progress] = None,
             consume: bool = False) -> None:
        """Writes the matrix to a .npy file (xredist.save). dtype: type to convert to. progress and consume: as of
        xredist.save().

        >>> A = xredist.DistributedMatrix.zeros(comm, (3, 2), xredist.Layout(nprow=comm.size, mb=1, nb=2))
        >>> A.save("zeros.npy", dtype="f4")
        >>> np.load("zeros.npy").dtype
        dtype('float32')
        """
        save(self.comm, name, self.local, self.layout, dtype, progress=progress, consume=consume)

    def fit(self, rules: Union[str, Rules] = "scalapack") -> Layout:
        """Returns the layout that a solver wants for this matrix (xredist.fit).

        >>> A = xredist.DistributedMatrix.zeros(comm, (900, 900), xredist.Layout(nprow=comm.size, mb=900, nb=900))
        >>> B = A.redistribute(A.fit("elpa"))
        >>> B.layout.mb == B.layout.nb
        True
        """
        return fit(self.comm, *self.shape, self.layout, rules)

    def __repr__(self) -> str:
        (m, n), x = self.shape, self.layout
        return f"<xredist.DistributedMatrix of {m} x {n} elements, {self.dtype}, {x.nprow} x {x.npcol} processes>"
