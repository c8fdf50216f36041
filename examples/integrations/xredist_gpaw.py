# SPDX-License-Identifier: BSD-3-Clause
"""Redistributes the BLACS matrices of GPAW (22.8) by plans of xredist instead of P?GEMR2D and P?TRMR2D:

    import xredist_gpaw
    xredist_gpaw.install()    # before the script makes a Redistributor

GPAW's local arrays are in C order, xredist's in Fortran order, so all layouts and operations here are those of the
transposes: rows and columns change places, and so do the triangles."""
import functools

import gpaw.blacs
import gpaw.core.matrix
import gpaw.matrix
import xredist
from mpi4py import MPI


def communicator(comm):
    """Returns the communicator of mpi4py with the processes of one of GPAW's, which has no handle for Python."""
    return MPI.COMM_SELF if comm.size == 1 else _communicator(tuple(comm.get_members().tolist()))


@functools.lru_cache(maxsize=None)
def _communicator(members):
    return MPI.COMM_WORLD.Create_group(MPI.COMM_WORLD.group.Incl(members))


def layouts(comm, *descriptors):
    """Returns the layouts of descriptors whose grids have any of the processes of comm. Collective over comm: a process
    outside a grid does not know the processes of this grid."""
    grids = [descriptor.blacsgrid for descriptor in descriptors]
    places = comm.allgather([g.mycol * g.nprow + g.myrow if g.is_active() else -1 for g in grids])
    return [xredist.Layout(nprow=g.npcol, npcol=g.nprow, mb=d.nb, nb=d.mb, rsrc=d.csrc, csrc=d.rsrc,
                           ranks=[place.index(k) for k in range(g.ncpus)])
            for d, g, place in zip(descriptors, grids, zip(*places))]


class Redistributor:
    """Does the work of gpaw.blacs.Redistributor, which documents the arguments. A plan is made at the first call for a
    submatrix, and executed by all calls."""

    def __init__(self, supercomm, srcdescriptor, dstdescriptor):
        self.supercomm, self.srcdescriptor, self.dstdescriptor = supercomm, srcdescriptor, dstdescriptor
        self._comm = communicator(supercomm)
        self._layouts = layouts(self._comm, srcdescriptor, dstdescriptor)
        self._plans = {}

    def redistribute(self, src_mn, dst_mn=None, subM=None, subN=None, ia=0, ja=0, ib=0, jb=0, uplo="G"):
        if dst_mn is None:
            dst_mn = self.dstdescriptor.empty(dtype=src_mn.dtype)
        self.srcdescriptor.checkassert(src_mn)
        self.dstdescriptor.checkassert(dst_mn)
        rows, cols = self.srcdescriptor.gshape
        operation = xredist.Operation(m=cols if subN is None else subN, n=rows if subM is None else subM,
                                      dtype=src_mn.dtype, ia=ja + 1, ja=ia + 1, ib=jb + 1, jb=ib + 1,
                                      uplo={"U": "L", "L": "U", "G": "A"}[uplo])
        if operation not in self._plans:
            self._plans[operation] = xredist.Plan(self._comm, *self._layouts, operation)
        self._plans[operation].execute(src_mn.T, dst_mn.T)
        return dst_mn


def redist(dist1, M1, dist2, M2, context):
    """Does the work of redist in gpaw.matrix and gpaw.core.matrix. desc has the transpose's size and blocks."""
    m, n = dist1.desc[2:4]
    a, b = (xredist.Layout(nprow=d.columns, npcol=d.rows, mb=d.desc[4], nb=d.desc[5]) for d in (dist1, dist2))
    plan = xredist.Plan(communicator(dist1.comm), a, b, m=m, n=n, dtype=M1.dtype)
    plan.execute(M1.T, M2.T)


def install():
    """Makes GPAW use this module: also collect_on_master and distribute_from_master, which make a Redistributor."""
    gpaw.blacs.Redistributor.__init__ = Redistributor.__init__
    gpaw.blacs.Redistributor.redistribute = Redistributor.redistribute
    gpaw.matrix.redist = gpaw.core.matrix.redist = redist
