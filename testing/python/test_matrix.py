# SPDX-License-Identifier: BSD-3-Clause
"""DistributedMatrix, out=, and plans and requests as contexts. The docstrings have more examples of what is right."""
import os
import tempfile

import numpy as np
import pytest
import xredist
from mpi4py import MPI
from test_xredist import M, N, agree, columns, comm, empty, local, matrix, message, rank, size, slabs
from xredist import DistributedMatrix, Layout, Plan

on_last = Layout(mb=M, nb=N, ranks=[size - 1])


def distributed(layout, dtype="f8"):
    return DistributedMatrix.from_local(comm, local(layout, matrix(dtype)), layout)


@pytest.mark.parametrize("dtype", ["f8", "c8", "i8", "datetime64[s]"])
@pytest.mark.parametrize("a, b", [(slabs, columns), (columns, on_last), (on_last, slabs)])
def test_redistributes(a, b, dtype):
    A = distributed(a, dtype)
    agree(A.shape == (M, N) and A.dtype == np.dtype(dtype))
    B = A.redistribute(b)
    agree((B.shape, B.layout, B.dtype) == ((M, N), b, A.dtype) and (B.local == local(b, matrix(dtype))).all())
    C = DistributedMatrix.zeros(comm, (M, N), b, dtype)
    agree(A.redistribute(out=C) is C and (C.local == B.local).all())
    whole = A.gather(root=size - 1)
    agree((whole == matrix(dtype)).all() if rank == size - 1 else whole is None)


def test_converts_and_transposes():
    A = distributed(slabs, "f4")
    B = A.redistribute(columns, dtype="f8", trans=True)
    agree(B.shape == (N, M) and B.dtype == "f8" and (B.local == local(columns, matrix().T.copy())).all())
    with A.plan(B, trans="t") as plan:
        plan.execute(A, B, beta=1.0)
        agree(repr(plan) == f"<xredist.Plan of {N} x {M} elements, float32 to float64, "
                            f"{size} x 1 to 1 x {size} processes>")
    agree((B.local == 2 * local(columns, matrix().T.copy())).all())


def test_columns_of_larger_arrays_are_not_copied():
    part = local(slabs, matrix())
    large = np.zeros((len(part) + 3, N + 1), order="F")
    view = large[2:len(part) + 2, 1:]
    view[:] = part
    A = DistributedMatrix.from_local(comm, view, slabs)
    agree(A.local is view or np.shares_memory(A.local, large))
    agree((A.redistribute(columns).local == local(columns, matrix())).all())
    agree((xredist.redistribute(comm, view, slabs, columns) == local(columns, matrix())).all())


def test_keeps_arrays_in_fortran_order():
    part = local(slabs, matrix())
    agree(np.shares_memory(DistributedMatrix.from_local(comm, part, slabs).local, part) or part.size == 0)
    C = DistributedMatrix.from_local(comm, np.ascontiguousarray(part), slabs)
    agree(C.local.flags.f_contiguous and (C.local == part).all())


def test_of_a_function():
    A = DistributedMatrix.from_function(comm, lambda i, j: 100.0 * i + j, (M, N), columns)
    agree((A.local == local(columns, matrix())).all())
    ones = DistributedMatrix.from_function(comm, lambda i, j: 1, (M, N), columns, dtype="c8")
    agree(ones.dtype == "c8" and (ones.local == 1).all())


def test_stores_and_restores():
    folder = tempfile.TemporaryDirectory() if rank == 0 else None
    name = os.path.join(comm.bcast(folder.name if rank == 0 else None), "a")
    distributed(slabs, "f8").save(name, dtype="f4")
    A = DistributedMatrix.load(comm, name + ".npy", columns)
    agree(A.dtype == "f4" and A.shape == (M, N) and (A.local == local(columns, matrix("f4"))).all())
    comm.Barrier()
    if rank == 0:
        folder.cleanup()


def test_layouts_of_solvers():
    b = distributed(slabs).fit(xredist.rules_for("elpa", block=2, blocks=1))
    agree(b == xredist.fit(comm, M, N, slabs, xredist.rules_for("elpa", block=2, blocks=1)))


