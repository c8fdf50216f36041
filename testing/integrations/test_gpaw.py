# SPDX-License-Identifier: BSD-3-Clause
"""xredist_gpaw does the same as GPAW's own routines, which the test calls too, on any number of processes."""
import gpaw.blacs
import gpaw.core.matrix
import gpaw.matrix
import numpy as np
import pytest
import xredist_gpaw
from gpaw.blacs import BlacsGrid
from gpaw.mpi import world

SHAPES = [(p, world.size // p) for p in range(1, world.size + 1) if world.size % p == 0]


def filled(shape, dtype, seed):
    """Returns random numbers, which differ from process to process."""
    random = np.random.default_rng(100 * seed + world.rank).random
    return (random(shape) + (1j * random(shape) if dtype == complex else 0)).astype(dtype)


def compare(comm, a, b, dtype=float, **arguments):
    """Redistributes by both, twice, and compares all of B, including what is not written."""
    own, ours = (module.Redistributor(comm, a, b) for module in (gpaw.blacs, xredist_gpaw))
    assert own.__class__ is not ours.__class__
    for seed in 1, 2:
        source, expected = filled(a.shape, dtype, seed), filled(b.shape, dtype, seed + 2)
        before, result = expected.copy(), expected.copy()
        own.redistribute(source, expected, **arguments)
        assert ours.redistribute(source, result, **arguments) is result
        assert (result == expected).all()
        assert not result.size or comm.size > 1 or (result != before).any()
    assert len(ours._plans) == 1


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("uplo", "GUL")
@pytest.mark.parametrize("shape", SHAPES)
def test_between_grids(shape, uplo, dtype):
    a = BlacsGrid(world, *shape).new_descriptor(29, 29, 4, 3)
    b = BlacsGrid(world, *shape[::-1], order="C").new_descriptor(29, 29, 2, 5)
    compare(world, a, b, dtype, uplo=uplo)


@pytest.mark.parametrize("uplo", "GUL")
def test_submatrix(uplo):
    a = BlacsGrid(world, *SHAPES[-1]).new_descriptor(31, 17, 3, 4)
    b = BlacsGrid(world, *SHAPES[0]).new_descriptor(19, 23, 5, 2)
    compare(world, a, b, subM=12, subN=9, ia=7, ja=3, ib=2, jb=11, uplo=uplo)


def test_first_process_of_a_grid():
    grid = BlacsGrid(world, *SHAPES[len(SHAPES) // 2])
    a = grid.new_descriptor(20, 21, 3, 4, rsrc=grid.nprow - 1)
    compare(world, a, grid.new_descriptor(20, 21, 2, 2))


def test_process_outside_both_grids_or_one():
    """As in gpaw.kohnsham_layouts: the communicator of a grid is None on the other processes."""
    ranks = list(range(world.size))[::-1][:max(1, world.size - 1)]
    comm = world.new_communicator(np.array(ranks))
    a = BlacsGrid(comm, 1, len(ranks)).new_descriptor(13, 18, 13, 2)
    b = BlacsGrid(world, 1, 1).new_descriptor(13, 18, 13, 18)
    compare(world, a, b)
    compare(world, b, a)


@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("module", [gpaw.matrix, gpaw.core.matrix])
@pytest.mark.skipif(world.size == 1, reason="matrices on one process have no distribution")
def test_matrix(module, dtype, monkeypatch):
    rows, columns = SHAPES[len(SHAPES) // 2]
    for dist in (rows, columns, 4), (1, world.size, None), (1, 1, 64):
        a = module.Matrix(24, 27, dtype=dtype, dist=(world, world.size, 1, 3))
        expected, result = (module.Matrix(24, 27, dtype=dtype, dist=(world, *dist)) for _ in range(2))
        data = "array" if hasattr(a, "array") else "data"
        getattr(a, data)[:] = filled(getattr(a, data).shape, dtype, 5)
        getattr(expected, data)[:] = getattr(result, data)[:] = -1  # processes outside the grid keep these
        a.redist(expected)
        calls = []
        with monkeypatch.context() as patch:
            patch.setattr(module, "redist", lambda *args: (calls.append(args), xredist_gpaw.redist(*args)))
            a.redist(result)
        assert len(calls) == 1
        assert (getattr(result, data) == getattr(expected, data)).all()


def test_install(monkeypatch):
    for module in gpaw.matrix, gpaw.core.matrix:
        monkeypatch.setattr(module, "redist", module.redist)  # for the tests after this one
    for name in "__init__", "redistribute":
        monkeypatch.setattr(gpaw.blacs.Redistributor, name, getattr(gpaw.blacs.Redistributor, name))
    monkeypatch.setattr("_gpaw.scalapack_redist", None)
    xredist_gpaw.install()
    block = BlacsGrid(world, *SHAPES[-1]).new_descriptor(11, 12, 2, 3)
    whole = block.as_serial()
    matrix = whole.zeros()
    matrix[:] = np.arange(matrix.size).reshape(matrix.shape)
    back = block.collect_on_master(block.distribute_from_master(matrix))
    assert (back == matrix).all()
    assert gpaw.matrix.redist is gpaw.core.matrix.redist is xredist_gpaw.redist
