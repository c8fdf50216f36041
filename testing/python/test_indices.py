# SPDX-License-Identifier: BSD-3-Clause
"""Layout.indices() and Layout.owner() are brute force's: owners() of test_xredist, element by element."""
import numpy as np
import pytest
import xredist
from test_xredist import M, N, agree, columns, comm, local, matrix, message, owners, rank, size, slabs
from xredist import Layout, Partition

LAYOUTS = [
    Layout(nprow=2, npcol=3, mb=2, nb=4, rsrc=1, csrc=2),
    Layout(nprow=3, npcol=1, mb=20, nb=1),                                      # processes without rows
    Layout(nprow=2, npcol=2, mb=3, nb=1, ranks=[7, 5, 3, 1]),
    Layout(nprow=3, npcol=2, nb=5, rows=Partition([0, 4, 4, 9, M], [2, 0, 0, 2])),
    Layout(nprow=2, npcol=4, rows=Partition(np.array([0, 13, 13])), cols=Partition([0, 1, 2, 9, N])),
]


def brute_force(layout):
    """Returns the rank, local row and local column of each element."""
    of_rows = (owners(M, layout.rows, layout.nprow, layout.mb) + layout.rsrc) % layout.nprow
    of_cols = (owners(N, layout.cols, layout.npcol, layout.nb) + layout.csrc) % layout.npcol
    ranks = np.array(range(layout.nprow * layout.npcol) if layout.ranks is None else layout.ranks)
    before_rows, before_cols = (np.array([(of[:k] == of[k]).sum() for k in range(len(of))])
                                for of in (of_rows, of_cols))
    return (ranks[np.add.outer(layout.npcol * of_rows, of_cols)], np.broadcast_to(before_rows[:, None], (M, N)),
            np.broadcast_to(before_cols, (M, N)))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_each_element_is_where_brute_force_finds_it(layout):
    expected = brute_force(layout)
    place = layout.owner(*np.ogrid[:M, :N])
    for found, wanted in zip(place, expected):
        assert found.shape == (M, N) and (found == wanted).all()
    assert layout.owner(M - 1, 3) == tuple(int(wanted[M - 1, 3]) for wanted in expected)
    seen = np.zeros((M, N), dtype=int)
    for process in range(-1, 10):
        rows, cols = layout.indices(M, N, process)
        assert (len(rows), len(cols)) == layout.local_size(M, N, process)
        here = np.ix_(rows, cols)
        seen[here] += 1
        assert (expected[0][here] == process).all()
        assert (expected[1][here] == np.arange(len(rows))[:, None]).all()
        assert (expected[2][here] == np.arange(len(cols))).all()
    assert (seen == 1).all()


def test_fill_local_arrays():
    for layout in (slabs, columns):
        rows, cols = layout.indices(M, N, rank)
        agree((matrix()[np.ix_(rows, cols)] == local(layout, matrix())).all())
        i, j = np.ix_(rows, cols)
        agree((100.0 * i + j == local(layout, matrix())).all())
        agree(all(array.dtype == np.int64 for array in (rows, cols)))
    agree(all(len(array) == 0 for array in slabs.indices(M, N, size)))


def test_of_huge_matrices():
    layout = Layout(nprow=1000, mb=1 << 30, nb=1)
    assert layout.owner((1 << 40) - 1, 0) == (23, (2 << 30) - 1, 0)
    assert len(layout.indices(np.int64(5), 0, 999)[0]) == 0


def test_of_no_elements():
    assert all(array.shape == (0, 3) for array in columns.owner(np.zeros((0, 3), dtype=int), 2))
    assert columns.owner([], []).rank.shape == (0,)


@pytest.mark.parametrize("arguments, expected", [
    ((-1, 0), f"i is -1, must be in 0 .. {(1 << 40) - 1}"),
    (([0, 3, -2], 0), f"i is -2, must be in 0 .. {(1 << 40) - 1}"),
    ((0, N), f"j is {N}, must be in 0 .. {N - 1}"),
    ((0, [[0, 1], [N + 5, 2]]), f"j is {N + 5}, must be in 0 .. {N - 1}"),
    ((0, 2**63), f"j is {2**63}, must be in 0 .. {N - 1}"),
    (([0, 1], [0, 1, 2]), "i has the shape (2,), j has (3,), must broadcast"),
    ((1.0, 0), "i is 1.0, must have integers"),
    (("a", 0), "i is a, must have integers"),
    ((0, [True]), "j is [ True], must have integers"),
])
def test_mistakes(arguments, expected):
    agree(message(Layout(mb=1, cols=Partition([0, N])).owner, *arguments) == expected)


