# SPDX-License-Identifier: BSD-3-Clause
"""Prints median times of GPAW's own redistribution and of xredist_gpaw, call by call in turn:

    mpirun -n 4 python3 gpaw_times.py [SIZE [REPETITIONS]]"""
import sys
import time

import gpaw.blacs
import numpy as np
import xredist_gpaw
from gpaw.mpi import world


def times(calls, repetitions):
    """Returns the median seconds of each function, which all processes call; a barrier is before and after a call."""
    seconds = np.zeros((len(calls), repetitions))
    for repetition in range(-1, repetitions):  # the first one is not counted
        for k, call in enumerate(calls):
            world.barrier()
            start = time.perf_counter()
            call()
            world.barrier()
            seconds[k, repetition] = time.perf_counter() - start
    return np.median(seconds, axis=1)


size, repetitions = [int(word) for word in sys.argv[1:]] + [1000, 11][len(sys.argv) - 1:]
rows = int(world.size**0.5)
slabs = gpaw.blacs.BlacsGrid(world, 1, world.size).new_descriptor(size, size, size, -(-size // world.size))
blocks = gpaw.blacs.BlacsGrid(world, rows, world.size // rows).new_descriptor(size, size, 64, 64)
whole = blocks.as_serial()
modules = gpaw.blacs, xredist_gpaw

for text, a, b in ("slabs of columns to blocks", slabs, blocks), ("blocks to the master", blocks, whole):
    source, target = a.zeros(), b.zeros()
    source[:] = np.arange(source.size).reshape(source.shape)
    made = [module.Redistributor(world, a, b) for module in modules]
    for kind, calls in (("made once", [lambda r=r: r.redistribute(source, target) for r in made]),
                        ("made for each call", [lambda m=m: m.Redistributor(world, a, b).redistribute(source, target)
                                                for m in modules])):
        own, ours = times(calls, repetitions)
        if world.rank == 0:
            print(f"{text}, Redistributor {kind}: GPAW {1e3 * own:.2f} ms, xredist {1e3 * ours:.2f} ms")
