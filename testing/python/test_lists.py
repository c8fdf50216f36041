# SPDX-License-Identifier: BSD-3-Clause
"""Lists of rows, columns and elements, compared with what numpy does: b[np.ix_(...)] = a[np.ix_(...)]."""
import pickle

import numpy as np
import pytest
import xredist
from test_arrays import anywhere, held, random_elements, random_layout
from test_xredist import M, N, agree, columns, comm, empty, local, matrix, message, owners, rank, size, slabs
from xredist import ArrayLayout, ArrayOperation, DistributedArray, DistributedMatrix, Layout, Operation, Plan

CASES = 25


def random_selection(rng, n, count, repeats):
    """Returns a selection of `count` elements of n, as a user may write it, and their numbers; or None."""
    kind = rng.integers(5)
    if kind == 0 and count <= n:
        first = int(rng.integers(n - count + 1))
        return slice(first, first + count), np.arange(first, first + count)
    if kind == 1 and 0 < count <= n // 2:
        numbers = np.arange(n)[::-1][:2 * count:2]
        return slice(n - 1, max(n - 1 - 2 * count, 0), -2), numbers[numbers > max(n - 1 - 2 * count, 0)]
    if kind == 2 and count <= n:
        mask = np.zeros(n, dtype=bool)
        mask[rng.permutation(n)[:count]] = True
        return mask if rng.integers(2) else mask.tolist(), np.flatnonzero(mask)
    numbers = rng.integers(n, size=count) if repeats and n > 0 else rng.permutation(n)[:count]
    return [numbers, numbers.tolist(), tuple(numbers.tolist()), numbers.astype("u2")][rng.integers(4)], numbers


def test_random_lists_of_matrices():
    rng = np.random.default_rng(20261128)
    for case in range(CASES):
        trans = bool(rng.integers(2))
        block = int(rng.integers(1, 4))
        layouts = Layout(nprow=size, mb=block, nb=N), Layout(npcol=size, mb=M, nb=block)
        a, b = (layouts[k] for k in rng.integers(2, size=2))
        rows_a, of_rows_a = random_selection(rng, M, int(rng.integers(M)), True)
        cols_a, of_cols_a = random_selection(rng, N, int(rng.integers(N)), True)
        m, n = (len(of_cols_a), len(of_rows_a)) if trans else (len(of_rows_a), len(of_cols_a))
        if m > M or n > N:
            continue
        rows_b, of_rows_b = random_selection(rng, M, m, False)
        cols_b, of_cols_b = random_selection(rng, N, n, False)
        if (len(of_rows_b), len(of_cols_b)) != (m, n):
            continue
        chosen = matrix()[np.ix_(of_rows_a, of_cols_a)]
        expected = np.full((M, N), -7.0)
        expected[np.ix_(of_rows_b, of_cols_b)] = 2 * (chosen.T if trans else chosen) + 7
        mine = np.asfortranarray(local(b, np.full((M, N), -7.0)))
        lists = dict(rows_a=rows_a, cols_a=cols_a, rows_b=rows_b, cols_b=cols_b)
        with Plan(comm, a, b, m=m, n=n, trans=trans, **lists) as plan:
            plan.execute(local(a, matrix()), mine, alpha=2.0, beta=-1.0)
        agree((mine == local(b, expected)).all())