@pytest.mark.parametrize("make, expected", [
    (lambda A: A.redistribute(), "layout is None, must be of type Layout"),
    (lambda A: A.redistribute(slabs, out=A), "out excludes layout and dtype, which are those of out"),
    (lambda A: A.redistribute(out=A, trans=True), "out is this matrix, must be another one"),
    (lambda A: A.redistribute(out=A.local), "out is of type ndarray, must be of type DistributedMatrix"),
    (lambda A: A.redistribute(out=DistributedMatrix.zeros(comm, (M - 1, N), columns)),
     f"out has the shape ({M - 1}, {N}), which does not fit ({M}, {N})"),
    (lambda A: A.redistribute(columns, trans="X"), "trans is 'X', must be N, T, C or R"),
    (lambda A: A.plan(A.local), "to is of type ndarray, must be of type DistributedMatrix"),
    (lambda A: A.plan(A, trans=True), f"to has the shape ({M}, {N}), which does not fit ({M}, {N}) for a transpose"),
    (lambda A: A.owner(M, 0), f"i is {M}, must be in 0 .. {M - 1}"),
    (lambda A: A.owner(0, [1, N + 2]), f"j is {N + 2}, must be in 0 .. {N - 1}"),
    (lambda A: DistributedMatrix.zeros(comm, (M, N), None), "layout is None, must be of type Layout"),
    (lambda A: DistributedMatrix.zeros(comm, M, columns), f"shape is {M}, must be a tuple of two integers"),
    (lambda A: DistributedMatrix.zeros(comm, (M, 2.0), columns), "shape[1] is 2.0, must be an integer"),
    (lambda A: DistributedMatrix.zeros(None, (M, N), columns), "comm is None, must be a communicator of mpi4py"),
    (lambda A: DistributedMatrix.zeros(comm, (M, N), columns, "O"), "dtype is object, must not contain Python objects"),
    (lambda A: DistributedMatrix(comm, (M, N), on_last, np.zeros((3, 3), order="F")),
     f"local has the shape (3, 3), must have {(M, N) if rank == size - 1 else (0, 0)}"),
    (lambda A: DistributedMatrix(comm, (M, N), on_last, [[1.0]]), "local is of type list, must be of type ndarray"),
    (lambda A: DistributedMatrix.from_function(comm, lambda i, j: np.zeros((70, 70)), (M, N),
                                               Layout(mb=M, nb=N, ranks=[size])),
     "function returns the shape (70, 70), must broadcast to (0, 0)"),
])
def test_mistakes(make, expected):
    A = distributed(columns)
    agree(message(make, A) == expected)


def test_plans_check_the_layouts_of_matrices():
    A, B = distributed(slabs), DistributedMatrix.zeros(comm, (M, N), columns)
    plan = A.plan(B)
    if size > 1:
        agree(message(plan.execute, B, A).startswith(f"a has the layout {columns}, the plan has "))
    agree("the plan has float64" in message(plan.execute, A, DistributedMatrix.zeros(comm, (M, N), columns, "f4")))
    plan.execute(A.local, B)
    agree((B.local == local(columns, matrix())).all())


def test_plans_take_layouts_that_are_written_in_other_ways():
    a = Layout(nprow=size, mb=2, nb=N)
    b = Layout(nprow=size, mb=2, nb=N, rsrc=0, ranks=np.arange(size))
    even = [3 * k for k in range(size)] + [max(M, 3 * size - 3)]
    p = Layout(nprow=size, mb=7, nb=N, rows=xredist.Partition(even, list(range(size))))
    q = Layout(nprow=size, rsrc=3, nb=N, rows=xredist.Partition(tuple(even)))
    agree(a._same_as(b) and b._same_as(a) and p._same_as(q) and not p._same_as(a))
    other = Layout(nprow=size, npcol=2, mb=2, nb=N, csrc=1)
    agree(not a._same_as(Layout(nprow=size, mb=3, nb=N)) and not a._same_as(other))
    for x, y in ((a, b), (b, a)):
        A, B = DistributedMatrix.zeros(comm, (M, N), x), DistributedMatrix.zeros(comm, (M, N), columns)
        Plan(comm, y, columns, m=M, n=N).execute(A, B)


# ---- out=

def test_results_in_arrays_of_the_program():
    b = empty(columns)
    agree(xredist.redistribute(comm, local(slabs, matrix()), slabs, columns, out=b) is b)
    agree((b == local(columns, matrix())).all())
    whole = np.full((M + 2, N), -1.0, order="F") if rank == 0 else None
    result = xredist.gather(comm, b, columns, out=None if rank else whole[1:M + 1])
    agree(result is None if rank else (whole[1:M + 1] == matrix()).all() and (whole[[0, -1]] == -1).all())
    part = empty(slabs, "f4")
    xredist.scatter(comm, matrix() if rank == 0 else None, slabs, dtype_b="f4", out=part)
    agree((part == local(slabs, matrix("f4"))).all())


