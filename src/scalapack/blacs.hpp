// SPDX-License-Identifier: BSD-3-Clause
// The few functions of BLACS that are used.
#pragma once

#include <mpi.h>

#include "xredist/integer.h"

extern "C" {
void Cblacs_gridinfo(xredist_int ctxt, xredist_int* nprow, xredist_int* npcol, xredist_int* myrow, xredist_int* mycol);
void Cblacs_abort(xredist_int ctxt, xredist_int error);
// The Fortran function: what = 10 gives the context's communicator as a Fortran handle. (Cblacs_get would enter it into
// a table of system handles, which is never cleared.)
void blacs_get_(const xredist_int* ctxt, const xredist_int* what, xredist_int* value);
}

namespace xredist::core {

/// A grid as this process sees it.
struct Grid {
  int nprow, npcol, myrow, mycol;

  bool member() const { return myrow >= 0 && myrow < nprow && mycol >= 0 && mycol < npcol; }
  int size() const { return nprow * npcol; }
};

/// For an invalid context this process is no member.
inline Grid grid_of(xredist_int ctxt) {
  xredist_int nprow, npcol, myrow, mycol;
  Cblacs_gridinfo(ctxt, &nprow, &npcol, &myrow, &mycol);
  return {static_cast<int>(nprow), static_cast<int>(npcol), static_cast<int>(myrow), static_cast<int>(mycol)};
}

/// The communicator of a context of which this process is a member. Its ranks are the grid's
/// positions, row-major, whatever the order in which the grid was filled.
inline MPI_Comm communicator(xredist_int ctxt) {
  constexpr xredist_int blacs_context_communicator = 10;
  xredist_int handle = 0;
  blacs_get_(&ctxt, &blacs_context_communicator, &handle);
  return MPI_Comm_f2c(static_cast<MPI_Fint>(handle));
}

}  // namespace xredist::core
