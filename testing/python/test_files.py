# SPDX-License-Identifier: BSD-3-Clause
"""save() and load(): numpy reads and writes the same files. A test fails on all processes or on none."""
import os
import pathlib
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


def test_tells_its_progress(name):
    """As a bar of tqdm would be told, on rank 0 only. An error of the function is raised there, when all is done."""
    class Bar:
        n = 0

        def update(self, more):
            self.n += more

    bar, wholes = Bar(), []

    def tell(done, whole):
        wholes.append(whole)
        bar.update(done - bar.n)

    for move in (lambda told: xredist.save(comm, name, local(columns, matrix("f8")), columns, progress=told),
                 lambda told: xredist.load(comm, name, slabs, progress=told)):
        bar.n = 0
        move(tell if rank == 0 else None)
        agree(bar.n == (8 * M * N if rank == 0 else 0))
    agree(set(wholes) == ({8 * M * N} if rank == 0 else set()))

    def fail(done, whole):
        raise KeyError("of this function")

    if rank == 0:
        with pytest.raises(KeyError, match="of this function"):
            xredist.save(comm, name, local(columns, matrix("f8")), columns, progress=fail)
    else:
        xredist.save(comm, name, local(columns, matrix("f8")), columns)
    agree((xredist.load(comm, name, slabs) == local(slabs, matrix("f8"))).all())
    with pytest.raises(xredist.Error):
        xredist.load(comm, name, slabs, progress="wrong")


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


@pytest.mark.parametrize("in_file, in_memory", [(">f8", "f8"), (">f8", "f4"), (">c16", "c16"), ("i8", "f8"),
                                                ("f8", ">f8"), ("f4", "f2"), ("?", "i1"), ("<M8[s]", "<M8[ns]")])
def test_converts_what_the_library_does_not(name, in_file, in_memory):
    """Types without a letter are converted by numpy, in both directions, and big-endian files are read as they are."""
    whole = (matrix("f8") % 2).astype(in_file) if in_file != "<M8[s]" else matrix(in_file)
    xredist.save(comm, name, local(slabs, whole), slabs)
    part = xredist.load(comm, name, columns)
    agree(part.dtype == np.dtype(in_file) and (part == local(columns, whole)).all())
    part = xredist.load(comm, name, columns, dtype=in_memory)
    agree(part.dtype == np.dtype(in_memory) and (part == local(columns, whole.astype(in_memory))).all())
    if np.can_cast(in_memory, in_file, "same_kind"):
        xredist.save(comm, name, part, columns, dtype_in_file=in_file)
        agree(rank != 0 or (np.load(name).dtype == in_file and (np.load(name) == whole).all()))


@pytest.mark.parametrize("in_file, in_memory", [(">f8", "i4"), ("c8", ">f8"), ("f8", "?"), ("?", "<M8[s]")])
def test_refuses_conversions_that_lose_values(name, in_file, in_memory):
    whole = matrix(in_file)
    xredist.save(comm, name, local(slabs, whole), slabs)
    expected = f"elements of dtype {np.dtype(in_file)} cannot be converted to {np.dtype(in_memory)}"
    agree(message(xredist.load, comm, name, columns, in_memory) == expected)
    agree(message(xredist.save, comm, name, local(slabs, whole), slabs, in_memory) == expected)


def test_loads_into_an_array(name):
    xredist.save(comm, name, local(slabs, matrix("f8")), slabs)
    rows, cols = columns.local_size(M, N, rank)
    large = np.full((rows + 3, cols + 1), -1.0, order="F")
    part = xredist.load(comm, name, columns, out=large[1:rows + 1, :cols])
    agree(part.base is large and (part == local(columns, matrix())).all())
    agree((large == -1).sum() == large.size - part.size)
    swapped = np.zeros((rows, cols), dtype=">f8", order="F")
    agree(xredist.load(comm, name, columns, ">f8", out=swapped) is swapped and (swapped == part).all())
    wrong = np.zeros((rows, cols + (rank == 0)), order="F")
    agree(f"must have {(rows, cols)}" in message(xredist.load, comm, name, columns, out=wrong) if rank == 0
          else message(xredist.load, comm, name, columns, out=wrong) != "no error")


def test_names_have_the_suffix_of_numpy(name):
    for given, made in (("q3", "q3.npy"), ("q3.npy", "q3.npy"), ("q3.dat", "q3.dat.npy")):
        given, made = (os.path.join(os.path.dirname(name), file) for file in (given, made))
        xredist.save(comm, pathlib.Path(given), local(slabs, matrix()), slabs)
        agree((xredist.load(comm, made, columns) == local(columns, matrix())).all())
        comm.Barrier()
        if rank == 0:
            before = set(os.listdir(os.path.dirname(name)))
            os.remove(made)
            np.save(pathlib.Path(given), matrix())
        agree(rank != 0 or before == set(os.listdir(os.path.dirname(name))))


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


@pytest.mark.parametrize("length", [255, 400, 4095])
def test_long_names(name, length):
    """A name of 255 bytes, and paths that are longer than what MPI permits."""
    folder = os.path.dirname(name)
    while len(folder) + 256 < length:
        folder += "/" + "d" * min(200, length - len(folder) - 1 - 100)
    if rank == 0:
        os.makedirs(folder, exist_ok=True)
    comm.Barrier()
    path = folder + "/" + "f" * ((255 if length == 255 else length - len(folder) - 1) - 4) + ".npy"
    for layout in (slabs, columns):
        xredist.save(comm, path, local(layout, matrix()), layout)
        agree((xredist.load(comm, path, columns) == local(columns, matrix())).all())
    agree(rank != 0 or len(os.listdir(folder)) == 1)
    with pytest.raises(xredist.Error) as raised:
        xredist.load(comm, path + "f" * 256, columns)
    agree(raised.value.code == xredist.FILE_ERROR and "f cannot be opened: " in str(raised.value))


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
        np.save(name, matrix())
    comm.Barrier()
    wrong = 3 if rank == comm.size - 1 else columns
    agree(message(xredist.load, comm, name, wrong) != "no error")
    agree("members" in message(xredist.save, comm, name, np.zeros((1, 1), dtype=[("x", "f8")]),
                               xredist.Layout(mb=1, nb=1)))
