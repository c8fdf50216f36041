// The few functions of BLACS that are used.
#pragma once

#include <mpi.h>

extern "C" {
void Cblacs_gridinfo(int ctxt, int* nprow, int* npcol, int* myrow, int* mycol);
void Cblacs_abort(int ctxt, int error);
// The Fortran function: what = 10 gives the context's communicator as a Fortran handle. (Cblacs_get would enter it into
// a table of system handles, which is never cleared.)
void blacs_get_(const int* ctxt, const int* what, int* value);
}

namespace xredist::core {

/// A grid as this process sees it.
struct Grid {
  int nprow, npcol, myrow, mycol;

  bool member() const { return myrow >= 0 && myrow < nprow && mycol >= 0 && mycol < npcol; }
  int size() const { return nprow * npcol; }
};

/// For an invalid context this process is no member.
inline Grid grid_of(int ctxt) {
  Grid grid;
  Cblacs_gridinfo(ctxt, &grid.nprow, &grid.npcol, &grid.myrow, &grid.mycol);
  return grid;
}

/// The communicator of a context of which this process is a member. Its ranks are the grid's
/// positions, row-major, whatever the order in which the grid was filled.
inline MPI_Comm communicator(int ctxt) {
  constexpr int blacs_context_communicator = 10;
  int handle = 0;
  blacs_get_(&ctxt, &blacs_context_communicator, &handle);
  return MPI_Comm_f2c(handle);
}

}  // namespace xredist::core