@pytest.mark.parametrize("dims", [1, 2, 3, 4])
def test_random_lists_of_arrays(dims):
    rng = np.random.default_rng([20261128, dims])
    for case in range(CASES):
        wholes = [rng.integers(1, [0, 60, 16, 8, 5][dims], dims).tolist() for _ in "ab"]
        shape, lists, numbers, firsts = [], ([], []), ([], []), ([], [])
        for n_a, n_b in zip(*wholes):
            shape.append(int(rng.integers(0 if case % 8 == 0 else 1, min(n_a, n_b) + 1)))
            for side, n in enumerate((n_a, n_b)):
                chosen, of_numbers = random_selection(rng, n, shape[-1], side == 0)
                if rng.integers(3) == 0 or len(of_numbers) != shape[-1]:
                    chosen, of_numbers = None, np.arange(shape[-1]) + n - shape[-1]
                lists[side].append(chosen)
                numbers[side].append(of_numbers)
                firsts[side].append(n - shape[-1] if chosen is None else 0)
        a, b = (random_layout(rng, whole) for whole in wholes)
        whole_a, whole_b = (random_elements(rng, whole, "S3") for whole in wholes)
        expected = whole_b.copy()
        expected[np.ix_(*numbers[1])] = whole_a[np.ix_(*numbers[0])]
        local_a, _ = anywhere(rng, whole_a[np.ix_(*held(a, whole_a.shape))])
        local_b, _ = anywhere(rng, whole_b[np.ix_(*held(b, whole_b.shape))])
        with Plan(comm, a, b, shape=shape, dtype="S3", first_a=firsts[0], first_b=firsts[1], lists_a=lists[0],
                  lists_b=lists[1]) as plan:
            plan.execute(local_a, local_b)
        agree((local_b == expected[np.ix_(*held(b, whole_b.shape))]).all())


# ---- whole matrices and arrays, whose sizes are known

@pytest.mark.parametrize("rows, cols", [
    (slice(None, None, 3), None), (slice(None, None, -1), slice(-3, None)), ([-1, 0, 5, 5], np.arange(N) % 2 == 1),
    (np.array([], dtype=int), slice(2, 100)), (None, [N - 1, -N]), (np.ones(M, dtype=bool), slice(4, 1)),
])
def test_matrices_are_indexed_as_by_numpy(rows, cols):
    expected = matrix()[slice(None) if rows is None else rows][:, slice(None) if cols is None else cols]
    moved = xredist.redistribute(comm, local(slabs, matrix()), slabs, columns, rows_a=rows, cols_a=cols)
    agree((moved == local(columns, expected)).all())
    A = DistributedMatrix.from_local(comm, local(slabs, matrix()), slabs)
    B = A.redistribute(columns, rows_a=rows, cols_a=cols, trans=True)
    agree(B.shape == expected.T.shape and (B.local == local(columns, expected.T)).all())
    of_rows, of_cols = (np.arange(n)[slice(None) if x is None else x] for n, x in ((M, rows), (N, cols)))
    if len(set(of_rows)) == len(of_rows):  # no row is written twice
        C = DistributedMatrix.zeros(comm, (M, N), slabs)
        agree(B.redistribute(trans=True, rows_b=rows, cols_b=cols, out=C) is C)
        undone = np.zeros((M, N))
        undone[np.ix_(of_rows, of_cols)] = expected
        agree((C.local == local(slabs, undone)).all())


def test_a_permutation_and_its_inverse():
    order = np.random.default_rng(5).permutation(N)
    moved = xredist.redistribute(comm, local(slabs, matrix()), slabs, columns, cols_a=order)
    agree((moved == local(columns, matrix()[:, order])).all())
    agree((xredist.redistribute(comm, moved, columns, slabs, cols_b=order) == local(slabs, matrix())).all())
    whole = xredist.gather(comm, moved, columns, cols_b=order)
    agree(rank != 0 or (whole == matrix()).all())


@pytest.mark.parametrize("lists", [
    (None, [2, 0, -1], slice(None, None, 2)), (slice(None, None, -1), None, None),
    ([0], np.arange(7) > 4, np.array([-9, 8, 3])), (None, None, np.array([], dtype=int)),
])
def test_arrays_are_indexed_as_by_numpy(lists):
    shape = (6, 7, 9)
    numbers = [np.arange(n)[slice(None) if chosen is None else chosen] for n, chosen in zip(shape, lists)]
    a, b = ArrayLayout("(BLOCK, *, *)", (size, 1, 1)), ArrayLayout("(*, *, CYCLIC(2))", (1, 1, size))
    A = DistributedArray.from_function(comm, lambda i, j, k: 100.0 * i + 10 * j + k, shape, a)
    whole = np.fromfunction(lambda i, j, k: 100.0 * i + 10 * j + k, shape)
    expected = whole[np.ix_(*numbers)]
    B = A.redistribute(b, lists_a=lists)
    agree(B.shape == expected.shape and (B.local == expected[np.ix_(*B.indices())]).all())
    agree((xredist.redistribute(comm, A.local, a, b, lists_a=lists) == B.local).all())
    C = DistributedArray.zeros(comm, shape, a)
    with B.plan(C, lists_b=lists) as plan:
        plan.execute(B, C)
    undone = np.zeros(shape)
    undone[np.ix_(*numbers)] = expected
    agree((C.local == undone[np.ix_(*C.indices())]).all())
    of_shape = ArrayLayout(a.axes, a.grid, shape)
    D = B.redistribute(of_shape, lists_b=lists)
    agree(D.shape == shape and (D.local == C.local).all())
    agree((xredist.redistribute(comm, B.local, b, of_shape, lists_b=lists) == C.local).all())


