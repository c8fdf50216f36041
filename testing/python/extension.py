# SPDX-License-Identifier: BSD-3-Clause
"""Calls ScaLAPACK in a library that Python alone has opened, as extension modules do.
usage: extension.py LIBRARY"""
import ctypes
import sys

from mpi4py import MPI

comm = MPI.COMM_WORLD
wrong = comm.allreduce(ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_LOCAL).call_scalapack(comm.size))
if comm.rank == 0:
    print("all right" if wrong == 0 else f"{wrong} elements are wrong")
