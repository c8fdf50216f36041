# SPDX-License-Identifier: BSD-3-Clause
"""The layout that a solver wants, and its results for all processes."""
import dataclasses
from ctypes import byref, c_int

import numpy as np

from . import _library as c
from ._layouts import Layout, in_c, integer, of_type


@dataclasses.dataclass(frozen=True)
class Rules:
    """What a solver accepts; xredist_rules in fit.h describes the rules. 0 is no rule."""
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

    def _in_c(self):
        rules = c.CRules()
        for name, kind in c.CRules._fields_:
            value = getattr(self, name)
            if name not in ("grid", "power"):
                setattr(rules, name, integer(f"rules.{name}", value, kind))
            elif isinstance(value, str) and len(value) == 1 and value.isascii():
                setattr(rules, name, value.encode())
            else:
                raise c.Error(f"rules.{name} is {value!r}, must be a letter")
        return rules


def rules_for(solver, **changes):
    """Returns the rules of a solver: 'scalapack', 'elpa', 'elpa-gpu', 'slate', 'dlaf' or 'cusolvermp'; with changes:
    rules_for('elpa', per_node=4)."""
    rules = c.CRules()
    c.call("rules_for", of_type("solver", solver, str).encode(), byref(rules))
    values = {name: getattr(rules, name) for name, _ in c.CRules._fields_}
    values.update(grid=rules.grid.decode(), power=rules.power.decode())
    return dataclasses.replace(Rules(**values), **changes)


def fit(comm, m, n, a, rules="scalapack"):
    """Returns a layout for an m x n matrix, now in layout a, that obeys rules (or the rules of a solver), on the
    processes that already hold most of the matrix; `a` if it obeys. All processes pass equal arguments. Collective over
    comm if rules.per_node is set."""
    of_b, ranks = c.CLayout(), (c_int * comm.Get_size())()
    of_rules = c.CRules()
    try:
        of_rules = of_type("rules", rules_for(rules) if isinstance(rules, str) else rules, Rules)._in_c()
        of_a, m, n = in_c("a", a, Layout), integer("m", m), integer("n", n)
    except Exception:  # other processes may wait for this call, which fails
        c.library.xredist_fit(c.handle(comm), 0, 0, None, byref(of_rules), None, None)
        raise
    c.call("fit", c.handle(comm), m, n, byref(of_a), byref(of_rules), byref(of_b), ranks)
    return Layout(of_b.nprow, of_b.npcol, of_b.mb, of_b.nb, ranks=list(ranks)[:of_b.nprow * of_b.npcol])


def tell(comm, b, array):
    """Copies a numpy array from the first process of layout b to all processes of comm, in place: eigenvalues. All
    processes pass arrays of one size. Collective over comm."""
    if not isinstance(array, np.ndarray) or array.dtype.hasobject:
        raise c.Error(f"array is a {type(array).__name__}, must be a numpy array without Python objects")
    if not (array.flags.c_contiguous or array.flags.f_contiguous) or not array.flags.writeable:
        raise c.Error("array must be contiguous and writeable")
    c.call("tell", c.handle(comm), byref(in_c("b", b, Layout)), array.ctypes.data, array.nbytes)