@pytest.mark.parametrize("out, expected", [
    (lambda b: np.zeros(b.shape, "f4", order="F"), "has the dtype float32, must have float64"),
    (lambda b: np.zeros((b.shape[0] + 1, 2), order="F"), "has the shape (14, 2), must have (13, "),
    (lambda b: b.tolist(), "is of type list, must be a numpy array"),
    (lambda b: np.zeros((b.shape[0], 2 * b.shape[1]), order="F")[:, ::-2], "has strides"),
    (lambda b: np.broadcast_to(np.zeros((b.shape[0], 1), order="F"), b.shape), "has strides"),
])
def test_mistakes_in_out_on_one_process(out, expected):
    b = empty(columns)
    found = message(xredist.redistribute, comm, local(slabs, matrix()), slabs, columns,
                    out=out(b) if rank == size - 1 else b)
    agree(found.startswith(f"out on rank {size - 1} {expected}"))


def test_out_does_not_overlap():
    A = empty(columns)
    agree("overlaps array" in message(xredist.redistribute, comm, A, columns, columns, out=A))
    A.flags.writeable = False
    agree("is read-only" in message(xredist.redistribute, comm, local(slabs, matrix()), slabs, columns, out=A))


# ---- lists, and letters

def test_lists_in_place_of_arrays():
    part = xredist.scatter(comm, matrix().tolist() if rank == 0 else None, columns)
    agree((part == local(columns, matrix())).all())
    agree((xredist.redistribute(comm, part.tolist(), columns, slabs) == local(slabs, matrix())).all())
    ragged = [[1, 2], [3]]
    agree("is of type list, must be a numpy array" in message(xredist.redistribute, comm, ragged, slabs, columns))


class Unreadable:
    def __array__(self, dtype=None, copy=None):
        raise RuntimeError("it is on another device")


def test_an_array_that_numpy_cannot_read_is_an_error_on_all_processes():
    given = Unreadable() if rank == size - 1 else local(slabs, matrix())
    agree(message(xredist.redistribute, comm, given, slabs, columns) ==
          f"array on rank {size - 1} is of type Unreadable, must be a numpy array with two dimensions: "
          "it is on another device")


@pytest.mark.parametrize("array, expected", [
    (None, "is None, must be a numpy array with two dimensions"),
    (np.zeros(3), "has 1 dimensions, must be a numpy array with two dimensions"),
    (object(), "is of type object, must be a numpy array with two dimensions"),
])
def test_mistakes_name_what_was_passed(array, expected):
    agree(f"array on rank 0 {expected}" == message(xredist.scatter, comm, array if rank == 0 else None, columns))


@pytest.mark.parametrize("trans, right", [(True, "T"), (np.True_, "T"), (False, "N"), ("t", "T")])
def test_trans_is_a_letter_or_a_truth_value(trans, right):
    b = xredist.redistribute(comm, local(slabs, matrix()), slabs, columns, trans=trans)
    agree((b == local(columns, matrix().T.copy() if right == "T" else matrix())).all())


# ---- contexts

def test_freed_plans_are_refused():
    with Plan(comm, slabs, columns, m=M, n=N) as plan:
        job = plan.job(local(slabs, matrix()), empty(columns))
        started = plan.start(local(slabs, matrix()), b := empty(columns))
    plan.free()
    agree(repr(plan) == "<xredist.Plan, freed>")
    started.wait()  # exchanges under way continue
    agree((b == local(columns, matrix())).all())
    for use in (lambda: plan.execute(b, b), plan.query, plan.describe, lambda: xredist.start([job])):
        agree(message(use) == "the plan has been freed")


def test_requests_end_with_their_context():
    plan = Plan(comm, slabs, columns, m=M, n=N)
    b, c = empty(columns), empty(columns)
    with xredist.start([plan.job(local(slabs, matrix()), b), plan.job(local(slabs, matrix()), c)]) as request:
        agree("2 jobs" in repr(request))
    agree(repr(request) == "<xredist.Request of 2 jobs, ended>" and (b == local(columns, matrix())).all())
    with pytest.raises(ZeroDivisionError):
        with plan.start(local(slabs, matrix(factor=2)), b) as request:
            1 / 0
    agree(request.test() and (b == 2 * c).all())
