# SPDX-License-Identifier: BSD-3-Clause
"""Checks of arguments, and their conversion to what the C interface takes."""
from __future__ import annotations

import ctypes
import os
from typing import Any, Callable, Dict, Tuple, Type, TypeVar, Union

import numpy as np
import numpy.typing as npt

from ._errors import Error, WrongTypeError

Value = TypeVar("Value")
Array = npt.NDArray[Any]
FileName = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]

#: The letters of the types that the library converts and calculates with.
LETTERS: Dict[Any, str] = {np.dtype(name): letter
                           for name, letter in zip(("i4", "f4", "f8", "c8", "c16"), "ISDCZ")}
CONVERTED = ", ".join(map(str, LETTERS))


def kind_of(value: object) -> str:
    """Returns "None", or "of type <name of the type>"."""
    return "None" if value is None else f"of type {type(value).__name__}"


def of_type(name: str, value: object, kind: Type[Value]) -> Value:
    """Returns the value, which must have the type."""
    if not isinstance(value, kind):
        raise WrongTypeError(f"{name} is {kind_of(value)}, must be of type {kind.__name__}")
    return value


def integer(name: str, value: Any, type: Any = ctypes.c_int64) -> int:
    """Returns a Python integer, also from one of numpy, that a C integer can represent."""
    try:
        number = int(value.__index__())
    except (AttributeError, TypeError):
        raise WrongTypeError(f"{name} is {value!r}, must be an integer") from None
    bits = 8 * ctypes.sizeof(type)
    if not -(1 << (bits - 1)) <= number < 1 << (bits - 1):
        raise Error(f"{name} is {number}, must be an integer of {bits} bits")
    return number


def numpy_array(name: str, value: Any) -> Array:
    """Returns the value, which must be an array of numpy."""
    if not isinstance(value, np.ndarray):
        raise WrongTypeError(f"{name} is {kind_of(value)}, must be a numpy array")
    return value


def converted(value: Any) -> Array:
    """Returns a value as an array; an array of None if numpy cannot convert it, such as rows of different lengths."""
    try:
        return np.asarray(value)
    except Exception:
        return np.asarray(None)


def integers(name: str, values: Any, type: Any) -> Any:
    """Returns an array of C integers."""
    array = converted(values)
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise WrongTypeError(f"{name} must be a sequence of integers")
    return (type * array.size)(*(integer(name, value, type) for value in array.tolist()))


def sizes(name: str, values: Any, dims: int, type: Any = ctypes.c_int64) -> Any:
    """Returns an array of C integers, one for each axis."""
    numbers = integers(name, values, type)
    if len(numbers) != dims:
        raise Error(f"{name} has {len(numbers)} entries, must have {dims}, one for each axis")
    return numbers


def letter(name: str, value: Any) -> bytes:
    """Returns a letter."""
    if not isinstance(value, str):
        raise WrongTypeError(f"{name} is {value!r}, must be a letter")
    if len(value) != 1 or not value.isascii():
        raise Error(f"{name} is {value!r}, must be a letter")
    return value.encode()


def _encoded(name: str, value: Any, encode: Callable[[Any], bytes]) -> bytes:
    """Returns a string for the C interface, where it ends with a zero byte."""
    try:
        encoded = encode(value)
    except UnicodeError:
        raise Error(f"{name} is {value!r}, which has no encoding") from None
    if b"\0" in encoded:
        raise Error(f"{name} is {value!r}, must not have a zero byte")
    return encoded


def text(name: str, value: Any) -> bytes:
    """Returns a string for the C interface."""
    return _encoded(name, of_type(name, value, str), lambda given: str.encode(given, errors="surrogateescape"))


def path(name: Any) -> bytes:
    """Returns the name of a file as the system has it."""
    try:
        return _encoded("name", name, os.fsencode)
    except TypeError:
        raise WrongTypeError(f"name is {kind_of(name)}, must be a str, bytes or path") from None


def element(name: str, dtype: Any) -> np.dtype[Any]:
    """Returns the numpy type of elements that can be moved."""
    try:
        kind = np.dtype(dtype)
    except Exception as error:
        raise WrongTypeError(f"{name} is {dtype!r}, must be a type of numpy: {error}") from None
    if kind.hasobject:
        raise Error(f"{name} is {kind}, must not contain Python objects")
    if kind.subdtype is not None:
        raise Error(f"{name} is {kind}, must not be an array")
    if kind.itemsize == 0:
        raise Error(f"{name} is {kind}, must have at least one byte")
    return kind


def in_columns(array: Array) -> Array:
    """Returns a matrix whose columns are contiguous: the array, also with a leading dimension, or a copy of it."""
    try:
        checked_array("array", array, array.dtype, (0, 0))
        return array
    except Error:
        return np.asfortranarray(array)


def _check_kind(name: str, array: Any, dtype: np.dtype[Any], dims: int) -> None:
    """Checks the type, the dtype and the number of dimensions of a local array."""
    if numpy_array(name, array).dtype != dtype:
        raise Error(f"{name} has the dtype {array.dtype}, the plan has {dtype}")
    if array.ndim != dims:
        raise Error(f"{name} has {array.ndim} dimensions, must have {dims}")


def checked_array(name: str, array: Any, dtype: np.dtype[Any], size: Tuple[int, int],
                  writes: bool = False) -> Tuple[Any, int]:
    """Returns the address and the leading dimension of a local array of at least `size` rows and columns."""
    if array is None:
        return None, 0
    _check_kind(name, array, dtype, 2)
    (rows, cols), (down, right) = array.shape, array.strides
    if rows < size[0] or cols < size[1]:
        raise Error(f"{name} has the shape {array.shape}, must be at least {tuple(size)}")
    if rows > 1 and cols > 0 and down != dtype.itemsize:
        raise Error(f"{name} is not in Fortran order: its columns are not contiguous; use order='F'")
    ld = max(rows, 1)
    if rows > 0 and cols > 1:
        ld = right // dtype.itemsize
        if right % dtype.itemsize != 0 or ld < rows:
            raise Error(f"{name} has strides {array.strides}, must have columns one after the other; use order='F'")
    if writes and not array.flags.writeable:
        raise Error(f"{name} is read-only")
    return array.ctypes.data, ld


def strided_array(name: str, array: Any, dtype: np.dtype[Any], size: Tuple[int, ...], exact: bool,
                  writes: bool = False) -> Tuple[Any, Any]:
    """Returns the address and the strides, in elements, of a local array of the shape `size`, or of at least this
    shape."""
    if array is None:
        return None, None
    _check_kind(name, array, dtype, len(size))
    if array.shape != size if exact else any(n < least for n, least in zip(array.shape, size)):
        raise Error(f"{name} has the shape {array.shape}, must {'have' if exact else 'be at least'} {size}")
    strides = (ctypes.c_int64 * len(size))()
    for k, (n, stride) in enumerate(zip(array.shape, array.strides)):
        if n < 2 or array.size == 0:
            continue  # numpy allows any stride
        if stride < 0 or stride % dtype.itemsize != 0:
            rule = ("is negative" if stride < 0 else f"is not a multiple of {dtype.itemsize}, the bytes of an element")
            raise Error(f"{name} has strides of {array.strides} bytes: that of axis {k} {rule}; pass a copy")
        strides[k] = stride // dtype.itemsize
    if writes and not array.flags.writeable:
        raise Error(f"{name} is read-only")
    return array.ctypes.data, strides