def test_a_process_without_listed_elements_passes_nothing():
    a = ArrayLayout("(CYCLIC)", (size,))
    numbers = np.arange(3) * size  # of process 0
    mine = np.arange(3.0) if rank == 0 else None
    b = np.zeros(a.local_shape((3,), rank))
    with Plan(comm, a, a, shape=(3,), lists_a=[numbers]) as plan:
        plan.execute(mine, b)
    agree((b == np.arange(3.0)[a.indices((3,), rank)]).all())


def test_operations_with_lists_are_values():
    one, other = (Operation(3, 2, rows_a=chosen, cols_b=np.array([4, 1])) for chosen in ([0, 2, 4], slice(0, 5, 2)))
    agree(one == other and hash(one) == hash(other) and pickle.loads(pickle.dumps(one)) == one)
    agree(one.rows_a == (0, 2, 4) and one.cols_a is None)
    arrays = ArrayOperation((2,), lists_a=[[True, False, True]]), ArrayOperation((2,), lists_a=(np.array([0, 2]),))
    agree(arrays[0] == arrays[1] and hash(arrays[0]) == hash(arrays[1]))


def test_relabels_with_lists():
    a = Layout(nprow=size, mb=1, nb=1)
    backwards = np.arange(size)[::-1]
    ranks, kept, kept_before = xredist.relabel(comm, a, a, Operation(size, 1, rows_a=backwards))
    agree(ranks == backwards.tolist() and kept == 1.0)


# ---- mistakes

NOT_KNOWN = ", must not depend on the size of the matrix or array, which a plan does not know"


@pytest.mark.parametrize("keywords, expected", [
    (dict(rows_a=[0, 1]), "rows_a has 2 entries, must have 3"),
    (dict(cols_a=[0, 1], trans=True), "cols_a has 2 entries, must have 3"),
    (dict(cols_b=[0, 1, 1]), "cols_b has 3 entries, must have 2"),
    (dict(rows_b=[4, 7, 4]), "rows_b[2] is 4, as entry [0] is: no element of B may be written twice"),
    (dict(rows_a=[0, 4, 1 << 40]), f"rows_a[2] is {1 << 40}, must be in 0 .. {(1 << 40) - 1}"),
    (dict(rows_a=[0, -1, 2]), f"rows_a[1] is -1, must be in 0 .. {(1 << 40) - 1}"),
    (dict(rows_a=[0, 1, M]), f"rows_a[2] is {M}: beyond a.rows, which ends at {M}"),
    (dict(rows_a=slice(None, None, 2)), f"rows_a is {slice(None, None, 2)}{NOT_KNOWN}"),
    (dict(rows_a=slice(-3, 9)), f"rows_a is {slice(-3, 9)}{NOT_KNOWN}"),
    (dict(rows_a=slice(None, 0, -1)), f"rows_a is {slice(None, 0, -1)}{NOT_KNOWN}"),
    (dict(rows_a=slice(0, 9, 0)), f"rows_a is {slice(0, 9, 0)}, must not have the step 0"),
    (dict(rows_a=slice(0, 2.5)), f"rows_a is {slice(0, 2.5)}, must have integers"),
    (dict(rows_a=slice(0, 1 << 41, 1 << 40)), f"rows_a is {slice(0, 1 << 41, 1 << 40)}, must end at 2^40"),
    (dict(rows_a=4), "rows_a must be a slice, or a sequence of integers or of truth values"),
    (dict(rows_a=[0.0, 1.0, 2.0]), "rows_a must be a slice, or a sequence of integers or of truth values"),
    (dict(rows_a=[[0, 1, 2]]), "rows_a must be a slice, or a sequence of integers or of truth values"),
    (dict(rows_a=[0, 1, 2], ia=2), "ia is 2, must be 1 with operation.rows_a"),
    (dict(rows_a=[True, True]), "rows_a has 2 entries, must have 3"),
])
def test_mistakes_in_plans_of_matrices(keywords, expected):
    agree(message(Plan, comm, slabs, columns, m=3, n=2, **keywords) == expected)


