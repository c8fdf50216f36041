# SPDX-License-Identifier: BSD-3-Clause
"""mpirun -n 4 python3 matrix.py: draws matrix.png. Four processes write a covariance matrix of random points on a
circle, in blocks of 50; then rank 0 draws the file."""
import pathlib
import tempfile

import numpy as np
import xredist
from mpi4py import MPI

comm = MPI.COMM_WORLD
n = 400
points = np.sort(np.random.default_rng(1).random(n))
distance = np.abs(points[:, None] - points[None, :])
whole = np.exp(-40 * np.minimum(distance, 1 - distance)) if comm.rank == 0 else None
blocks = xredist.Layout(nprow=2, npcol=2, mb=50, nb=50)
with tempfile.TemporaryDirectory() as folder:
    name = comm.bcast(folder + "/a.npy")
    xredist.save(comm, name, xredist.scatter(comm, whole, blocks), blocks)
    if comm.rank == 0:
        # [picture]
        import matplotlib
        matplotlib.use("Agg")  # without a screen
        import matplotlib.pyplot as plt

        matrix = np.load(name, mmap_mode="r")
        plt.figure(figsize=(5, 4))
        plt.imshow(matrix, cmap="viridis", vmin=0, vmax=1)
        plt.colorbar(label="covariance")
        plt.xlabel("column")
        plt.ylabel("row")
        plt.tight_layout()
        plt.savefig(pathlib.Path(__file__).with_name("matrix.png"), dpi=100)
        # [end]
    comm.Barrier()
