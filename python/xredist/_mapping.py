# SPDX-License-Identifier: BSD-3-Clause
"""The target grid that keeps the most elements in place."""
from __future__ import annotations

import math
from ctypes import byref, c_double, c_int
from typing import Any, List, Tuple, Union

from mpi4py import MPI

from . import _library as c
from ._arguments import of_type
from ._arrays import ArrayLayout, ArrayOperation
from ._layouts import Layout, Operation, in_c
from ._redistribute import AnyLayout


def relabel(comm: MPI.Comm, a: AnyLayout, b: AnyLayout,
            operation: Union[Operation, ArrayOperation]) -> Tuple[List[int], float, float]:
    """Returns the ranks for b that keep the most elements on their processes, and the fractions of the elements that
    stay with these ranks and with those of b. Layouts of arrays have an ArrayOperation.

    >>> reverse = xredist.Layout(nprow=comm.size, mb=1, nb=8, ranks=range(comm.size)[::-1])
    >>> rows = xredist.Layout(nprow=comm.size, mb=1, nb=8)
    >>> ranks, kept, kept_before = xredist.relabel(comm, reverse, rows, xredist.Operation(m=40, n=8))
    >>> ranks == list(reverse.ranks), kept
    (True, 1.0)
    >>> slabs = xredist.ArrayLayout("(CYCLIC, *, *)", grid=(comm.size, 1, 1), ranks=range(comm.size)[::-1])
    >>> others = xredist.ArrayLayout("(CYCLIC, *, *)", grid=(comm.size, 1, 1))
    >>> xredist.relabel(comm, slabs, others, xredist.ArrayOperation((2 * comm.size, 3, 4)))[1]
    1.0
    """
    of_arrays = any(isinstance(x, (ArrayLayout, ArrayOperation)) for x in (a, b, operation))
    kinds: Tuple[Any, Any] = (ArrayLayout, ArrayOperation) if of_arrays else (Layout, Operation)
    of_a, of_b = in_c("a", a, kinds[0]), in_c("b", b, kinds[0])
    op = of_type("operation", operation, kinds[1])._in_c(of_a, of_b)
    ranks, kept = (c_int * max(1, math.prod(b._grid)))(), (c_double * 2)()
    c.call("array_relabel" if of_arrays else "relabel", c.handle(comm), byref(of_a), byref(of_b), byref(op), ranks, kept)
    return list(ranks), kept[0], kept[1]