def test_processes_compare_lists():
    other = comm.Dup()
    xredist.set_option(other, "check", 1)
    found = message(Plan, other, slabs, columns, m=3, n=2, rows_a=[0, 1, 2] if rank else [0, 1])
    agree(found == "rows_a has 2 entries, must have 3" if rank == 0 else found.startswith("process 0: "))
    found = message(Plan, other, slabs, columns, m=3, n=2, rows_a=[0, 1, 2 + (rank == 0)])
    agree(found == ("no error" if size == 1 else "operation.rows_a differs between processes"))
    other.Free()


@pytest.mark.parametrize("keywords, expected", [
    (dict(lists_a=[[0, 1]]), "lists_a has 1 lists, must have 2"),
    (dict(lists_a=np.zeros((2, 2), dtype=int)),
     "lists_a is of type ndarray, must be a tuple with a list or None for each axis"),
    (dict(lists_a=(None, [0, 1])), "lists_a[1] has 2 entries, must have 3"),
    (dict(lists_b=(None, [2, 0, 2])), "lists_b[1][2] is 2, as entry [0] is: no element of B may be written twice"),
    (dict(lists_a=([0, 9], None)), "lists_a[0][1] is 9: beyond a.shape[0], which ends at 9"),
    (dict(lists_a=([0, -1], None)), f"lists_a[0][1] is -1, must be in 0 .. {(1 << 40) - 1}"),
    (dict(lists_a=(None, [0, 1, 2]), first_a=(1, 1)), "first_a[1] is 1, must be 0 with lists_a[1]"),
])
def test_mistakes_in_plans_of_arrays(keywords, expected):
    a, b = ArrayLayout("(BLOCK, *)", (size, 1), (9, 5)), ArrayLayout("(*, BLOCK)", (1, size))
    agree(message(Plan, comm, a, b, shape=(2, 3), **keywords) == expected)


@pytest.mark.parametrize("keywords, expected", [
    (dict(rows_a=[0, M]), f"rows_a[1] is {M}, must be in {-M} .. {M - 1}"),
    (dict(cols_a=np.ones(M, dtype=bool)), f"cols_a has {M} truth values, must have {N}"),
    (dict(rows_b=[0, 1]), f"rows_b has 2 entries, must have {M}"),
    (dict(lists_a=(None, None)),
     "lists_a and lists_b are for arrays; rows_a, cols_a, rows_b and cols_b are for matrices"),
])
def test_mistakes_in_redistributions(keywords, expected):
    agree(message(xredist.redistribute, comm, local(slabs, matrix()), slabs, columns, **keywords) == expected)


def test_mistakes_in_whole_matrices_and_arrays():
    A, B = (DistributedMatrix.zeros(comm, (M, N), layout) for layout in (slabs, columns))
    agree(message(A.plan, B, rows_a=[1, 2]) == f"to has the shape ({M}, {N}), which does not fit (2, {N})")
    agree(message(A.redistribute, rows_b=[1, 2], out=B)
          == f"out has the shape ({M}, {N}), of which lists name (2, {N}), which does not fit ({M}, {N})")
    a = ArrayLayout("(BLOCK, *)", (size, 1))
    U, V = (DistributedArray.zeros(comm, (4, 5), a) for _ in range(2))
    agree(message(U.plan, V, lists_b=([0, 1], None))
          == "to has the shape (4, 5), of which lists name (2, 5), must have (4, 5)")
    agree(message(U.plan, V, lists_a=([4], None)) == "lists_a[0][0] is 4, must be in -4 .. 3")
    agree(message(xredist.redistribute, comm, U.local, a, a, rows_a=[0])
          == "rows_a is for matrices; lists_a and lists_b are for arrays")
