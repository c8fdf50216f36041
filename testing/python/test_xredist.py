# SPDX-License-Identifier: BSD-3-Clause
"""The Python package, on all processes of MPI_COMM_WORLD. A test fails on all processes or on none, or the others would
wait: expectations are compared with `agree`."""
import copy
import ctypes
import gc

import numpy as np
import pytest
import xredist
from mpi4py import MPI
from xredist import Error, Layout, Operation, Partition, Plan

comm = MPI.COMM_WORLD
rank, size = comm.Get_rank(), comm.Get_size()
M, N = 13, 11

slabs = Layout(nprow=size, nb=N, rows=Partition([0, *range(1, size), M]))
columns = Layout(npcol=size, mb=4, nb=2)
DTYPES = ["i4", "f4", "f8", "c8", "c16", "i8", "u4", "datetime64[s]"]


def matrix(dtype="f8", factor=1):
    return (factor * np.fromfunction(lambda i, j: 100 * i + j, (M, N))).astype(dtype)


def owners(n, partition, procs, block):
    """Returns the process of each element of an axis."""
    if partition is None:
        return np.arange(n) // block % procs
    owner = np.zeros(n, dtype=int)
    for k, (begin, end) in enumerate(zip(partition.bounds, partition.bounds[1:])):
        owner[begin:end] = k if partition.owners is None else partition.owners[k]
    return owner


def local(layout, whole):
    """Returns the local part of a matrix, element by element."""
    ranks = list(layout.ranks or range(layout.nprow * layout.npcol))
    if rank not in ranks:
        return np.zeros((0, 0), dtype=whole.dtype, order="F")
    row, col = divmod(ranks.index(rank), layout.npcol)
    of_rows = owners(whole.shape[0], layout.rows, layout.nprow, layout.mb) == row
    of_cols = owners(whole.shape[1], layout.cols, layout.npcol, layout.nb) == col
    return np.asfortranarray(whole[of_rows][:, of_cols])


def empty(layout, dtype="f8", shape=(M, N)):
    return np.zeros(layout.local_size(*shape, rank), dtype=dtype, order="F")


def agree(mine):
    assert comm.allreduce(bool(mine), op=MPI.LAND)


def message(function, *arguments, **keywords):
    """Returns the sentence of the error that a call raises."""
    try:
        function(*arguments, **keywords)
    except Error as error:
        assert error.code == 5
        return str(error)
    return "no error"


@pytest.mark.parametrize("dtype", DTYPES)
def test_moves_elements_of_each_type(dtype):
    b = empty(columns, dtype)
    Plan(comm, slabs, columns, m=M, n=N, dtype=dtype).execute(local(slabs, matrix(dtype)), b)
    agree((b == local(columns, matrix(dtype))).all())


def test_tunes_plans():
    plan, b = Plan(comm, slabs, columns, m=M, n=N, dtype="f8"), empty(columns)
    a = local(slabs, matrix())
    wrong = message(plan.tune, a, np.asfortranarray(b.astype("f4")) if rank == 0 else b)
    agree(wrong.startswith("b has the dtype float32" if rank == 0 else "process 0: job is NULL"))
    plan.tune(a, b)
    agree((b == local(columns, matrix())).all())
    plan.tune(a, b, alpha=-2.0)
    agree((b == local(columns, matrix(factor=-2))).all())
    agree(("; measured: " in plan.describe()) == (size > 1))


def test_converts_transposes_scales_and_adds():
    plan = Plan(comm, slabs, columns, Operation(m=N, n=M - 2, ia=3, dtype="f4", dtype_b="f8", trans="T"))
    expected = np.zeros((N, M))
    expected[:, :M - 2] = matrix()[2:].T
    b = empty(columns, shape=(N, M))
    b[:] = 1
    plan.execute(local(slabs, matrix("f4")), b, alpha=2, beta=-0.5)
    ones = np.ones((N, M))
    ones[:, :M - 2] *= -0.5
    agree((b == local(columns, 2 * expected + ones)).all())


