# SPDX-License-Identifier: BSD-3-Clause
"""Lists of rows, columns and elements: slices, integers and masks, as numpy has them."""
from __future__ import annotations

from ctypes import c_int64
from typing import Any, Dict, Optional, Sequence, Tuple, Union

import numpy as np

from ._arguments import Array, converted, kind_of
from ._errors import Error, WrongTypeError

#: What selects elements of an axis; None: neighbours.
Selection = Union[slice, Sequence[int], Sequence[bool], Array, None]
#: The selected elements, counted from 0; None: neighbours.
Listed = Optional[Tuple[int, ...]]

#: The lists of matrices.
NAMES = ("rows_a", "cols_a", "rows_b", "cols_b")


def listed(name: str, selection: Any, size: Optional[int] = None) -> Listed:
    """Returns the elements that a selection names on an axis of the given size. None: the size is not known, so nothing
    may count from the end."""
    if selection is None:
        return None
    if isinstance(selection, slice):
        return _of_slice(name, selection, size)
    array = converted(selection)
    if array.ndim != 1 or (array.size > 0 and array.dtype.kind not in "iub"):
        raise WrongTypeError(f"{name} must be a slice, or a sequence of integers or of truth values")
    if array.dtype.kind == "b":
        if size not in (None, array.size):
            raise Error(f"{name} has {array.size} truth values, must have {size}")
        return tuple(np.flatnonzero(array).tolist())
    least, end = (0, 1 << 40) if size is None else (-size, size)
    wrong = np.flatnonzero((array < least) | (array >= end))
    if wrong.size > 0:
        raise Error(f"{name}[{wrong[0]}] is {array[wrong[0]]}, must be in {least} .. {end - 1}")
    numbers = array.astype(np.int64)
    return tuple((numbers if size is None else np.where(numbers < 0, numbers + size, numbers)).tolist())


def _of_slice(name: str, selection: slice, size: Optional[int]) -> Listed:
    """Returns the elements of a slice. On an axis of unknown size, the slice must be the same for all sizes."""
    try:
        start, stop, step = (None if bound is None else int(bound.__index__())
                             for bound in (selection.start, selection.stop, selection.step))
    except (AttributeError, TypeError):
        raise WrongTypeError(f"{name} is {selection}, must have integers") from None
    if step == 0:
        raise Error(f"{name} is {selection}, must not have the step 0")
    down = step is not None and step < 0
    if size is None:
        unknown = start is None if down else stop is None
        if unknown or (start or 0) < 0 or (stop or 0) < 0:
            raise Error(f"{name} is {selection}, must not depend on the size of the matrix or array, which a plan does "
                        "not know")
        size = max(start or 0, stop or 0) + 1
        if size > 1 << 40:
            raise Error(f"{name} is {selection}, must end at 2^40")
    return tuple(range(*slice(start, stop, step).indices(size)))


def listed_on_axes(name: str, lists: Any, shape: Optional[Sequence[int]] = None) -> Any:
    """Returns the elements that a selection names on each axis of an array of the given shape."""
    if lists is None:
        return None
    if not isinstance(lists, (tuple, list)):
        raise WrongTypeError(f"{name} is {kind_of(lists)}, must be a tuple with a list or None for each axis")
    if shape is not None:
        check_count(name, lists, len(shape), " lists")
    return tuple(listed(f"{name}[{k}]", selection, None if shape is None else int(shape[k]))
                 for k, selection in enumerate(lists))


def listed_in(keywords: Dict[str, Any], a: Sequence[int], b: Optional[Sequence[int]] = None) -> Dict[str, Any]:
    """Returns the lists among the keywords of an operation on matrices of the shapes a and b; None: not known."""
    sizes = dict(zip(NAMES, (*a, *((None, None) if b is None else b))))
    return {name: listed(name, keywords.get(name), size) for name, size in sizes.items()}


def check_count(name: str, entries: Sequence[Any], count: int, what: str = " entries") -> None:
    """Checks the number of entries."""
    if len(entries) != count:
        raise Error(f"{name} has {len(entries)}{what}, must have {count}")


def check_listed(name: str, elements: Listed, count: int, ends: Sequence[Tuple[str, int]], repeats: bool) -> None:
    """Checks a list for `count` elements. `ends`: what ends the axis, and where. Only with `repeats` may an element
    come twice."""
    if elements is None:
        return
    check_count(name, elements, count)
    array = np.array(elements, dtype=np.int64)
    for what, end in ends:
        beyond = np.flatnonzero(array >= end)
        if beyond.size > 0:
            raise Error(f"{name}[{beyond[0]}] is {array[beyond[0]]}: beyond {what}, which ends at {end}")
    order = np.array([], dtype=np.int64) if repeats else np.argsort(array, kind="stable")
    again = np.flatnonzero(np.diff(array[order]) == 0)
    if again.size > 0:
        first, second = order[again[0]], order[again[0] + 1]
        raise Error(f"{name}[{second}] is {array[second]}, as entry [{first}] is: no element of B may be written twice")


def elements_of(elements: Listed, first: int, count: int) -> Sequence[int]:
    """Returns the elements of a list, or those that take its place."""
    return range(first, first + count) if elements is None else elements


def end_of(elements: Sequence[int]) -> int:
    """Returns the end of an axis that ends with the last of the elements."""
    return elements.stop if isinstance(elements, range) else max(elements, default=-1) + 1


def count_of(elements: Any, size: int) -> int:
    """Returns the number of elements of a Listed, or of the axis that takes its place."""
    return size if elements is None else len(elements)


def in_c(elements: Listed) -> Any:
    """Returns a list as the C interface takes it, where elements count from 1."""
    if elements is None:
        return None
    numbers = np.array((0, *elements), dtype=np.int64) + 1  # a buffer is not empty
    return (c_int64 * len(elements)).from_buffer(numbers.data, numbers.itemsize)
