# SPDX-License-Identifier: BSD-3-Clause
"""Finds libxredist and declares its C interface (xredist.h, array.h, file.h)."""
from __future__ import annotations

import contextlib
import ctypes
import ctypes.util
import os
import pathlib
import sys
from ctypes import POINTER, c_char, c_char_p, c_double, c_int, c_int64, c_size_t, c_void_p
from typing import Any, Callable, Dict, Iterator, List

from mpi4py import MPI

from . import __version__
from ._arguments import kind_of
from ._errors import FILE_ERROR, NO_MEMORY, Error, FileError, WrongTypeError

# MPI_Comm is an int or a pointer.
Comm: Any = c_int if MPI._sizeof(MPI.Comm) == ctypes.sizeof(c_int) else c_void_p


class CPartition(ctypes.Structure):
    _fields_ = [("count", c_int64), ("bounds", POINTER(c_int64)), ("owners", POINTER(c_int)),
                ("places", POINTER(c_int64))]


class CLayout(ctypes.Structure):
    _fields_ = [("nprow", c_int), ("npcol", c_int), ("mb", c_int64), ("nb", c_int64), ("rsrc", c_int), ("csrc", c_int),
                ("ranks", POINTER(c_int)), ("rows", POINTER(CPartition)), ("cols", POINTER(CPartition)),
                ("reserved", c_int64 * 5)]


class CAxis(ctypes.Structure):
    _fields_ = [("procs", c_int), ("block", c_int64), ("source", c_int), ("partition", POINTER(CPartition)),
                ("reserved", c_int64 * 1)]


class CArrayLayout(ctypes.Structure):
    _fields_ = [("dims", c_int), ("axes", POINTER(CAxis)), ("shape", POINTER(c_int64)), ("order", POINTER(c_int)),
                ("ranks", POINTER(c_int)), ("copies", c_int64), ("reserved", c_int64 * 2)]


class CArrayOperation(ctypes.Structure):
    _fields_ = [(name, POINTER(c_int64)) for name in ("shape", "first_a", "first_b")] + \
               [(name, c_char) for name in ("type", "type_b", "conj")] + \
               [("bytes", c_int64), ("options", c_char_p)] + \
               [(name, POINTER(POINTER(c_int64))) for name in ("lists_a", "lists_b")] + [("reserved", c_int64 * 2)]


class COperation(ctypes.Structure):
    _fields_ = [(name, c_int64) for name in ("m", "n", "ia", "ja", "ib", "jb")] + \
               [(name, c_char) for name in ("type", "type_b", "trans", "uplo", "diag", "mirror")] + \
               [("bytes", c_int64), ("options", c_char_p)] + \
               [(name, POINTER(c_int64)) for name in ("rows_a", "cols_a", "rows_b", "cols_b")] + \
               [("reserved", c_int64 * 3)]


class CPlanInfo(ctypes.Structure):
    _fields_ = [(name, c_int64) for name in ("bytes_sent", "bytes_received", "bytes_kept", "buffer_bytes", "rows_a",
                                             "rows_b", "steps", "rounds", "peak_bytes")] + \
               [("reserved", c_int64 * 7)]


class CRules(ctypes.Structure):
    _fields_ = [(name, c_int) for name in ("processes", "per_node", "multiple")] + \
               [(name, c_int64) for name in ("share", "block", "min_block", "max_block")] + \
               [(name, c_int) for name in ("blocks", "flat")] + [("grid", c_char), ("power", c_char)] + \
               [("columns", c_int64), ("reserved", c_int64 * 7)]


class CJob(ctypes.Structure):
    _fields_ = [("plan", c_void_p), ("a", c_void_p), ("lda", c_int64), ("b", c_void_p), ("ldb", c_int64),
                ("alpha", c_void_p), ("beta", c_void_p), ("strides_a", POINTER(c_int64)),
                ("strides_b", POINTER(c_int64)), ("consume", c_int64), ("reserved", c_int64 * 2)]


