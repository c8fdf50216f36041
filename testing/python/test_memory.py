# SPDX-License-Identifier: BSD-3-Clause
"""Arrays whose pages come and go, and executions that consume them."""
import numpy as np
import pytest
import xredist
from mpi4py import MPI
from test_xredist import agree, comm, message, rank

M, N = 700, 500 * comm.size  # 2.8 MB of each process
slabs = xredist.Layout(nprow=comm.size, mb=-(-M // comm.size), nb=N)
columns = xredist.Layout(npcol=comm.size, mb=M, nb=64)


def filled(layout, make=np.zeros):
    rows, cols = layout.indices(M, N, rank)
    array = make(layout.local_size(M, N, rank), float, order="F")
    array[...] = rows[:, None] + 1000.0 * cols
    return array


@pytest.mark.parametrize("make", [np.zeros, xredist.zeros])
def test_move(make):
    a = filled(slabs, make)
    with xredist.Plan(comm, slabs, columns, m=M, n=N) as plan:
        b = plan.move(a)
        agree((b == filled(columns)).all())
        agree((a == 0).mean() > 0.95)                          # pages that have gone back are 0
        agree(plan.query().peak_bytes <= a.nbytes + b.nbytes)


def status(name):
    """Returns a line of the process's status, in bytes."""
    with open("/proc/self/status", encoding="ascii") as lines:
        return next(1024 * int(line.split()[1]) for line in lines if line.startswith(name + ":"))


@pytest.mark.parametrize("make", [np.empty, xredist.zeros])
def test_peak_with_huge_pages(make):
    """numpy.empty asks for huge pages, which a move does not want for its new array."""
    shape = (256, 64 * comm.size, 128)  # 16 MB of each process; a panel has a part of each page of B
    a_layout = xredist.ArrayLayout("(*, BLOCK, *)", grid=(1, comm.size, 1), order="C")
    b_layout = xredist.ArrayLayout("(BLOCK, *, *)", grid=(comm.size, 1, 1), order="F")

    def arrays(of):
        return [of(layout.local_shape(shape, rank), float, order=layout.order) for layout in (a_layout, b_layout)]

    with xredist.Plan(comm, a_layout, b_layout, shape=shape) as plan:
        plan.execute(*arrays(xredist.zeros))  # touches the buffers; freed memory of numpy would be used again
        before = status("VmRSS")
        a, b = arrays(make)
        a[...] = 1
        with open("/proc/self/clear_refs", "w", encoding="ascii") as file:
            file.write("5")  # sets the high-water mark back
        plan.execute(a, b, consume=True)
        peak, expected = status("VmHWM") - before, plan.query().peak_bytes
        agree(0.8 * expected <= peak <= 1.05 * expected + (4 << 20))
        agree((b == 1).all())


def test_move_of_an_array():
    shape = (64, 40 * comm.size, 60)
    a = xredist.ArrayLayout("(*, BLOCK, *)", grid=(1, comm.size, 1), order="C")
    b = xredist.ArrayLayout("(BLOCK, *, *)", grid=(comm.size, 1, 1), order="F")
    whole = np.arange(float(np.prod(shape))).reshape(shape)
    array = whole[:, 40 * rank:40 * (rank + 1), :].copy()
    with xredist.Plan(comm, a, b, shape=shape) as plan:
        moved = plan.move(array, alpha=2.0)
    step = -(-64 // comm.size)
    agree((moved == 2 * whole[step * rank:step * (rank + 1)]).all())


@pytest.mark.parametrize("consume", [True, False])
def test_save(consume, tmp_path_factory):
    name = comm.bcast(str(tmp_path_factory.mktemp("saved")) if rank == 0 else None) + "/a.npy"
    a = filled(columns)
    xredist.save(comm, name, a, columns, consume=consume)
    agree((a == 0).mean() > 0.95 if consume else (a == filled(columns)).all())
    agree((xredist.load(comm, name, slabs) == filled(slabs)).all())
    xredist.DistributedMatrix(comm, (M, N), slabs, filled(slabs)).save(name, consume=consume)
    agree((xredist.load(comm, name, slabs) == filled(slabs)).all())
    layout = xredist.ArrayLayout("(*, BLOCK, *)", grid=(1, comm.size, 1), order="C")
    array = np.ones(layout.local_shape((64, 40 * comm.size, 60), rank))
    xredist.DistributedArray(comm, (64, 40 * comm.size, 60), layout, array).save(name, consume=consume)
    agree((array == 0).mean() > 0.95 if consume else (array == 1).all())


def test_arrays_keep_their_memory():
    a = xredist.zeros((30, 4), "f4", order="F")
    agree(a.flags.f_contiguous and a.dtype == "f4" and not a.any())
    view = a[3:7].T
    a[5, 2] = 7
    del a
    agree(view[2, 2] == 7)
    agree(xredist.zeros(0).shape == (0,) and xredist.zeros((3, 0), int).shape == (3, 0))


def test_mistakes():
    layout = xredist.Layout(mb=8, nb=8)
    a = np.zeros((8, 8), order="F")
    a.flags.writeable = False
    agree(message(xredist.save, MPI.COMM_SELF, "none.npy", a, layout, consume=True) ==
          "array is not writeable, so it cannot be consumed")
    with xredist.Plan(MPI.COMM_SELF, layout, layout, m=8, n=8) as plan:
        agree(message(plan.move, a) == "a is not writeable, so it cannot be consumed")
    agree(message(xredist.zeros, 3, object) == "dtype is object, whose elements are objects of Python")
    with pytest.raises(MemoryError, match="bytes wanted"):
        xredist.zeros(1 << 62, "i1")
