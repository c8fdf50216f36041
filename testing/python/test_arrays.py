# SPDX-License-Identifier: BSD-3-Clause
"""Plans of arrays of any number of dimensions, compared with a model in numpy that knows the owner of each element
along each axis."""
import copy
import dataclasses
import pickle
import re
import tempfile

import numpy as np
import pytest
import xredist
from mpi4py import MPI
from test_xredist import agree, comm, message, rank, size
from xredist import ArrayLayout, ArrayOperation, DistributedArray, Layout, Partition, Plan
from xredist._redistribute import order_of

CASES = 120
SHAPE = (6, 7, 9)
DTYPES = ["i1", "i2", "S3", "U2", "V5", "f4", "f8", "c16", ">f8", "datetime64[s]", "?", [("x", "i1"), ("y", "f8")]]

slabs = ArrayLayout("(BLOCK, *, *)", grid=(size, 1, 1))
others = ArrayLayout("(*, *, CYCLIC(2))", grid=(1, 1, size))


# ---- the model

def owners(axis, procs, source, n):
    """Returns the process of each element of an axis."""
    elements = np.arange(n)
    if isinstance(axis, Partition):
        return np.repeat(range(len(axis.bounds) - 1) if axis.owners is None else axis.owners, np.diff(axis.bounds))[:n]
    if axis in ("*", "BLOCK"):
        return (elements // max(-(-n // procs), 1) + source) % procs
    if axis == "EVEN":
        return np.repeat(range(procs), [len(part) for part in np.array_split(elements, procs)])
    return (elements // int(re.fullmatch(r"CYCLIC\((\d+)\)", axis)[1]) + source) % procs


def held(layout, whole, process=rank):
    """Returns the indices along each axis that a process holds; `layout` has a sequence of axes."""
    ranks = list(layout.ranks or range(np.prod(layout.grid) * layout.copies))
    if process not in ranks:
        return tuple(np.arange(0) for _ in whole)
    position = np.unravel_index(ranks.index(process) % np.prod(layout.grid), layout.grid)
    sources = layout.sources or [0] * len(whole)
    return tuple(np.flatnonzero(owners(axis, procs, source, n) == mine)
                 for axis, procs, source, n, mine in zip(layout.axes, layout.grid, sources, whole, position))


def random_partition(rng, n, procs):
    cuts = np.sort(rng.integers(0, n + 1, size=rng.integers(0, 4))).tolist()
    return Partition([0, *cuts, n], rng.integers(0, procs, size=len(cuts) + 1).tolist())


def random_layout(rng, whole):
    axes, grid, left = [], [], size
    for n in whole:
        procs = int(rng.integers(1, left + 1)) if rng.integers(2) else 1
        left //= procs
        grid.append(procs)
    grid = [grid[k] for k in rng.permutation(len(grid))]
    for n, procs in zip(whole, grid):
        kinds = ["BLOCK", "EVEN", f"CYCLIC({rng.integers(1, 4)})", random_partition(rng, n, procs)]
        kinds += ["*"] * (procs == 1)
        axes.append(kinds[rng.integers(len(kinds))])
    sources = [0 if axis == "EVEN" else int(rng.integers(procs)) for axis, procs in zip(axes, grid)]
    order = ["C", "F", rng.permutation(len(whole)).tolist()][rng.integers(3)]
    copies = int(rng.integers(1, size // np.prod(grid) + 1)) if rng.integers(3) == 0 else 1
    return ArrayLayout(axes, grid, whole, order, rng.permutation(size)[:np.prod(grid) * copies].tolist(), sources, copies)


def random_elements(rng, shape, dtype):
    dtype = np.dtype(dtype)
    return np.frombuffer(rng.bytes(int(np.prod(shape)) * dtype.itemsize), dtype).reshape(shape)


def anywhere(rng, array):
    """Returns an array with these elements, at random strides, and the memory around it."""
    order, steps, gaps = rng.permutation(array.ndim), rng.integers(1, 3, array.ndim), rng.integers(0, 3, array.ndim)
    memory = np.zeros([max(array.shape[k], 1) * steps[k] + gaps[k] for k in order], dtype=array.dtype)
    view = memory.transpose(np.argsort(order))[tuple(slice(0, n * step, step) for n, step in zip(array.shape, steps))]
    view[...] = array
    return view, memory


def same(x, y):
    return x.dtype == y.dtype and x.shape == y.shape and x.tobytes() == y.tobytes()


# ---- what moves

@pytest.mark.parametrize("dims", [1, 2, 3, 4, 5])
def test_random_arrays(dims):
    """Subarrays, orders and strides of all kinds, and elements of any size; gaps keep what they have."""
    rng = np.random.default_rng([20261125, dims])
    longest = [0, 90, 20, 10, 6, 5][dims]
    for case in range(CASES // 5):
        shape = [0 if rng.integers(30) == 0 else int(rng.integers(1, longest)) for _ in range(dims)]
        first_a, first_b = (rng.integers(0, 4, dims).tolist() for _ in "ab")
        wholes = [[i + n + int(rng.integers(3)) for i, n in zip(first, shape)] for first in (first_a, first_b)]
        a, b = (random_layout(rng, whole) for whole in wholes)
        dtype = DTYPES[rng.integers(len(DTYPES))]
        whole_a, whole_b = (random_elements(rng, whole, dtype) for whole in wholes)
        expected = whole_b.copy()
        expected[tuple(slice(i, i + n) for i, n in zip(first_b, shape))] = \
            whole_a[tuple(slice(i, i + n) for i, n in zip(first_a, shape))]
        local_a, _ = anywhere(rng, whole_a[np.ix_(*held(a, whole_a.shape))])
        local_b, memory = anywhere(rng, whole_b[np.ix_(*held(b, whole_b.shape))])
        with Plan(comm, a, b, shape=shape, dtype=dtype, first_a=first_a, first_b=first_b) as plan:
            before = memory.copy()
            plan.execute(local_a, local_b)
            for least, layout, whole, first in ((plan._size_a, a, wholes[0], first_a),
                                                (plan._size_b, b, wholes[1], first_b)):
                mine = held(layout, whole)
                has_part = all(((k >= i) & (k < i + n)).any() for k, i, n in zip(mine, first, shape))
                assert least == (tuple(map(len, mine)) if has_part else (0,) * dims)
        right = same(local_b, expected[np.ix_(*held(b, whole_b.shape))])
        local_b[...] = whole_b[np.ix_(*held(b, whole_b.shape))]
        assert comm.allreduce(right and same(memory, before), op=MPI.LAND), f"case {case}"


@pytest.mark.parametrize("dims", [1, 3, 6])
def test_local_shapes_and_indices(dims):
    rng = np.random.default_rng(dims)
    for _ in range(20):
        whole = rng.integers(0, 9, dims).tolist()
        layout = random_layout(rng, whole)
        for process in range(-1, size + 1):
            expected = held(layout, whole, process)
            found = layout.indices(whole, process)
            assert layout.local_shape(whole, process) == tuple(map(len, expected))
            assert all(x.dtype == np.int64 and (x == y).all() for x, y in zip(found, expected))


def local(layout, array):
    return array[np.ix_(*layout.indices(array.shape, rank))]


def numbers(dtype="f8", shape=SHAPE):
    return np.arange(np.prod(shape)).reshape(shape).astype(dtype)


def test_arrays_without_a_shape_end_with_the_subarray():
    n = (4, 5, 6)
    with Plan(comm, slabs, others, shape=n, first_a=(2, 0, 3)) as plan:  # BLOCK divides 6 x 5 x 9 elements
        whole = numbers(shape=(6, 5, 9))
        b = np.zeros(others.local_shape(n, rank))
        plan.execute(local(slabs, whole), b)
    agree((b == local(others, whole[2:, :, 3:])).all())


def test_converts_scales_adds_and_conjugates():
    a, b = local(slabs, numbers("f4")), np.ones(others.local_shape(SHAPE, rank))
    plan = Plan(comm, slabs, others, ArrayOperation(SHAPE, "f4", "f8"))
    plan.execute(a, b, alpha=2, beta=-0.5)
    agree((b == local(others, 2 * numbers() - 0.5)).all())
    z = np.zeros(b.shape, complex)
    Plan(comm, slabs, others, shape=SHAPE, dtype=complex, conj=True).execute(a.astype(complex) * (1 + 2j), z)
    agree((z == local(others, numbers() * (1 - 2j))).all())


def test_options_of_one_plan():
    least, other = (Plan(comm, slabs, others, shape=SHAPE, options=options) for options in ("buffer=512K", None))
    agree("packets of 64 KB" in least.describe() and "packets of 64 KB" not in other.describe())
    agree("buffer=much: " in message(Plan, comm, slabs, others, shape=SHAPE, options="buffer=much"))
    agree(message(Plan, comm, slabs, others, shape=SHAPE, options=5) == "options is of type int, must be of type str")


def test_transposed_views():
    """Axes are permuted by views of numpy."""
    permuted = ArrayLayout("(*, BLOCK, *)", grid=(1, size, 1), order=(2, 0, 1))
    plan = Plan(comm, ArrayLayout("(*, *, BLOCK)", grid=(1, 1, size)), permuted, shape=SHAPE[::-1], dtype="i2")
    b = np.zeros(permuted.local_shape(SHAPE[::-1], rank), "i2")
    plan.execute(local(slabs, numbers("i2")).T, b)
    agree((b == local(permuted, numbers("i2").T)).all())


def test_starts_batches_and_tunes():
    there = Plan(comm, slabs, others, shape=SHAPE, options="route=direct")  # meshes send elements twice
    back = Plan(comm, others, slabs, shape=SHAPE)
    a, b, d = local(slabs, numbers()), *(np.zeros(layout.local_shape(SHAPE, rank)) for layout in (others, slabs))
    c = local(others, numbers())
    with xredist.start([there.job(a, b), back.job(c, d, alpha=3)]) as request:
        request.wait(0)
        agree((b == c).all())
    agree((d == 3 * a).all())
    b[...] = 0
    there.tune(a, b)
    agree((b == c).all() and ("; measured: " in there.describe()) == (size > 1))
    info = there.query()
    agree(info.bytes_sent + info.bytes_kept == 8 * a.size)
    agree(repr(there) == f"<xredist.Plan of 6 x 7 x 9 elements, float64, {size} x 1 x 1 to 1 x 1 x {size} processes>")


def test_matrices_of_layouts_can_be_mixed_in_a_batch():
    rows, columns = Layout(nprow=size, mb=1, nb=4), Layout(npcol=size, mb=4, nb=1)
    A = xredist.DistributedMatrix.from_function(comm, lambda i, j: 10.0 * i + j, (4, 4), rows)
    B = xredist.DistributedMatrix.zeros(comm, (4, 4), columns)
    b = np.zeros(others.local_shape(SHAPE, rank))
    plan = Plan(comm, slabs, others, shape=SHAPE)
    xredist.start([A.plan(B).job(A, B), plan.job(local(slabs, numbers()), b)]).wait()
    agree((b == local(others, numbers())).all())
    agree((B.local == 10 * np.arange(4)[:, None] + B.indices()[1]).all())


def test_ignores_arrays_of_processes_without_a_part():
    on_first = ArrayLayout("(*, *)", grid=(1, 1), shape=(3, 2), ranks=[0])
    b = np.zeros((3, 2), "i1") if rank == 0 else None
    Plan(comm, on_first, on_first, shape=(3, 2), dtype="i1").execute(None if rank else np.ones((3, 2), "i1"), b)
    agree(rank > 0 or b.all())
    n, b = (1, 7, 9), np.zeros(others.local_shape((1, 7, 9), rank))  # process 0 has all of the first plane
    plan = Plan(comm, ArrayLayout("(BLOCK, *, *)", (size, 1, 1), shape=SHAPE), others, shape=n)
    plan.execute(local(slabs, numbers()) if rank == 0 else None, b)
    agree((b == local(others, numbers()[:1])).all())


# ---- redistribute, scatter and gather

@pytest.mark.parametrize("dims", [1, 2, 3, 6])
def test_redistributes_random_arrays(dims):
    rng = np.random.default_rng([5, dims])
    for case in range(12):
        shape = [int(rng.integers(1, [0, 90, 20, 10, 0, 0, 5][dims])) for _ in range(dims)]
        a, b = random_layout(rng, shape), random_layout(rng, shape)
        dtype = DTYPES[rng.integers(len(DTYPES))]
        whole = random_elements(rng, shape, dtype)
        given, _ = anywhere(rng, whole[np.ix_(*held(a, shape))])
        if rng.integers(2):
            given = np.ascontiguousarray(given[::-1])[::-1]  # negative strides
        found = xredist.redistribute(comm, given, a, b)
        slowest_first = list(b._order("b", dims))[::-1]
        right = same(found, whole[np.ix_(*held(b, shape))]) and found.transpose(slowest_first).flags.c_contiguous
        out, _ = anywhere(rng, np.zeros_like(found))
        right = right and xredist.redistribute(comm, given, a, b, out=out) is out and same(out, found)
        gathered = xredist.gather(comm, found, b, root=size - 1)
        right = right and (gathered is None if rank < size - 1 else same(gathered, whole))
        right = right and same(xredist.scatter(comm, gathered, a, root=size - 1), given.copy())
        assert comm.allreduce(right, op=MPI.LAND), f"case {case}"


def test_redistribute_converts_conjugates_and_takes_lists():
    z = xredist.redistribute(comm, local(slabs, numbers("c8") * 1j), slabs, others, dtype_b="c16", trans="r")
    agree(z.dtype == "c16" and (z == local(others, numbers("c16") * -1j)).all())
    part = xredist.scatter(comm, [[[1, 2]], [[3, 4]]] if rank == 0 else None, others)
    agree((part == local(others, np.array([[[1, 2]], [[3, 4]]]))).all())


def test_the_whole_array_on_every_process():
    whole = np.arange(np.prod(SHAPE), dtype=float).reshape(SHAPE)
    A = DistributedArray.from_local(comm, whole[np.ix_(*slabs.indices(SHAPE, rank))], slabs)
    everywhere = ArrayLayout("(*, *, *)", grid=(1, 1, 1), copies=size)
    B = A.redistribute(everywhere)
    assert same(B.local, whole)
    assert "copies" in repr(B) or size == 1
    if rank > 0:
        B.local[...] = -1  # nobody reads the other copies
    assert same(B.redistribute(slabs).local, A.local)


def test_the_order_of_an_array():
    for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0), (2, 0, 1)):
        array = ArrayLayout("(*, *, *)", (1, 1, 1), order=order)._zeros(SHAPE, np.dtype("i2"))
        assert order_of(array) == order and array.shape == SHAPE
    assert order_of(np.zeros((1, 1, 4))) == order_of(np.zeros((0, 3, 4))) == (2, 1, 0)


def test_mistakes_in_redistribute():
    a, last = local(slabs, numbers()), size - 1

    def found(array=a, source=slabs, target=others, **keywords):
        return message(xredist.redistribute, comm, array, source, target, **keywords)

    agree(found(target=Layout(mb=1, nb=1)) == "b is of type Layout, must be of type ArrayLayout")
    agree(found(source=Layout(mb=1, nb=1)) == "a is of type Layout, must be of type ArrayLayout")
    agree(found(target=ArrayLayout("(*, *)", (1, 1))) == "b has 2 axes, a has 3")
    agree(found(trans="T") == "trans is 'T', must be N or R: the array is no matrix in a Layout")
    agree(found(uplo="U") == "uplo is 'U', must be A: the array is no matrix in a Layout")
    agree(found(target=ArrayLayout("(*, *, *)", (1, 1, 1), shape=(6, 7, 10)))
          == "b has the shape (6, 7, 10), the array has (6, 7, 9)")
    agree(found(source=ArrayLayout("(EVEN, *, *)", (size, 1, 1), shape=(6 * size, 7, 9)))
          == f"array on rank {last} has the shape {comm.bcast(a.shape, last)}, must be (6, 7, 9) of {6 * size} x 7 x 9"
          or size == 1)
    # on one process
    agree(found(a[:, 1:] if rank == last else a).startswith(f"array on rank {last} has the shape") or size == 1)
    agree(found(np.zeros((2, 2)) if rank == last else a)
          == f"array on rank {last} has 2 dimensions, must be a numpy array with 3 dimensions")
    wrong = ("" if rank == last else f"process {last}: ") + f"a.ranks[0] is {size}, must be a rank"
    outside = ArrayLayout("(*, *, *)", (1, 1, 1), ranks=[size])
    agree(found(source=outside if rank == last else slabs).startswith(wrong))
    agree(found(target=None if rank == last else others)
          == ("" if rank == last else f"process {last}: ") + "b is None, must be of type ArrayLayout")
    out = np.zeros(others.local_shape(SHAPE, rank))
    agree(found(out=out[:, ::-1] if rank == 0 else out).startswith("out on rank 0 has strides of"))
    agree("overlaps array" in message(xredist.redistribute, comm, a, slabs, slabs, out=a[:]))


def test_a_mistake_in_a_layout_of_matrices_on_one_process_is_an_error_on_all():
    rows, last = Layout(nprow=size, mb=1, nb=4), size - 1
    outside = Layout(mb=1, nb=1, ranks=[size])
    found = message(xredist.redistribute, comm, np.ones((1, 4)), outside if rank == last else rows, rows)
    agree(found.startswith(("" if rank == last else f"process {last}: ") + f"a.ranks[0] is {size}, must be a rank"))


# ---- relabelling

def test_relabelled_pencils_keep_a_half():
    """x- to z-pencils of 8 x 8 x 8 elements on 2 x 2 processes keep 128 of 512, and 256."""
    if size < 4:
        pytest.skip("needs 4 processes")
    a, b = ArrayLayout("(*, BLOCK, BLOCK)", grid=(1, 2, 2)), ArrayLayout("(BLOCK, BLOCK, *)", grid=(2, 2, 1))
    ranks, kept, before = xredist.relabel(comm, a, b, ArrayOperation((8, 8, 8)))
    agree((kept, before) == (0.5, 0.25) and sorted(ranks) == [0, 1, 2, 3])
    better = dataclasses.replace(b, ranks=ranks)
    with Plan(comm, a, better, ArrayOperation((8, 8, 8))) as plan:
        agree(comm.allreduce(plan.query().bytes_kept) == 256 * 8)
    agree(message(xredist.relabel, comm, a, Layout(mb=1, nb=1), ArrayOperation((8, 8, 8)))
          == "b is of type Layout, must be of type ArrayLayout")
    agree(message(xredist.relabel, comm, a, b, xredist.Operation(m=8, n=8))
          == "operation is of type Operation, must be of type ArrayOperation")
    agree(message(xredist.relabel, comm, a, b, ArrayOperation((8, 8))) == "shape has 2 entries, a has 3 axes")


# ---- files

@pytest.fixture
def folder():
    """The name of a folder, equal on all processes."""
    made = tempfile.TemporaryDirectory() if rank == 0 else None
    yield comm.bcast(made.name if rank == 0 else None)
    comm.Barrier()
    if rank == 0:
        made.cleanup()


@pytest.mark.parametrize("seed", range(40))
def test_numpy_loads_and_saves_the_same_files(folder, seed):
    """The elements of random arrays, written from any layout and strides, and read in any other."""
    rng = np.random.default_rng(seed)
    dims = int(rng.integers(1, 7))
    whole = tuple(int(n) for n in rng.integers(0 if seed % 10 == 0 else 1, (0, 60, 20, 12, 7, 5, 4)[dims], dims))
    dtype = np.dtype([dtype for dtype in DTYPES if isinstance(dtype, str)][seed % (len(DTYPES) - 1)])
    array = random_elements(rng, whole, dtype) if dtype.kind in "iSUV?" else rng.integers(99, size=whole).astype(dtype)
    a, b = random_layout(rng, whole), random_layout(rng, whole)
    name = f"{folder}/u"
    xredist.save(comm, name, anywhere(rng, array[np.ix_(*held(a, whole))])[0], a)
    comm.Barrier()
    loaded = np.load(name + ".npy")
    agree(loaded.dtype == dtype and loaded.tobytes() == array.tobytes())
    in_columns = dims > 1 and list(a._order("a", dims)) == list(range(dims))
    agree(xredist._files._query(comm, name + ".npy", True) == (whole, dtype, "F" if in_columns else "C"))
    if rank == 0:
        np.save(name, np.asarray(array, order="CF"[seed % 2]))
    comm.Barrier()
    part = xredist.load(comm, name + ".npy", b)
    agree(part.dtype == dtype and part.tobytes() == array[np.ix_(*held(b, whole))].tobytes())
    out = anywhere(rng, np.zeros_like(part))[0]
    agree(xredist.load(comm, name + ".npy", b, out=out) is out and out.tobytes() == part.tobytes())


def test_a_file_of_a_distributed_array(folder):
    A = DistributedArray.from_function(comm, formula, SHAPE, slabs)
    A.save(f"{folder}/u", dtype="f4")
    B = DistributedArray.load(comm, f"{folder}/u.npy", others, dtype=complex)
    agree(B.shape == SHAPE and B.dtype == complex and (B.local == formula(*np.ix_(*B.indices()))).all())
    agree(xredist.file_info(comm, f"{folder}/u.npy") == (SHAPE, np.dtype("f4"), "C"))
    told = []
    xredist.save(comm, f"{folder}/v", A.local, slabs, progress=lambda done, whole: told.append((done, whole)))
    agree(told[-1] == (8 * 6 * 7 * 9,) * 2)
    xredist.save(comm, f"{folder}/v", A.local.astype("f4"), slabs, dtype_in_file="f8")
    agree(xredist.load(comm, f"{folder}/v.npy", slabs).dtype == "f8")


def test_numpys_array_without_dimensions_has_one_element(folder):
    if rank == 0:
        np.save(f"{folder}/one.npy", 7.0)
    comm.Barrier()
    one = xredist.load(comm, f"{folder}/one.npy", ArrayLayout("(BLOCK)", grid=(size,)))
    agree(one.tolist() == ([7.0] if rank == 0 else []))


def test_errors_of_files_are_raised_on_all_processes(folder):
    name, last = f"{folder}/u.npy", size - 1
    if rank == 0:
        np.save(name, np.zeros(SHAPE))
    comm.Barrier()
    for layout, rule in ((ArrayLayout("(BLOCK, *)", grid=(size, 1)), "layout has 2 axes"),
                         (Layout(mb=1, nb=1), "must have at most 2")):
        with pytest.raises(xredist.FileError) as raised:
            xredist.load(comm, name, layout)
        agree(str(raised.value) == f"{name}: has an array with 3 dimensions, {rule}")
    agree(message(xredist.load, comm, name, ArrayLayout("(BLOCK, *, *)", (size, 1, 1), shape=(6, 7, 8)))
          == "layout.shape is (6, 7, 8), the array in the file has the shape (6, 7, 9)")
    agree("must be of type ArrayLayout"
          in message(DistributedArray.load, comm, name, Layout(mb=1, nb=1) if rank == last else slabs)
          or rank != last)
    out = np.zeros(others.local_shape(SHAPE, rank))
    out.flags.writeable = rank != last
    agree(message(lambda: xredist.load(comm, name, others, out=out))
          == (f"out on rank {last} is read-only" if rank == last else f"process {last}: file is NULL"))
    small = np.zeros((1, 1, 1))
    agree(message(xredist.save, comm, name, small if rank == last else np.zeros(slabs.local_shape(SHAPE, rank)), slabs)
          .startswith(f"array on rank {last} has the shape") or size == 1)
    structured = np.zeros(slabs.local_shape(SHAPE, rank), [("x", "f8")])
    agree("members" in message(xredist.save, comm, name, structured, slabs))


# ---- DistributedArray

def formula(i, j, k):
    return 100.0 * i + 10 * j + k


def test_distributed_arrays():
    A = DistributedArray.from_function(comm, formula, SHAPE, slabs)
    whole = formula(*np.ogrid[:6, :7, :9])
    agree((A.local == local(slabs, whole)).all() and all((x == y).all() for x, y in zip(A.indices(), held(
        ArrayLayout(["BLOCK", "*", "*"], (size, 1, 1)), SHAPE))))
    B = A.redistribute(others, dtype="c16")
    agree((B.shape, B.layout, B.dtype) == (SHAPE, others, np.dtype("c16")) and (B.local == local(others, whole)).all())
    C = DistributedArray.zeros(comm, SHAPE, slabs, "c16")
    agree(B.redistribute(out=C, conj=True) is C and (C.local == A.local).all())
    with A.plan(B) as plan:
        plan.execute(A, B, beta=2.0)
    agree((B.local == local(others, 3 * whole)).all())
    gathered = A.gather(root=size - 1)
    agree((gathered == whole).all() if rank == size - 1 else gathered is None)
    D = DistributedArray.scatter(comm, gathered, others, root=size - 1)
    agree(D.shape == SHAPE and (D.local == local(others, whole)).all())
    E = DistributedArray.from_local(comm, D.local[:, ::-1], others)
    agree(E.shape == SHAPE and (E.local == local(others, whole[:, ::-1])).all() and min(E.local.strides) >= 0)
    kept = DistributedArray.from_local(comm, D.local, others).local
    agree(np.shares_memory(kept, D.local) or kept.size == 0)
    agree(repr(A) == f"<xredist.DistributedArray of 6 x 7 x 9 elements, float64, {size} x 1 x 1 processes>")


@pytest.mark.parametrize("make, expected", [
    (lambda A: A.redistribute(), "layout is None, must be of type ArrayLayout"),
    (lambda A: A.redistribute(slabs, out=A), "out excludes layout and dtype, which are those of out"),
    (lambda A: A.redistribute(out=A), "out is this array, must be another one"),
    (lambda A: A.redistribute(out=DistributedArray.zeros(comm, (6, 7, 8), slabs)),
     "out has the shape (6, 7, 8), must have (6, 7, 9)"),
    (lambda A: A.plan(A.local), "to is of type ndarray, must be of type DistributedArray"),
    (lambda A: DistributedArray.zeros(comm, (6, 7), slabs), "shape has 2 entries, must have 3, one for each axis"),
    (lambda A: DistributedArray.zeros(comm, 6, slabs), "shape must be a sequence of integers"),
    (lambda A: DistributedArray.zeros(comm, SHAPE, Layout(mb=1, nb=1)),
     "layout is of type Layout, must be of type ArrayLayout"),
    (lambda A: DistributedArray.zeros(comm, SHAPE, ArrayLayout("(*, *, *)", (1, 1, 1), shape=(6, 7, 8))),
     "shape is (6, 7, 9), layout.shape is (6, 7, 8)"),
    (lambda A: DistributedArray(comm, SHAPE, ArrayLayout("(*, *, *)", (1, 1, 1)), np.zeros((6, 7, 8))),
     f"local has the shape (6, 7, 8), must have {(0, 0, 0) if rank else (6, 7, 9)}"),
    (lambda A: DistributedArray.from_function(comm, lambda i, j, k: np.zeros((2, 70, 3)), SHAPE, slabs),
     f"function returns the shape (2, 70, 3), must broadcast to {slabs.local_shape(SHAPE, rank)}"),
    (lambda A: A.plan(DistributedArray.zeros(comm, SHAPE, others)).execute(A, A.redistribute(slabs)),
     f"b has the layout {slabs}, the plan has {others}"),
])
def test_mistakes_in_distributed_arrays(make, expected):
    A = DistributedArray.from_function(comm, formula, SHAPE, slabs)
    agree(message(make, A) == expected)


def test_mistakes_in_the_kind_of_a_layout_on_one_process():
    wrong, last = Layout(mb=1, nb=1), size - 1
    for make in (lambda layout: DistributedArray.from_local(comm, local(slabs, numbers()), layout),
                 lambda layout: DistributedArray.scatter(comm, numbers() if rank == 0 else None, layout)):
        agree(message(make, wrong if rank == last else slabs) == ("" if rank == last else f"process {last}: ")
              + "layout is of type Layout, must be of type ArrayLayout")
        make(slabs)


# ---- values

def test_layouts_are_values():
    one = ArrayLayout("(BLOCK, CYCLIC, *)", grid=(2, 3, 1))
    for other in (ArrayLayout(["block", "cyclic(1)", "BLOCK"], [2, 3, 1]), pickle.loads(pickle.dumps(one)),
                  ArrayLayout("( block,Cyclic ( 1 ) , * )", np.array([2, 3, 1]), order=(2, 1, 0), ranks=range(6)),
                  copy.copy(one), ArrayLayout("(BLOCK, CYCLIC, *)", (2, 3, 1), sources=[0, 0, 0])):
        assert one == other and hash(one) == hash(other)
    for other in (ArrayLayout("(EVEN, CYCLIC, *)", (2, 3, 1)),
                  ArrayLayout("(BLOCK, CYCLIC, *)", (2, 3, 1), (4, 4, 4)),
                  ArrayLayout("(BLOCK, CYCLIC, *)", (2, 3, 1), order="F"), 5,
                  ArrayLayout("(BLOCK, CYCLIC, *)", (2, 3, 1), ranks=[1, 0, 2, 3, 4, 5])):
        assert one != other
    assert ArrayLayout(["*", Partition([0, 3, 9])], (1, 2)) == ArrayLayout(("*", Partition((0, 3, 9), (0, 1))), [1, 2])
    assert eval(repr(one)) == one
    assert repr(one).startswith("ArrayLayout(axes='(BLOCK, CYCLIC, *)', grid=(2, 3, 1), shape=None, order='C'")


# ---- mistakes

@pytest.mark.parametrize("arguments, keywords, expected", [
    (("(BLOCK, CYKLIC(3), *)", (1, 1, 1)), {}, "layout: pattern is '(BLOCK, CYKLIC(3), *)': ..."),
    (("(BLOK, *)", (8, 1)), {}, "layout: pattern is '(BLOK, *)': ..."),
    (("(BLOCK, *, *", (1, 1, 1)), {}, "layout: pattern is '(BLOCK, *, *': ..."),
    (("(BLOCK, *)", (8,)), {}, "layout.grid has 1 entries, must have 2, one for each axis"),
    (("(BLOCK, *, *)", (1, 2, 1)), {}, "layout: grid[1] is 2, must be 1: the axis is not distributed"),
    (("(BLOCK, *, *)", 3), {}, "layout.grid must be a sequence of integers"),
    ((5, (1, 1, 1)), {},
     "layout.axes is of type int, must be a string such as '(*, BLOCK)', or a sequence of strings and Partitions"),
    ((["*", 3, "*"], (1, 1, 1)), {}, "layout.axes[1] is of type int, must be a string or a Partition"),
    ((["*", Partition([0, 3], [1]), "*"], (1, 1, 1)), {}, "layout.axes[1].partition: owners[0] is 1, ..."),
    (("(*, *, *)", (1, 1, 1)), {"order": "A"},
     "layout.order is 'A', must be 'C', 'F', or the axes from the fastest to the slowest"),
    (("(*, *, *)", (1, 1, 1)), {"order": (0, 1)}, "layout.order has 2 entries, must have 3, one for each axis"),
    (("(*, *, *)", (1, 1, 1)), {"order": (0, 2, 2)}, "layout.order[2] is 2, an axis that comes before"),
    (("(*, *, *)", (1, 1, 1)), {"ranks": [0, 1]}, "layout.ranks has 2 entries, must have 1"),
    (("(*, *, *)", (1, 1, 1)), {"sources": [0, 1, 0]}, "layout.axes[1].source is 1, must be in 0 .. 0"),
    (("(*, *, *)", (1, 1, 1)), {"shape": (6, 7)}, "layout.shape has 2 entries, must have 3, one for each axis"),
    (("(*, *, *)", (1, 1, 1)), {"copies": -1}, "layout.copies is -1, must be at least 1, or 0 for 1"),
    (("(" + "*, " * 15 + "*)", (1,) * 16), {}, "layout: dims is 16, must be in 1 .. 15"),
])
def test_mistakes_in_layouts_are_errors_where_they_are_made(arguments, keywords, expected):
    """The end of a sentence about a pattern or an owner is that of the library."""
    found = message(ArrayLayout, *arguments, **keywords)
    agree(found == expected or (expected.endswith("...") and found.startswith(expected[:-3])))


@pytest.mark.parametrize("layout, expected", [
    (ArrayLayout("(BLOCK, BLOCK, *)", (size, 2, 1)),
     f"a.axes[1].procs is 2: with a.axes[0].procs = {size} the grid needs more than the {size} processes of the "
     "communicator"),
    (ArrayLayout(["*", Partition([0, 3]), "*"], (1, 1, 1)),
     "shape[1] is 7: with first_a[1] = 0 it reaches beyond a.axes[1], which ends at 3"),
    (ArrayLayout("(*, *, *)", (1, 1, 1), ranks=[size]),
     f"a.ranks[0] is {size}, must be a rank of the communicator, 0 .. {size - 1}"),
    (ArrayLayout("(*, *, *)", (1, 1, 1), shape=(6, 7, 8)),
     "shape[2] is 9: with first_a[2] = 0 it reaches beyond a.shape[2], which ends at 8"),
    (Layout(mb=1, nb=1), "a is of type Layout, must be of type ArrayLayout"),
    (ArrayLayout("(*, *)", (1, 1)), "shape has 3 entries, a has 2 axes"),
])
def test_mistakes_in_layouts(layout, expected):
    agree(message(Plan, comm, layout, others, shape=SHAPE) == expected)


@pytest.mark.parametrize("keywords, expected", [
    ({"shape": (6, 7)}, "shape has 2 entries, a has 3 axes"),
    ({"shape": 6}, "shape must be a sequence of integers"),
    ({"shape": (6, 7, -1)}, "operation.shape[2] is -1, must be at least 0"),
    ({"shape": (6, 7, 2.5)}, "shape must be a sequence of integers"),
    ({"first_a": (0, -1, 0)}, f"first_a[1] is -1, must be in 0 .. {2**40 - 1}"),
    ({"first_b": (0, 1)}, "first_b has 2 entries, must have 3, one for each axis"),
    ({"conj": "R"}, "conj is of type str, must be of type bool"),
    ({"dtype": "O"}, "dtype is object, must not contain Python objects"),
    ({"dtype": "i8", "dtype_b": "f8"},
     "dtype_b is float64, dtype is int64: only int32, float32, float64, complex64, complex128 can be converted"),
])
def test_mistakes_in_operations(keywords, expected):
    agree(message(Plan, comm, slabs, others, **{"shape": SHAPE, **keywords}) == expected)


def test_mistakes_in_both_layouts():
    agree(message(Plan, comm, slabs, ArrayLayout("(*, *)", (1, 1)), shape=SHAPE) == "b has 2 axes, a has 3")
    agree(message(Plan, comm, slabs, None, shape=SHAPE) == "b is None, must be of type ArrayLayout")
    agree(message(Plan, comm, slabs, others, xredist.Operation(3, 4))
          == "operation is of type Operation, must be of type ArrayOperation")
    agree(message(slabs.local_shape, SHAPE[:2], 0) == "shape has 2 entries, must have 3, one for each axis")


def test_mistakes_in_arrays():
    whole = ArrayLayout("(BLOCK, *, *)", (size, 1, 1), shape=(2 * size, 7, 9))
    plan = Plan(comm, whole, ArrayLayout("(*, *, BLOCK)", (1, 1, size)), shape=(2 * size, 7, 9))
    a, b = np.zeros((2, 7, 9)), np.zeros(plan.b.local_shape((2 * size, 7, 9), rank))
    agree(message(plan.execute, a.tolist(), b) == "a is of type list, must be a numpy array")
    agree(message(plan.execute, a.astype("f4"), b) == "a has the dtype float32, the plan has float64")
    agree(message(plan.execute, a[0], b) == "a has 2 dimensions, must have 3")
    agree(message(plan.execute, a[:, :, :-1], b) == "a has the shape (2, 7, 8), must have (2, 7, 9)")
    agree(message(plan.execute, np.zeros((2, 7, 10)), b) == "a has the shape (2, 7, 10), must have (2, 7, 9)")
    agree(message(plan.execute, a[:, ::-1], b)
          == "a has strides of (504, -72, 8) bytes: that of axis 1 is negative; pass a copy")
    members = np.zeros((2, 7, 9), dtype=[("x", "f8"), ("y", "i4")])["x"]
    agree(message(plan.execute, members, b) == "a has strides of (756, 108, 12) bytes: that of axis 0 is not a "
                                               "multiple of 8, the bytes of an element; pass a copy")
    if b.size:
        assert message(plan.execute, a, b[:, :-1]) == f"b has the shape {b[:, :-1].shape}, must be at least {b.shape}"
        assert message(plan.execute, a, None) == "b is NULL on a process that holds a part of it"
        aliased = np.lib.stride_tricks.as_strided(b, b.shape, (b.strides[0], 0, b.strides[2]))
        assert message(plan.execute, a, aliased) == "strides_b[1] is 0: elements of B would share memory"
        b.flags.writeable = False
        assert message(plan.execute, a, b) == "b is read-only"
        b.flags.writeable = True
    plan.execute(np.broadcast_to(1.0, a.shape), b)  # a mistake starts nothing, and A may repeat an element
    agree((b == 1).all())


def test_mistakes_on_one_process():
    other = comm.Dup()
    xredist.set_option(other, "check", 1)
    for layout, here in (((1, 1), "a is of type tuple, must be of type ArrayLayout"),
                         (Layout(mb=1, nb=1), "a is of type Layout, must be of type ArrayLayout")):
        found = message(Plan, other, layout if rank == size - 1 else slabs, others, shape=SHAPE)
        agree(found.startswith(here) if rank == size - 1 else found == f"process {size - 1}: operation is NULL")
    plan = Plan(other, slabs, others, shape=SHAPE)
    a, b = local(slabs, numbers()), np.zeros(others.local_shape(SHAPE, rank))
    found = message(plan.tune, a, b.astype("f4") if rank == 0 else b)
    agree(found.startswith("b has the dtype float32" if rank == 0 else "process 0: job is NULL"))
    if size > 1:
        unequal = ArrayLayout("(*, *, CYCLIC(2))", (1, 1, size), order="F" if rank == 0 else "C")
        found = message(Plan, other, slabs, unequal, shape=SHAPE)
        agree(found == "b.order[0] differs between processes: from 0 to 2")
    plan.execute(a, b)
    agree((b == local(others, numbers())).all())
    other.Free()