CProgress = ctypes.CFUNCTYPE(None, c_int64, c_int64, c_void_p)


class CFile(ctypes.Structure):
    _fields_ = [("name", c_char_p)] + [(name, c_int64) for name in ("m", "n", "i", "j", "row", "col")] + \
               [("type", c_char), ("bytes", c_int64), ("type_in_file", c_char), ("descr", c_char_p)] + \
               [(name, c_char) for name in ("format", "order", "update")] + \
               [(name, c_int64) for name in ("rows", "cols", "offset")] + \
               [("progress", CProgress), ("progress_context", c_void_p), ("consume", c_int64), ("reserved", c_int64 * 5)]


class CFileInfo(ctypes.Structure):
    _fields_ = [(name, c_int64) for name in ("rows", "cols", "bytes", "offset")] + \
               [("type", c_char), ("order", c_char), ("descr", c_char * 64), ("reserved", c_int64 * 4)]


class CArrayFile(ctypes.Structure):
    _fields_ = [("name", c_char_p)] + \
               [(name, POINTER(c_int64)) for name in ("shape", "first", "first_in_file", "shape_in_file")] + \
               [("type", c_char), ("bytes", c_int64), ("type_in_file", c_char), ("descr", c_char_p)] + \
               [(name, c_char) for name in ("format", "order", "update")] + \
               [("offset", c_int64), ("progress", CProgress), ("progress_context", c_void_p), ("consume", c_int64),
                ("reserved", c_int64 * 5)]


class CArrayFileInfo(ctypes.Structure):
    _fields_ = [("dims", c_int), ("shape", c_int64 * 15), ("bytes", c_int64), ("offset", c_int64), ("type", c_char),
                ("order", c_char), ("descr", c_char * 64), ("reserved", c_int64 * 4)]


# A request owns a pointer, which the library sets to NULL.
PRequest = POINTER(c_void_p)

FUNCTIONS: Dict[str, List[Any]] = {
    "plan_create": [Comm, POINTER(CLayout), POINTER(CLayout), POINTER(COperation), POINTER(c_void_p)],
    "array_plan_create": [Comm, POINTER(CArrayLayout), POINTER(CArrayLayout), POINTER(CArrayOperation),
                          POINTER(c_void_p)],
    "array_local_shape": [POINTER(CArrayLayout), POINTER(c_int64), c_int, POINTER(c_int64)],
    "axes": [c_char_p, c_int, POINTER(c_int), POINTER(CAxis)],
    "plan_tune": [c_void_p, POINTER(CJob)],
    "plan_query": [c_void_p, POINTER(CPlanInfo)],
    "plan_describe": [c_void_p, c_char_p, c_size_t],
    "local_size": [POINTER(CLayout), c_int64, c_int64, c_int, POINTER(c_int64), POINTER(c_int64)],
    "local_to_global": [POINTER(CLayout), c_int64, c_int64, c_int, c_void_p, c_void_p],
    "global_to_local": [POINTER(CLayout), c_int64] + 5 * [c_void_p],
    "set_option": [Comm, c_char_p, c_char_p],
    "get_option": [Comm, c_char_p, c_char_p, c_size_t],
    "start": [c_int, POINTER(CJob), PRequest],
    "test": [PRequest, POINTER(c_int)],
    "wait": [PRequest],
    "test_member": [c_void_p, c_int, POINTER(c_int)],
    "wait_member": [c_void_p, c_int],
    "rules_for": [c_char_p, POINTER(CRules)],
    "fit": [Comm, c_int64, c_int64, POINTER(CLayout), POINTER(CRules), POINTER(CLayout), POINTER(c_int)],
    "tell": [Comm, POINTER(CLayout), c_void_p, c_int64],
    "write": [Comm, POINTER(CLayout), c_void_p, c_int64, POINTER(CFile)],
    "read": [Comm, POINTER(CLayout), c_void_p, c_int64, POINTER(CFile)],
    "file_query": [Comm, c_char_p, POINTER(CFileInfo)],
    "array_write": [Comm, POINTER(CArrayLayout), c_void_p, POINTER(c_int64), POINTER(CArrayFile)],
    "array_read": [Comm, POINTER(CArrayLayout), c_void_p, POINTER(c_int64), POINTER(CArrayFile)],
    "array_file_query": [Comm, c_char_p, POINTER(CArrayFileInfo)],
    "array_relabel": [Comm, POINTER(CArrayLayout), POINTER(CArrayLayout), POINTER(CArrayOperation), POINTER(c_int),
                      POINTER(c_double)],
    "relabel": [Comm, POINTER(CLayout), POINTER(CLayout), POINTER(COperation), POINTER(c_int), POINTER(c_double)],
}