@pytest.mark.parametrize("dtype, alpha", [("i4", -3), ("c16", 1j), ("c8", np.complex64(2 - 1j)), ("f4", 0.5)])
def test_scalars_have_the_type_of_b(dtype, alpha):
    b = empty(columns, dtype)
    Plan(comm, slabs, columns, m=M, n=N, dtype=dtype).execute(local(slabs, matrix(dtype)), b, alpha=alpha)
    agree((b == local(columns, matrix(dtype) * np.asarray(alpha).astype(dtype))).all())


def test_leading_dimensions():
    rows, cols = slabs.local_size(M, N, rank)
    large = np.full((rows + 3, cols + 1), -1.0, order="F")
    a = large[1:rows + 1, :cols]
    a[:] = local(slabs, matrix())
    b = empty(columns)
    Plan(comm, slabs, columns, m=M, n=N).execute(a, b)
    agree((b == local(columns, matrix())).all())


def test_ignores_arrays_of_processes_without_a_part():
    plan = Plan(comm, slabs, columns, m=M, n=2, jb=3)
    b = empty(columns) if rank == 1 % size else np.zeros((0, 0), order="F")
    plan.execute(local(slabs, matrix()), b)
    moved = np.zeros((M, N))
    moved[:, 2:4] = matrix()[:, :2]
    agree(rank != 1 % size or (b == local(columns, moved)).all())


def test_starts_batches_and_members():
    plan, other = Plan(comm, slabs, columns, m=M, n=N), Plan(comm, columns, slabs, m=M, n=N, dtype="c8")
    b, d, e = empty(columns), empty(slabs, "c8"), empty(columns)
    request = xredist.start([plan.job(local(slabs, matrix()), b), other.job(local(columns, matrix("c8")), d, alpha=1j)])
    later = plan.start(local(slabs, matrix()), e, alpha=3)
    request.wait(0)
    agree((b == local(columns, matrix())).all())
    while not request.test(1):
        pass
    agree((d == local(slabs, matrix("c8") * 1j)).all())
    agree("member is 2" in message(request.wait, 2))
    del plan, other
    while not later.test():
        pass
    request.wait()
    agree(request.test() and (e == local(columns, matrix(factor=3))).all())


def test_requests_keep_what_they_need():
    b = empty(columns)
    request = Plan(comm, slabs, columns, m=M, n=N).start(local(slabs, matrix()), b)
    gc.collect()
    del request  # waits
    agree((b == local(columns, matrix())).all())


