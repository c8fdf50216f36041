# SPDX-License-Identifier: BSD-3-Clause
"""Layouts, partitions and operations: values that describe a redistribution."""
import ctypes
import dataclasses
from ctypes import byref, c_double, c_int, c_int64
from typing import Any, Optional, Sequence

import numpy as np

from . import _library as c

LETTERS = {np.dtype(name): letter for name, letter in zip(("i4", "f4", "f8", "c8", "c16"), "ISDCZ")}


def _integers(name, values, type):
    """Returns an array of C integers."""
    array = np.asarray(values)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise c.Error(f"{name} must be a sequence of integers")
    return (type * array.size)(*(integer(name, value, type) for value in array.tolist()))


def integer(name, value, type=c_int64):
    """Returns a Python integer, also from one of numpy, that a C integer can represent."""
    try:
        number = value.__index__()
    except AttributeError:
        raise c.Error(f"{name} is {value!r}, must be an integer") from None
    bits = 8 * ctypes.sizeof(type)
    if not -(1 << (bits - 1)) <= number < 1 << (bits - 1):
        raise c.Error(f"{name} is {number}, must be an integer of {bits} bits")
    return number


def of_type(name, value, kind):
    """Returns the value, which must have the type."""
    if not isinstance(value, kind):
        raise c.Error(f"{name} is of type {type(value).__name__}, must be of type {kind.__name__}")
    return value


def in_c(name, value, kind):
    """Returns a layout or partition in the form of the C interface."""
    return of_type(name, value, kind)._in_c(name)


@dataclasses.dataclass(frozen=True)
class Partition:
    """Intervals of one dimension: elements bounds[i] to bounds[i+1]-1, counted from 0, belong to row (column) owners[i]
    of the process grid; by default to row i."""
    bounds: Sequence[int]
    owners: Optional[Sequence[int]] = None

    def _in_c(self, name):
        bounds = _integers(f"{name}.bounds", self.bounds, c_int64)
        owners = None if self.owners is None else _integers(f"{name}.owners", self.owners, c_int)
        if len(bounds) == 0:
            raise c.Error(f"{name}.bounds is empty, must have at least one number")
        if owners is not None and len(owners) != len(bounds) - 1:
            raise c.Error(f"{name}.owners has {len(owners)} entries, must have {len(bounds) - 1}")
        return c.CPartition(len(bounds) - 1, bounds, owners)


@dataclasses.dataclass(frozen=True)
class Layout:
    """The distribution of a matrix over an nprow x npcol process grid. Rows are in blocks of mb elements, dealt to the
    grid rows in turn from rsrc on, or in the partition `rows`; columns likewise. ranks[row * npcol + col] is the rank
    of the process at (row, col); by default 0, 1, 2 ..."""
    nprow: int = 1
    npcol: int = 1
    mb: int = 0
    nb: int = 0
    rsrc: int = 0
    csrc: int = 0
    ranks: Optional[Sequence[int]] = None
    rows: Optional[Partition] = None
    cols: Optional[Partition] = None

    def _in_c(self, name):
        numbers = {key: integer(f"{name}.{key}", getattr(self, key), c_int64 if key in ("mb", "nb") else c_int)
                   for key in ("nprow", "npcol", "mb", "nb", "rsrc", "csrc")}
        layout = c.CLayout(**numbers)
        if self.ranks is not None:
            layout.ranks = _integers(f"{name}.ranks", self.ranks, c_int)
            if len(self.ranks) != self.nprow * self.npcol:
                raise c.Error(f"{name}.ranks has {len(self.ranks)} entries, must have {self.nprow * self.npcol}")
        for axis in ("rows", "cols"):
            if (partition := getattr(self, axis)) is not None:
                setattr(layout, axis, ctypes.pointer(in_c(f"{name}.{axis}", partition, Partition)))
        return layout

    def local_size(self, m, n, rank):
        """Returns (rows, columns) of the local array of process `rank` for an m x n matrix; (0, 0) outside the grid."""
        rows, cols = c_int64(), c_int64()
        c.call("local_size", byref(self._in_c("layout")), integer("m", m), integer("n", n),
               integer("rank", rank, c_int), byref(rows), byref(cols))
        return rows.value, cols.value


@dataclasses.dataclass(frozen=True)
class Operation:
    """B(ib:, jb:) := beta B(ib:, jb:) + alpha op(A(ia:, ja:)) for an m x n submatrix of B. Indices count from 1, as in
    ScaLAPACK. dtype and dtype_b are those of A and B (dtype_b: that of A); the letters are those of xredist.h."""
    m: int
    n: int
    dtype: Any = float
    dtype_b: Any = None
    ia: int = 1
    ja: int = 1
    ib: int = 1
    jb: int = 1
    trans: str = "N"
    uplo: str = "A"
    diag: str = "N"
    mirror: str = "N"

    @property
    def dtypes(self):
        """The numpy types of A and B."""
        a = np.dtype(self.dtype)
        return a, a if self.dtype_b is None else np.dtype(self.dtype_b)

    @property
    def transposes(self):
        return self.trans.upper() in ("T", "C")

    def _in_c(self):
        numbers = {key: integer(key, getattr(self, key)) for key in ("m", "n", "ia", "ja", "ib", "jb")}
        operation = c.COperation(**numbers)
        for key in ("trans", "uplo", "diag", "mirror"):
            letter = getattr(self, key)
            if not isinstance(letter, str) or len(letter) != 1 or not letter.isascii():
                raise c.Error(f"{key} is {letter!r}, must be a letter")
            setattr(operation, key, letter.encode())
        a, b = self.dtypes
        if a.hasobject:
            raise c.Error(f"dtype is {a}, must not contain Python objects")
        if a in LETTERS and b in LETTERS:
            operation.type, operation.type_b = LETTERS[a].encode(), LETTERS[b].encode()
        elif a != b:
            raise c.Error(f"dtype_b is {b}, dtype is {a}: only {', '.join(map(str, LETTERS))} can be converted")
        operation.bytes = a.itemsize
        return operation


def relabel(comm, a, b, operation):
    """Returns the ranks for b that keep the most elements on their processes, and the fractions of the elements that
    stay with these ranks and with those of b."""
    of_a, of_b = in_c("a", a, Layout), in_c("b", b, Layout)
    op = of_type("operation", operation, Operation)
    ranks, kept = (c_int * max(1, b.nprow * b.npcol))(), (c_double * 2)()
    c.call("relabel", c.handle(comm), byref(of_a), byref(of_b), byref(op._in_c()), ranks, kept)
    return list(ranks), kept[0], kept[1]
