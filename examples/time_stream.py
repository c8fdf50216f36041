# SPDX-License-Identifier: BSD-3-Clause
"""Calibrates the time stream of a radio telescope, for which a process needs all times of a frequency, and removes
interference, for which it needs all frequencies of a time.
usage: mpirun -n 4 python3 time_stream.py"""
import numpy as np
import xredist
from mpi4py import MPI

comm, shape = MPI.COMM_WORLD, (64, 6, 500)  # frequencies, pairs of antennas, times
me, size = comm.Get_rank(), comm.Get_size()
by_frequency = xredist.ArrayLayout("(EVEN, *, *)", grid=(size, 1, 1))
by_time = xredist.ArrayLayout("(*, *, EVEN)", grid=(1, 1, size))
to_time = xredist.Plan(comm, by_frequency, by_time, shape=shape, dtype=np.complex64)
to_frequency = xredist.Plan(comm, by_time, by_frequency, shape=shape, dtype=np.complex64)

frequency, pair, time = np.ix_(*by_frequency.indices(shape, me))
sky = np.exp(1j * (pair + 0.1 * time))
disturbed = time % 97 == 5
stream = np.where(disturbed, 50, sky * (1 + frequency)).astype(np.complex64)  # measured with a gain of 1 + frequency

stream /= np.median(abs(stream), axis=2, keepdims=True)
turned = np.empty(by_time.local_shape(shape, me), np.complex64)
to_time.execute(stream, turned)
turned[:, np.median(abs(turned), axis=0) > 1.001] = 0
to_frequency.execute(turned, stream)

assert np.allclose(stream, np.where(disturbed, 0, sky), atol=1e-4)
print("time stream: right on", size, "processes") if me == 0 else None
