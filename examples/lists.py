# SPDX-License-Identifier: BSD-3-Clause
"""Four uses of lists of rows and columns: columns in the order of their eigenvalues, every third row, rows that a
factorisation has exchanged, and Fourier vectors of a sphere in the slabs of a grid.

    mpirun -n 4 python3 lists.py
"""
import numpy as np
import xredist
from mpi4py import MPI

comm, n = MPI.COMM_WORLD, 60
columns = xredist.Layout(npcol=comm.size, mb=n, nb=4)
rows = xredist.Layout(nprow=comm.size, mb=3, nb=n)
A = xredist.DistributedMatrix.from_function(comm, lambda i, j: i + 1000.0 * j, (n, n), columns)
whole = comm.bcast(A.gather())                                # to check the results


def holds(B, expected):
    """Checks the part of this process."""
    assert B.shape == expected.shape and (B.local == expected[np.ix_(*B.indices())]).all()


# columns in the order of their eigenvalues
eigenvalues = np.arange(n) * 37 % 61
order = np.argsort(eigenvalues)
holds(A.redistribute(rows, cols_a=order), whole[:, order])

# every third row
holds(A.redistribute(rows, rows_a=slice(None, None, 3)), whole[::3])

# rows back where they were before LU exchanged row k with row pivots[k], one k after the other
pivots = [k + 17 * k % (n - k) for k in range(n)]
came_from = np.arange(n)
for k, pivot in enumerate(pivots):
    came_from[[k, pivot]] = came_from[[pivot, k]]
back = A.redistribute(rows, rows_b=came_from)
holds(back.redistribute(columns, rows_a=came_from), whole)

# Fourier coefficients of bands: vectors in a sphere, dealt to the processes, become a grid in slabs
side, radius, bands = 12, 4, 3
frequencies = np.fft.fftfreq(side, 1 / side)
z, y, x = np.meshgrid(frequencies, frequencies, frequencies, indexing="ij")
points = np.flatnonzero(x**2 + y**2 + z**2 <= radius**2)
dealt = xredist.Layout(nprow=comm.size, mb=4, nb=bands)
planes = -(-side // comm.size)
slabs = xredist.Layout(nprow=comm.size, mb=planes * side**2, nb=bands)
sphere = xredist.DistributedMatrix.from_function(comm, lambda i, j: 1.0 + i + 1000 * j, (len(points), bands), dealt)
grid = xredist.DistributedMatrix.zeros(comm, (side**3, bands), slabs)
sphere.redistribute(out=grid, rows_b=points)
expected = np.zeros(grid.shape)
expected[points] = comm.bcast(sphere.gather())
holds(grid, expected)

comm.Barrier()
if comm.rank == 0:
    print(f"lists on {comm.size} processes: right")