def test_mistakes_in_layouts_and_sizes():
    agree("m is 14: the partition ends at 13" == message(slabs.indices, M + 1, N, 0))
    agree("rank is 0.5, must be an integer" == message(slabs.indices, M, N, 0.5))


def test_layouts_of_arrays_compare_and_hash():
    one, other = (Layout(nprow=2, nb=3, ranks=np.array([1, 0]), rows=Partition(np.array([0, 3, 9]))) for _ in range(2))
    assert one == other and hash(one) == hash(other)
    assert one.local_size(9, 3, 0) == (6, 3)


def with_places(n, procs):
    """Returns a partition whose owners store their intervals backwards, with a gap of one element after each."""
    bounds = sorted({0, 1, n // 2, n // 2 + 2, n - 1, n})
    owners = [k % procs for k in range(len(bounds) - 1)]
    places, stored = [0] * len(owners), [0] * procs
    for k in reversed(range(len(owners))):
        places[k] = stored[owners[k]]
        stored[owners[k]] += bounds[k + 1] - bounds[k] + 1
    return Partition(bounds, owners, places)


def test_places():
    rows = with_places(M, size)
    layout = Layout(nprow=size, nb=N, rows=rows)
    held, cols = layout.indices(M, N, rank)
    mine = np.full(layout.local_size(M, N, rank), -5.0, order="F")
    for begin, end, owner, place in zip(rows.bounds, rows.bounds[1:], rows.owners, rows.places):
        if owner == rank:
            assert (held[place:place + end - begin] == np.arange(begin, end)).all()
            mine[place:place + end - begin] = matrix()[begin:end]
    agree(sorted(held[held >= 0]) == sorted(np.flatnonzero(owners(M, rows, size, 0) == rank)))
    agree((held == -1).sum() == max(sum(owner == rank for owner in rows.owners) - 1, 0))
    agree((layout.owner(np.arange(M), 0).row >= 0).all() and layout.owner(M - 1, 0).row == 0)
    agree((xredist.redistribute(comm, mine, layout, columns) == local(columns, matrix())).all())
    back = xredist.redistribute(comm, local(columns, matrix()), columns, layout)
    agree((back[held >= 0] == mine[held >= 0]).all() and (back[held < 0] == 0).all())


def test_places_of_arrays():
    rows = with_places(M, size)
    a = xredist.ArrayLayout([rows, "*"], grid=(size, 1))
    b = xredist.ArrayLayout("(*, CYCLIC)", grid=(1, size))
    B = xredist.DistributedArray.from_function(comm, lambda i, j: 100.0 * i + j, (M, N), b)
    A = B.redistribute(a)
    held = A.indices()[0]
    agree((A.local[held >= 0] == matrix()[held[held >= 0]]).all())
    for first in range(M):  # one row, of one process
        with xredist.Plan(comm, a, b, shape=(1, N), first_a=(first, 0)) as plan:
            row = np.zeros(b.local_shape((1, N), rank))
            plan.execute(A.local if first in held else None, row)
        agree((row[0] == matrix()[first, b.indices((1, N), rank)[1]]).all())


def test_places_are_values():
    agree(Partition([0, 2, 5], [0, 0]) == Partition([0, 2, 5], [0, 0]))
    one, other = (Layout(nb=1, rows=Partition([0, 2, 5], [0, 0], places)) for places in (None, [0, 2]))
    agree(one._same_as(other) and not one._same_as(Layout(nb=1, rows=Partition([0, 2, 5], [0, 0], [3, 0]))))
    agree("partition.places has 1 entries, must have 2" == message(Partition, [0, 2, 5], [0, 0], [0]))
    agree("partition: places[1] is 1" in message(Partition, [0, 2, 5], [0, 0], [0, 1]))
