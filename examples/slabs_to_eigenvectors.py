# SPDX-License-Identifier: BSD-3-Clause
"""Computes all eigenvectors of a matrix in slabs of columns, which PDSYEVD refuses, and leaves them in slabs.
usage: mpirun -n 4 python3 slabs_to_eigenvectors.py libscalapack-openmpi.so"""
import ctypes
import sys

import numpy as np
import xredist
from mpi4py import MPI

comm, n = MPI.COMM_WORLD, 500
me, size = comm.Get_rank(), comm.Get_size()
bounds = [k * n // size for k in range(size + 1)]
slabs = xredist.Layout(npcol=size, mb=n, cols=xredist.Partition(bounds))
i, j = np.ogrid[:n, bounds[me]:bounds[me + 1]]
A = np.asfortranarray(2.0 * (i == j) - (abs(i - j) == 1))  # 2 on the diagonal, -1 beside it

b = xredist.fit(comm, n, n, slabs, "scalapack")
B = xredist.redistribute(comm, A, slabs, b)
w, Z = np.zeros(n), np.zeros_like(B, order="F")
scalapack, ctxt = ctypes.CDLL(sys.argv[1]), ctypes.c_int()
grid = np.array(b.ranks, np.intc).reshape(b.nprow, b.npcol).copy("F")
scalapack.Cblacs_get(0, 0, ctypes.byref(ctxt))
scalapack.Cblacs_gridmap(ctypes.byref(ctxt), grid.ctypes, b.nprow, b.nprow, b.npcol)
if me in b.ranks:
    desc = np.array([1, ctxt.value, n, n, b.mb, b.nb, 0, 0, max(1, len(B))], np.intc).ctypes
    one, order, info = (ctypes.byref(ctypes.c_int(k)) for k in (1, n, 0))
    work, iwork, lengths = np.zeros(1), np.zeros(1, np.intc), np.array([-1, 1], np.intc)
    for _ in range(2):  # for the size of the workspace, and to solve
        scalapack.pdsyevd_(b"V", b"L", order, B.ctypes, one, one, desc, w.ctypes, Z.ctypes, one, one, desc,
                           work.ctypes, lengths[:1].ctypes, iwork.ctypes, lengths[1:].ctypes, info)
        lengths = np.array([work[0], iwork[0]], np.intc)
        work, iwork = np.zeros(lengths[0]), np.zeros(lengths[1], np.intc)
V = xredist.redistribute(comm, Z, b, slabs)
xredist.tell(comm, b, w)

residual = 2 * V[1:-1] - V[:-2] - V[2:] - V[1:-1] * w[bounds[me]:bounds[me + 1]]
assert np.abs(residual).max() < 1e-12 and np.allclose((V**2).sum(0), 1)
print(n, "eigenvectors: right") if me == 0 else None
