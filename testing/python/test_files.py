# SPDX-License-Identifier: BSD-3-Clause
"""save() and load(): numpy reads and writes the same files. A test fails on all processes or on none."""
import os
import tempfile

import numpy as np
import pytest
import xredist
from test_xredist import DTYPES, M, N, agree, columns, comm, local, matrix, message, rank, slabs

first_has_all_rows = xredist.Layout(nprow=comm.size, nb=N, rows=xredist.Partition([0, M]))


@pytest.fixture
def name():
    """The name of a file in a folder of its own, equal on all processes."""
    folder = tempfile.TemporaryDirectory() if rank == 0 else None
    yield comm.bcast(os.path.join(folder.name, "a.npy") if rank == 0 else None)
    comm.Barrier()
    if rank == 0:
        folder.cleanup()


COPIED = ["?", "i1", "u2", "f2", "S5", "U3", "V3", "M8[D]", "g", "G"]


@pytest.mark.parametrize("dtype", DTYPES + COPIED)
def test_numpy_loads_a_matrix_of_each_type(name, dtype):
    for layout in (slabs, columns, first_has_all_rows):
        xredist.save(comm, name, local(layout, matrix(dtype)), layout)
        loaded = np.load(name) if rank == 0 else matrix(dtype)
        whole = xredist.gather(comm, local(layout, matrix(dtype)), layout)
        agree(loaded.dtype == dtype and loaded.flags.f_contiguous or rank != 0)
        agree(rank != 0 or (loaded == whole).all())


@pytest.mark.parametrize("dtype", DTYPES + COPIED)
@pytest.mark.parametrize("order", "FC")
def test_loads_a_matrix_of_numpy(name, dtype, order):
    if rank == 0:
        np.save(name, np.asarray(matrix(dtype), order=order))
    comm.Barrier()
    for layout in (slabs, columns, first_has_all_rows):
        part = xredist.load(comm, name, layout)
        agree(part.dtype == dtype and (part == local(layout, matrix(dtype))).all())
    agree(xredist.file_info(comm, name) == ((M, N), np.dtype(dtype), order))


def test_has_the_bytes_of_numpy(name):
    xredist.save(comm, name, local(columns, matrix()), columns)
    if rank == 0:
        np.save(name + ".numpy.npy", np.asfortranarray(matrix()))
    agree(rank != 0 or open(name, "rb").read() == open(name + ".numpy.npy", "rb").read())


def test_converts(name):
    xredist.save(comm, name, local(slabs, matrix("f8")), slabs, dtype_in_file="f4")
    agree(rank != 0 or np.load(name).dtype == "f4")
    part = xredist.load(comm, name, columns, dtype="f8")
    agree(part.dtype == "f8" and (part == local(columns, matrix())).all())


def test_of_vectors_and_without_elements(name):
    for array in (np.arange(5.0), np.float64(3), np.zeros((0, 4)), np.zeros((4, 0))):
        if rank == 0:
            np.save(name, array)
        comm.Barrier()
        layout = xredist.Layout(nprow=comm.size, mb=1, nb=1)
        whole = np.atleast_2d(array.T).T
        part = xredist.load(comm, name, layout)
        agree(part.shape == layout.local_size(*whole.shape, rank) and (part == local(layout, whole)).all())
        xredist.save(comm, name, part, layout)
        agree(rank != 0 or (np.load(name) == whole).all())


def test_errors_are_raised_on_all_processes(name):
    def code_of(function, *arguments):
        with pytest.raises(xredist.Error) as raised:
            function(*arguments)
        return raised.value.code

    agree(code_of(xredist.load, comm, name, slabs) == xredist.FILE_ERROR)
    if rank == 0:
        np.save(name, np.zeros((2, 3, 4)))
    comm.Barrier()
    agree(code_of(xredist.load, comm, name, slabs) == xredist.FILE_ERROR)
    agree(code_of(xredist.save, comm, name + "/below", local(slabs, matrix()), slabs) == xredist.FILE_ERROR)
    if rank == 0:
        np.save(name, matrix(">f8"))
    comm.Barrier()
    agree("another order" in message(xredist.load, comm, name, columns))
    wrong = 3 if rank == comm.size - 1 else columns
    agree(message(xredist.load, comm, name, wrong) != "no error")
    agree("members" in message(xredist.save, comm, name, np.zeros((1, 1), dtype=[("x", "f8")]),
                               xredist.Layout(mb=1, nb=1)))
