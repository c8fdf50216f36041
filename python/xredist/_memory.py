# SPDX-License-Identifier: BSD-3-Clause
"""Arrays in memory of the library, whose pages come and go."""
from __future__ import annotations

import math
from typing import Any, Dict, Literal, Sequence, Union

import numpy as np

from . import _library as c
from ._arguments import Array
from ._errors import Error


class _Memory:
    """Memory of xredist_alloc. The arrays that are in it keep this object."""

    def __init__(self, size: int) -> None:
        self._address = c.library.xredist_alloc(size)
        if not self._address:
            raise MemoryError(c.library.xredist_error().decode())
        self._size = size

    @property
    def __array_interface__(self) -> Dict[str, Any]:
        return {"shape": (self._size,), "typestr": "|u1", "data": (self._address, False), "version": 3}

    def __del__(self) -> None:
        c.library.xredist_free(self._address)


def zeros(shape: Union[int, Sequence[int]], dtype: Any = float, order: Literal["C", "F"] = "C") -> Array:
    """Returns an array of zeros, as numpy.zeros does, in memory whose pages come into being when they are first
    written. Plan.move takes such an array, and any other one.

    >>> a = xredist.zeros((3, 4), order="F")
    >>> a.shape, a.strides, a.any()
    ((3, 4), (8, 24), False)
    """
    kind = np.dtype(dtype)
    if kind.hasobject:
        raise Error(f"dtype is {kind}, whose elements are objects of Python")
    size = math.prod(np.atleast_1d(shape).tolist()) * kind.itemsize
    if size <= 0:
        return np.zeros(shape, kind, order=order)
    memory = np.asarray(_Memory(size))
    return np.ndarray(shape, kind, memory, order=order)