def _find() -> str:
    """Returns the file of the library: XREDIST_LIBRARY, or beside this package, in the environment of Python, in the
    build tree build/release of the source, or where the linker finds libraries."""
    if name := os.environ.get("XREDIST_LIBRARY"):
        return name
    suffix = "dylib" if sys.platform == "darwin" else "so"
    package = pathlib.Path(__file__).resolve().parent
    folders = [package, pathlib.Path(sys.prefix, "lib"), package.parents[1] / "build/release/lib"]
    files = [folder / f"libxredist.{suffix}" for folder in folders]
    found = next((str(file) for file in files if file.exists()), None) or ctypes.util.find_library("xredist")
    if found is None:
        raise ImportError("libxredist was not found. Set XREDIST_LIBRARY to its file, for instance "
                          f"/usr/local/lib/libxredist.{suffix}")
    return found


def _load(file: str) -> ctypes.CDLL:
    """Loads the library, checks that its version and its MPI are right, and declares the types of its functions."""
    try:
        library = ctypes.CDLL(file)
        for name in ("version", "build", "error"):
            getattr(library, "xredist_" + name).restype = c_char_p
        version, build = library.xredist_version().decode(), library.xredist_build().decode()
        if version != __version__:
            raise ImportError(f"{file} has version {version} of xredist, this Python package has version "
                              f"{__version__}: install both with one version, or set XREDIST_LIBRARY to the other file")
        for name, arguments in FUNCTIONS.items():
            function = getattr(library, "xredist_" + name)
            function.argtypes, function.restype = arguments, c_int
        library.xredist_plan_destroy.argtypes, library.xredist_plan_destroy.restype = [c_void_p], None
        library.xredist_alloc.argtypes, library.xredist_alloc.restype = [c_size_t], c_void_p
        library.xredist_free.argtypes, library.xredist_free.restype = [c_void_p], None
    except (OSError, AttributeError) as error:
        raise ImportError(f"{file} is not a library of this xredist: {error}") from None
    mpi = MPI.Get_library_version().splitlines()[0]
    if ("Open MPI" in build) != ("Open MPI" in mpi):
        raise ImportError(f"{file} ({build}) and mpi4py ({mpi}) use different MPIs")
    return library


file = _find()
library = _load(file)


def call(name: str, *arguments: Any) -> None:
    """Calls a function of xredist.h. Raises its error."""
    code = getattr(library, "xredist_" + name)(*arguments)
    if code == 0:
        return
    sentence = library.xredist_error().decode(errors="replace")
    if code == NO_MEMORY:
        raise MemoryError(sentence)
    raise FileError(sentence) if code == FILE_ERROR else Error(sentence, code)


@contextlib.contextmanager
def fails_everywhere(fail: Callable[[], object]) -> Iterator[None]:
    """Surrounds the checks of arguments before a collective call. If they raise an error, calls `fail`, the same
    function with invalid arguments: other processes may wait for this call, which then fails."""
    try:
        yield
    except Exception:
        fail()
        raise


def handle(comm: object) -> Any:
    """Returns the handle of a communicator of mpi4py."""
    if not isinstance(comm, MPI.Comm):
        raise WrongTypeError(f"comm is {kind_of(comm)}, must be a communicator of mpi4py")
    return Comm.from_address(MPI._addressof(comm))
