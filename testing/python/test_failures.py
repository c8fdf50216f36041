# SPDX-License-Identifier: BSD-3-Clause
"""Every failure is an xredist.Error with a sentence, whatever types, names of files and headers a program passes."""
import copy
import io
import os
import pathlib
import pickle
import tempfile

import numpy as np
import pytest
import xredist
from test_xredist import M, N, agree, columns, comm, local, matrix, message, rank, size, slabs
from xredist import Error, FileError, Layout, Plan, WrongTypeError

whole = Layout(mb=1 << 40, nb=1 << 40)


@pytest.fixture
def folder():
    """A folder of its own, equal on all processes, as bytes."""
    made = tempfile.TemporaryDirectory() if rank == 0 else None
    yield os.fsencode(comm.bcast(made.name if rank == 0 else None))
    comm.Barrier()
    if rank == 0:
        made.cleanup()


# ---- exceptions

def test_errors_are_those_that_python_programs_catch():
    agree(issubclass(Error, ValueError) and issubclass(WrongTypeError, (Error, TypeError))
          and issubclass(WrongTypeError, TypeError) and issubclass(FileError, Error) and issubclass(FileError, OSError))
    codes = [xredist.NO_MEMORY, xredist.BAD_OPTION, xredist.DISAGREEMENT, xredist.PEER_FAILED, xredist.INVALID_ARGUMENT,
             xredist.FILE_ERROR]
    agree(codes == [1, 2, 3, 4, 5, 6])
    for error in (Error("a sentence", 3), WrongTypeError("a sentence"), FileError("a sentence")):
        for other in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
            agree((type(other), str(other), other.code) == (type(error), "a sentence", error.code))


@pytest.mark.parametrize("call, kind", [
    (lambda: Plan(comm, slabs, columns, m=2.0, n=3), TypeError),
    (lambda: Plan(comm, slabs, columns, m=-2, n=3), ValueError),
    (lambda: Plan(None, slabs, columns, m=2, n=3), TypeError),
    (lambda: Plan(comm, None, columns, m=2, n=3), TypeError),
    (lambda: Plan(comm, slabs, columns, m=2, n=3, trans=3), TypeError),
    (lambda: Plan(comm, slabs, columns, m=2, n=3, dtype="float65"), TypeError),
    (lambda: Plan(comm, slabs, columns, m=M, n=N).execute([], []), TypeError),
    (lambda: xredist.start(5), TypeError),
    (lambda: xredist.set_option(comm, "buffer", "64Q"), ValueError),
    (lambda: xredist.redistribute(comm, None, slabs, columns), TypeError),
    (lambda: xredist.tell(comm, slabs, None), TypeError),
    (lambda: xredist.load(comm, "missing.npy", slabs), OSError),
    (lambda: xredist.load(comm, 5, slabs), TypeError),
    (lambda: xredist.save(comm, None, local(slabs, matrix()), slabs), TypeError),
    (lambda: xredist.rules_for(None), TypeError),
])
def test_kinds_of_errors(call, kind):
    with pytest.raises(Error) as raised:
        call()
    agree(isinstance(raised.value, kind))
    agree(isinstance(raised.value, (TypeError, OSError)) == (kind is not ValueError))


# ---- types that numpy knows

DTYPES = sorted({np.dtype(kind) for kind in np.sctypeDict.values()}, key=str) + [np.dtype(kind) for kind in (
    ">f8", ">c8", "S3", "U2", "V5", "S0", "U0", "V0", "M8", "m8[us]", "O", [("x", "f8"), ("y", "i2")], "f8,f8",
    "(2,3)f4", "V70000", [("x", "O")], [("x", "V0")])]


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_each_type_of_numpy_is_moved_or_refused(folder, dtype):
    matrix_of_type = np.zeros((M, N), dtype=np.dtype([("z", dtype)]))["z"] if dtype.subdtype is None else None
    if matrix_of_type is None or dtype.itemsize == 0 or dtype.hasobject or dtype.itemsize > 65536:
        rule = ("must not contain Python objects" if dtype.hasobject else "must not be an array" if dtype.subdtype
                else "must have at least one byte" if dtype.itemsize == 0 else "must be in 1 .. 65536")
        agree(rule in message(Plan, comm, slabs, columns, m=M, n=N, dtype=dtype))
        agree(rule in message(xredist.DistributedMatrix.zeros, comm, (2, 2), whole, dtype)
              or dtype.itemsize > 65536)
        return
    part = np.asfortranarray(matrix_of_type[np.ix_(*slabs.indices(M, N, rank))])
    moved = xredist.redistribute(comm, part, slabs, columns)
    agree(moved.dtype == dtype and moved.shape == columns.local_size(M, N, rank))
    name = os.path.join(folder, b"a.npy")
    if dtype.names is not None:
        agree("members" in message(xredist.save, comm, name, part, slabs))
        return
    xredist.save(comm, name, part, slabs)
    agree(xredist.load(comm, name, columns).dtype == dtype)
    agree(rank != 0 or (np.load(os.fsdecode(name)) == matrix_of_type).all())