def test_subcommunicators_and_ranks():
    half = comm.Split(rank % 2, -rank)
    procs = half.Get_size()
    a, b = Layout(nprow=procs, mb=2, nb=N), Layout(mb=M, nb=N, ranks=[procs - 1])
    whole = xredist.redistribute(half, matrix()[np.arange(M) // 2 % procs == half.Get_rank()], a, b)
    agree(whole.shape == (0, 0) if half.Get_rank() != procs - 1 else (whole == matrix()).all())
    half.Free()


def test_redistribute():
    for a, b in ((slabs, columns), (columns, slabs)):
        agree((xredist.redistribute(comm, local(a, matrix()), a, b) == local(b, matrix())).all())
    b = xredist.redistribute(comm, local(slabs, matrix("c8")), slabs, columns, trans="c", dtype_b="c16")
    agree(b.dtype == "c16" and (b == local(columns, matrix("c16").T.copy())).all())


def test_redistributes_whole_matrices_only():
    for keyword, value in (("ib", 2), ("m", 3), ("dtype", "f4")):
        with pytest.raises(TypeError):
            xredist.redistribute(comm, local(slabs, matrix()), slabs, columns, **{keyword: value})
    agree("trans is None" in message(xredist.redistribute, comm, local(slabs, matrix()), slabs, columns, trans=None))


def test_refuses_integers_that_c_cannot_represent():
    agree("nprow is 4294967297" in message(Layout, nprow=2**32 + 1, mb=1, nb=1))
    agree("ranks is 4294967296" in message(Layout, mb=1, nb=1, ranks=[2**32]))
    agree("m is 18446744073709551621" in message(Plan, comm, slabs, columns, m=2**64 + 5, n=N))


def test_plans_are_not_copied():
    with pytest.raises(TypeError):
        copy.copy(Plan(comm, slabs, columns, m=M, n=N))


@pytest.mark.parametrize("root", sorted({0, size - 1}))
def test_scatter_and_gather(root):
    part = xredist.scatter(comm, matrix("f4") if rank == root else None, columns, root)
    agree(part.dtype == "f4" and part.flags.f_contiguous and (part == local(columns, matrix("f4"))).all())
    whole = xredist.gather(comm, part, columns, root)
    agree((whole == matrix("f4")).all() if rank == root else whole is None)


def test_options_of_one_plan():
    least, other = (Plan(comm, slabs, columns, m=M, n=N, options=options) for options in ("buffer=512K", None))
    agree("packets of 64 KB" in least.describe() and "packets of 64 KB" not in other.describe())
    agree("buffer=much: " in message(Plan, comm, slabs, columns, m=M, n=N, options="buffer=much"))


def test_queries():
    plan = Plan(comm, slabs, columns, m=M, n=N)
    rows, cols = slabs.local_size(M, N, rank)
    info = plan.query()
    agree(info.bytes_sent + info.bytes_kept == 8 * rows * cols and info.rows_a == rows)
    agree(str(size) in plan.describe())
    agree(slabs.local_size(M, N, size) == (0, 0))
    xredist.set_option(comm, "buffer", "64M")
    agree("64Q" in message(xredist.set_option, comm, "buffer", "64Q"))


def test_relabel():
    a = Layout(nprow=size, mb=1, nb=N, ranks=list(range(size))[::-1])
    ranks, kept, before = xredist.relabel(comm, a, Layout(nprow=size, mb=1, nb=N), Operation(m=M, n=N))
    agree(ranks == a.ranks and kept == 1 and before <= 1)


# ---- mistakes

@pytest.mark.parametrize("make, keywords, expected", [
    (Layout, {"nprow": 0}, "layout.nprow is 0, must be at least 1"),
    (Layout, {"nb": 1}, "layout.mb is 0, must be at least 1"),
    (Layout, {"nprow": 1.5, "mb": 1, "nb": 1}, "layout.nprow is 1.5, must be an integer"),
    (Layout, {"mb": 1, "nb": 1, "rsrc": 1}, "layout.rsrc is 1, must be in 0 .. 0, the grid's rows"),
    (Layout, {"mb": 1, "nb": 1, "ranks": [0, 1]}, "layout.ranks has 2 entries, must have 1"),
    (Layout, {"mb": 1, "nb": 1, "ranks": [0.5]}, "layout.ranks must be a sequence of integers"),
    (Layout, {"nb": 1, "rows": [0, M]}, "layout.rows is of type list, must be of type Partition"),
    (Layout, {"nb": 1, "rows": Partition([0, M], [1])}, "layout.rows: owners[0] is 1, ..."),
    (Partition, {"bounds": []}, "partition.bounds is empty, must have at least one number"),
    (Partition, {"bounds": [1, 7]}, "partition: bounds[0] is 1, must be 0"),
    (Partition, {"bounds": [0, M], "owners": [0, 0]}, "partition.owners has 2 entries, must have 1"),
    (Partition, {"bounds": [0, M], "owners": [-1]}, "partition: owners[0] is -1, ..."),
    (Partition, {"bounds": [0, 5, 4], "owners": [0, 0]}, "partition: bounds[2] is 4, less than the one before"),
    (Plan, {"comm": comm, "a": (1, 1), "b": columns, "m": M, "n": N}, "a is of type tuple, must be of type Layout"),
])
def test_mistakes_in_layouts_are_errors_where_they_are_made(make, keywords, expected):
    """The end of a sentence about an owner is that of the library."""
    found = message(make, **keywords)
    agree(found == expected or (expected.endswith("...") and found.startswith(expected[:-3])))


def test_partitions_have_any_number_of_intervals():
    agree([Partition([0]).bounds, Partition([0, 3], [2**31 - 2]).owners, Partition([0, 0, 0]).owners] ==
          [[0], [2**31 - 2], None])


@pytest.mark.parametrize("keywords, expected", [
    ({"m": 2.0}, "m is 2.0, must be an integer"),
    ({"trans": "X"}, "trans is 'X', must be N, T, C or R"),
    ({"trans": "NT"}, "trans is 'NT', must be a letter"),
    ({"dtype": "O"}, "dtype is object, must not contain Python objects"),
    ({"dtype": "i8", "dtype_b": "f8"},
     "dtype_b is float64, dtype is int64: only int32, float32, float64, complex64, complex128 can be converted"),
])
def test_mistakes_in_operations(keywords, expected):
    agree(message(Plan, comm, columns, columns, **{"m": M, "n": N, **keywords}) == expected)


def test_mistakes_on_one_process():
    other = comm.Dup()
    layout = (1, 1) if rank == size - 1 else columns
    xredist.set_option(other, "check", 1)
    here, elsewhere = "a is of type tuple, must be of type Layout", f"process {size - 1}: operation is NULL"
    expected = here if rank == size - 1 else elsewhere
    agree(message(Plan, other, layout, columns, m=M, n=N) == expected)
    other.Free()


def test_mistakes_in_arrays():
    rows = Layout(nprow=size, mb=2, nb=N)  # each process has several rows of A and several columns of B
    plan = Plan(comm, rows, columns, m=M, n=N)
    a, b = local(rows, matrix()), empty(columns)
    assert len(a) > 1 and b.shape[1] > 1
    agree(message(plan.execute, a.tolist(), b) == "a is of type list, must be a numpy array")
    agree(message(plan.execute, a.astype("f4"), b) == "a has the dtype float32, the plan has float64")
    agree(message(plan.execute, a.astype(">f8"), b) == "a has the dtype >f8, the plan has float64")
    agree(message(plan.execute, a.ravel(), b) == "a has 1 dimensions, must have 2")
    agree(message(plan.execute, a[:, 1:], b) == f"a has the shape ({len(a)}, 10), must be at least ({len(a)}, 11)")
    agree(message(plan.execute, a.repeat(2, 0)[::2], b)
          == "a is not in Fortran order: its columns are not contiguous; use order='F'")
    agree("b is not in Fortran order" in message(plan.execute, a, np.ascontiguousarray(b)))
    agree("b has strides" in message(plan.execute, a, b[:, ::-1]))
    agree("a is NULL" in message(plan.execute, None, b))
    b.flags.writeable = False
    agree(message(plan.execute, a, b) == "b is read-only")
    b.flags.writeable = True
    agree(message(xredist.start, []) == "count is 0, must be at least 1")
    plan.execute(a, b)  # a mistake starts nothing
    agree((b == local(columns, matrix())).all())


def test_mistakes_in_scalars():
    integers, dates = (Plan(comm, slabs, columns, m=M, n=N, dtype=dtype) for dtype in ("i4", "datetime64[s]"))
    a, b = local(slabs, matrix("i4")), empty(columns, "i4")
    for alpha in (0.5, 1j, 2**31, float("nan")):
        agree(message(integers.execute, a, b, alpha) == f"alpha is {alpha!r}, must be a value of B's dtype int32")
    agree("alpha is 'x'" in message(integers.execute, a, b, "x"))
    agree("beta is [1, 2]" in message(integers.execute, a, b, 1, [1, 2]))
    agree("are only copied" in message(dates.execute, a.astype("datetime64[s]"), b.astype("datetime64[s]"), 2))


@pytest.mark.parametrize("function, arguments, keywords, expected", [
    (Plan, (0, slabs, columns), {"m": M, "n": N}, "comm is of type int, must be a communicator of mpi4py"),
    (Plan, (MPI.COMM_NULL, slabs, columns), {"m": M, "n": N}, "comm is MPI_COMM_NULL"),
    (Plan, (comm, slabs, columns, 4), {}, "operation is of type int, must be of type Operation"),
    (Plan, (comm, slabs, columns, Operation(4, 4)), {"m": 3}, "operation and keywords (m) exclude each other"),
    (xredist.start, ([1],), {}, "jobs[0] is of type int, must be of type Job"),
    (xredist.set_option, (comm, 5, "64M"), {}, "name is of type int, must be of type str"),
    (xredist.relabel, (comm, slabs, None, Operation(M, N)), {}, "b is None, must be of type Layout"),
    (xredist.relabel, (comm, slabs, columns, None), {}, "operation is None, must be of type Operation"),
    (xredist.redistribute, (comm, matrix(), slabs, None), {}, "b is None, must be of type Layout"),
    (xredist.redistribute, (MPI.COMM_NULL, matrix(), slabs, slabs), {}, "comm is MPI_COMM_NULL"),
    (xredist.scatter, (comm, matrix(), slabs), {"root": size},
     f"a.ranks[0] is {size}, must be a rank of the communicator, 0 .. {size - 1}"),
    (xredist.gather, (comm, matrix(), slabs), {"root": 1.0}, "root is 1.0, must be an integer"),
])
def test_mistakes_in_other_arguments(function, arguments, keywords, expected):
    agree(message(function, *arguments, **keywords) == expected)


def test_redistribute_raises_on_all_processes():
    rows = Layout(nprow=size, mb=2, nb=N)
    a, one_column_less = local(rows, matrix()), local(rows, matrix())[:, rank % 2:]
    agree(message(xredist.redistribute, comm, a, rows, slabs) == "no error")
    if size > 1:
        agree("has the shape" in message(xredist.redistribute, comm, one_column_less, rows, slabs))
        agree("has the dtype" in message(xredist.redistribute, comm, a.astype("f4") if rank == 1 else a, rows, slabs))
    agree("numpy array" in message(xredist.redistribute, comm, None if rank == 0 else a, rows, slabs))
    agree("ends at" in message(xredist.redistribute, comm, np.vstack([a, a]), slabs, slabs))


def test_fits_a_layout_there_and_back():
    b = xredist.fit(comm, M, N, slabs, xredist.rules_for("elpa", block=2, blocks=1))
    B = xredist.redistribute(comm, local(slabs, matrix()), slabs, b)
    agree(np.array_equal(B, local(b, matrix())))
    agree(np.array_equal(xredist.redistribute(comm, B, b, slabs), local(slabs, matrix())))
    agree((b.mb, b.nb) == (2, 2) and len(b.ranks) == b.nprow * b.npcol >= max(1, size - 1))
    agree(xredist.fit(comm, M, N, b, xredist.rules_for("elpa", block=2, blocks=1)) == b)
    agree(xredist.fit(comm, M, N, slabs, xredist.Rules(per_node=1)).ranks == [size - 1])  # it has most rows


def test_tells_results_of_the_first_process():
    on_last = Layout(mb=M, nb=N, ranks=[size - 1])
    w = np.full(3, rank, dtype="f8")
    xredist.tell(comm, on_last, w)
    agree(np.array_equal(w, np.full(3, size - 1)))


def test_a_mistake_in_what_is_told_is_raised_on_all_processes():
    here, elsewhere = "array is None, must be a numpy array", f"process {size - 1}: b is NULL"
    agree(message(xredist.tell, comm, slabs, None if rank == size - 1 else np.zeros(3))
          == (here if rank == size - 1 else elsewhere))


@pytest.mark.parametrize("function, arguments, expected", [
    (xredist.fit, (comm, M, N, slabs, "mumps"), 'solver is "mumps", must be one of scalapack, elpa, elpa-gpu, slate, '
                                                'dlaf, cusolvermp'),
    (xredist.fit, (comm, M, N, None), "a is None, must be of type Layout"),
    (xredist.fit, (comm, M, N, slabs, 3), "rules is of type int, must be of type Rules"),
    (xredist.fit, (comm, M, N, slabs, xredist.Rules(grid="X")), "rules.grid is 'X', must be Q, S or A"),
    (xredist.fit, (comm, M, N, slabs, xredist.Rules(power="")), "rules.power is '', must be a letter"),
    (xredist.fit, (comm, M, N, slabs, xredist.Rules(block=1.0)), "rules.block is 1.0, must be an integer"),
    (xredist.tell, (comm, slabs, [1.0]), "array is of type list, must be a numpy array"),
    (xredist.tell, (comm, slabs, np.zeros(4)[::2]), "array must be contiguous and writeable"),
])
def test_mistakes_in_fits(function, arguments, expected):
    agree(message(function, *arguments) == expected)


def test_structures_have_the_sizes_of_c():
    from xredist import _library as c
    sizes = {c.CPartition: 32, c.CLayout: 96, c.COperation: 128, c.CPlanInfo: 128, c.CJob: 96, c.CRules: 128,
             c.CAxis: 40, c.CArrayLayout: 64, c.CArrayOperation: 80}
    assert {struct: ctypes.sizeof(struct) for struct in sizes} == sizes
    c.library.xredist_version.restype = ctypes.c_char_p
    assert c.library.xredist_version().decode() == xredist.__version__
