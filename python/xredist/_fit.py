# SPDX-License-Identifier: BSD-3-Clause
"""The layout that a solver wants, and its results for all processes."""
from __future__ import annotations

import dataclasses
from ctypes import byref, c_char, c_int
from typing import Any, Union

import numpy as np
from mpi4py import MPI

from . import _library as c
from ._arguments import Array, integer, letter, numpy_array, of_type, text
from ._errors import Error
from ._layouts import Layout, in_c


@dataclasses.dataclass(frozen=True)
class Rules:
    """What a solver accepts; xredist_rules in fit.h describes the rules. 0 is no rule.

    >>> xredist.fit(comm, 100, 100, xredist.Layout(mb=100, nb=100), xredist.Rules(block=16)).mb
    16
    """
    processes: int = 0
    per_node: int = 0
    multiple: int = 0
    share: int = 0
    block: int = 0
    min_block: int = 0
    max_block: int = 0
    blocks: int = 0
    flat: int = 0
    grid: str = "Q"
    power: str = "N"
    columns: int = 0

    def _in_c(self) -> c.CRules:
        rules = c.CRules()
        for name, kind in c.CRules._fields_[:-1]:  # without the words that are reserved
            value, argument = getattr(self, name), f"rules.{name}"
            setattr(rules, name, letter(argument, value) if kind is c_char else integer(argument, value, kind))
        return rules


def rules_for(solver: str, **changes: Any) -> Rules:
    """Returns the rules of a solver: 'scalapack', 'elpa', 'elpa-gpu', 'slate', 'dlaf' or 'cusolvermp'; with changes.

    >>> xredist.rules_for("elpa", per_node=4).per_node
    4
    """
    rules = c.CRules()
    c.call("rules_for", text("solver", solver), byref(rules))
    values: dict[str, Any] = {name: getattr(rules, name) for name, _ in c.CRules._fields_[:-1]}
    values.update(grid=rules.grid.decode(), power=rules.power.decode())
    return dataclasses.replace(Rules(**values), **changes)


def fit(comm: MPI.Comm, m: int, n: int, a: Layout, rules: Union[str, Rules] = "scalapack") -> Layout:
    """Returns a layout for an m x n matrix, now in layout a, that obeys rules (or the rules of a solver), on the
    processes that already hold most of the matrix; `a` if it obeys. All processes pass equal arguments. Collective over
    comm if rules.per_node is set.

    >>> slabs = xredist.Layout(nprow=comm.size, mb=1000, nb=1000)      # all rows on the first process
    >>> b = xredist.fit(comm, 1000, 1000, slabs, "scalapack")
    >>> b.mb == b.nb, b.nprow <= b.npcol, 0 in b.ranks
    (True, True, True)
    """
    of_b, ranks, of_rules = c.CLayout(), (c_int * comm.Get_size())(), c.CRules()
    with c.fails_everywhere(lambda: c.library.xredist_fit(c.handle(comm), 0, 0, None, byref(of_rules), None, None)):
        of_rules = of_type("rules", rules_for(rules) if isinstance(rules, str) else rules, Rules)._in_c()
        arguments = integer("m", m), integer("n", n), byref(in_c("a", a, Layout))
    c.call("fit", c.handle(comm), *arguments, byref(of_rules), byref(of_b), ranks)
    return Layout(of_b.nprow, of_b.npcol, of_b.mb, of_b.nb, ranks=list(ranks)[:of_b.nprow * of_b.npcol])


def tell(comm: MPI.Comm, b: Layout, array: Array) -> None:
    """Copies a numpy array from the first process of layout b to all processes of comm, in place: eigenvalues. All
    processes pass arrays of one size. Collective over comm.

    >>> b = xredist.Layout(mb=8, nb=8, ranks=[comm.size - 1])
    >>> w = np.full(3, comm.rank)
    >>> xredist.tell(comm, b, w)
    >>> bool((w == comm.size - 1).all())
    True
    """
    with c.fails_everywhere(lambda: c.library.xredist_tell(c.handle(comm), None, None, 0)):
        numpy_array("array", array)
        if array.dtype.hasobject:
            raise Error(f"array has the dtype {array.dtype}, must not contain Python objects")
        if not (array.flags.c_contiguous or array.flags.f_contiguous) or not array.flags.writeable:
            raise Error("array must be contiguous and writeable")
        of_b = in_c("b", b, Layout)
    c.call("tell", c.handle(comm), byref(of_b), array.ctypes.data, array.nbytes)