@pytest.mark.parametrize("dtype", ["float65", "f8;", 5, "é", "\udce9", "f8\0", ("f8", "x"), object()])
def test_what_numpy_does_not_know_is_refused(dtype):
    for call in (lambda: Plan(comm, slabs, columns, m=M, n=N, dtype=dtype),
                 lambda: xredist.redistribute(comm, local(slabs, matrix()), slabs, columns, dtype_b=dtype),
                 lambda: xredist.DistributedMatrix.zeros(comm, (3, 3), slabs, dtype)):
        agree(message(call) != "no error")


# ---- names of files

NAMES = [b"caf\xe9.npy", "über.npy".encode(), b"\xff\xfe.npy", b"a b\n.npy", b"n" * 100 + b".npy"]


@pytest.mark.parametrize("name", NAMES)
def test_any_name_of_a_file(folder, name):
    path = os.path.join(folder, name)
    forms = path, os.fsdecode(path), pathlib.Path(os.fsdecode(path))
    for form in forms:
        with pytest.raises(FileError) as raised:
            xredist.load(comm, form, columns)
        sentence = str(raised.value)
        agree(sentence.encode() and path.decode(errors="replace") in sentence)
        with pytest.raises(FileError):
            xredist.save(comm, os.path.join(os.path.dirname(path), b"d\xe9r", b"a"), local(slabs, matrix()), slabs)
    for form in forms:
        xredist.save(comm, form, local(slabs, matrix()), slabs)
        agree((xredist.load(comm, form, columns) == local(columns, matrix())).all())
        agree(xredist.file_info(comm, form).shape == (M, N))
    agree(os.listdir(folder) == [name])


@pytest.mark.parametrize("name, expected", [
    ("a\0b.npy", "must not have a zero byte"), (b"\0", "must not have a zero byte"),
    ("\ud800.npy", "which has no encoding"),
    (None, "name is None, must be a str, bytes or path"), (5, "name is of type int, must be a str, bytes or path"),
    (np.array("a"), "name is of type ndarray, must be a str, bytes or path"),
])
def test_names_that_no_file_has(name, expected):
    for call in (lambda: xredist.load(comm, name, columns), lambda: xredist.file_info(comm, name),
                 lambda: xredist.save(comm, name, local(slabs, matrix()), slabs)):
        agree(expected in message(call))


def test_a_wrong_name_on_one_process_is_an_error_on_all(folder):
    name = 5 if rank == size - 1 else os.path.join(folder, b"a.npy")
    for call in (lambda: xredist.load(comm, name, columns), lambda: xredist.file_info(comm, name),
                 lambda: xredist.save(comm, name, local(slabs, matrix()), slabs)):
        with pytest.raises(Error):
            call()


@pytest.mark.parametrize("name, value", [("\udce9", "1"), ("buffer", "\udce9"), ("\ud800", "1"), ("buffer\0", "64M"),
                                         ("buffer", "64M\0"), ("büffer", 1)])
def test_any_text_of_an_option(name, value):
    agree(message(xredist.set_option, comm, name, value) != "no error")
    agree(message(xredist.rules_for, name) != "no error")


# ---- headers

DESCRS = ["<f8", ">f8", "|f8", "=f8", "f8", "<f3", "<i5", "|V0", "|O", "<M8[é]", "<M8[xs]", "<M8[\xff]", "<m8[s", "d",
          "float64", "", "é", "<U" + "1" * 40, "<f8" * 30, "\\x", "<M8[" + "n" * 80 + "]"]


@pytest.mark.parametrize("descr, encoding", [(descr, "latin-1") for descr in DESCRS] + [("é", "utf-8")])
def test_any_header(folder, descr, encoding):
    header = f"{{'descr': '{descr}', 'fortran_order': True, 'shape': (2, 3), }}\n".encode(encoding)
    name = os.path.join(folder, b"a.npy")
    if rank == 0:
        with open(name, "wb") as file:
            file.write(b"\x93NUMPY\1\0" + len(header).to_bytes(2, "little") + header + bytes(8 * 6))
    comm.Barrier()
    for call in (lambda: xredist.file_info(comm, name), lambda: xredist.load(comm, name, columns),
                 lambda: xredist.load(comm, name, columns, dtype="f4")):
        try:
            call()
            right = True
        except Error as error:
            right = len(str(error)) > 10
        agree(right)


def test_changed_headers():
    """Random bytes of headers are changed. Alone on the first process: processes need not share files."""
    if rank > 0:
        return
    from mpi4py import MPI
    random = np.random.default_rng(7)
    original = io.BytesIO()
    np.save(original, np.arange(12.0).reshape(3, 4))
    with tempfile.TemporaryDirectory() as made:
        name, refused = os.path.join(made, "a.npy"), 0
        for _ in range(60):
            data = bytearray(original.getvalue())
            for place in random.integers(6, 80, size=random.integers(1, 4)):
                data[place] = random.choice(list(b"0123456789 ,'\":()[]{}<>=|-+.LTFuefalsrtn_\n\x00\xff"))
            with open(name, "wb") as file:
                file.write(data)
            try:
                xredist.load(MPI.COMM_SELF, name, whole)
            except Error as error:
                refused += 1
                assert len(str(error)) > 10
        assert refused > 20
