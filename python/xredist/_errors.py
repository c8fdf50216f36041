# SPDX-License-Identifier: BSD-3-Clause
"""The errors that the package raises."""
from __future__ import annotations

from typing import Any

#: The codes of xredist.h.
NO_MEMORY, BAD_OPTION, DISAGREEMENT, PEER_FAILED, INVALID_ARGUMENT, FILE_ERROR = range(1, 7)


class Error(ValueError):
    """A sentence that names the argument, its value and the rule, and a `code` of xredist.h. Errors that the package
    itself detects have the code INVALID_ARGUMENT. A process that is out of memory raises MemoryError instead.

    >>> try:
    ...     xredist.Layout(nprow=0).local_size(4, 4, rank=0)
    ... except xredist.Error as error:
    ...     print(error.code == xredist.INVALID_ARGUMENT, error)
    True layout.nprow is 0, must be at least 1
    """

    code: int

    def __init__(self, sentence: str, code: int = INVALID_ARGUMENT) -> None:
        super().__init__(sentence)
        self.code = code

    def __reduce__(self) -> Any:
        return type(self), (str(self), self.code)


class WrongTypeError(Error, TypeError):
    """An argument has a type that the function does not take.

    >>> try:
    ...     xredist.Plan(comm, "rows", "columns", m=4, n=4)
    ... except TypeError as error:
    ...     print(error)
    a is of type str, must be of type Layout
    """


class FileError(Error, OSError):
    """A file cannot be opened, read or written, or has other contents. The code is FILE_ERROR.

    >>> try:
    ...     xredist.file_info(comm, "missing/matrix.npy")
    ... except OSError as error:
    ...     print(error.code == xredist.FILE_ERROR, "missing/matrix.npy" in str(error))
    True True
    """

    def __init__(self, sentence: str, code: int = FILE_ERROR) -> None:
        super().__init__(sentence, code)
