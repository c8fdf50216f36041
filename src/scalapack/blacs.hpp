// SPDX-License-Identifier: BSD-3-Clause
// The functions of BLACS that the library calls. They are the program's own: Netlib's, MKL's or others.
#pragma once

#include <mpi.h>

#include "xredist/integer.h"

namespace xredist::core {

struct Blacs {
  void (*gridinfo)(xredist_int ctxt, xredist_int* nprow, xredist_int* npcol, xredist_int* myrow, xredist_int* mycol);
  void (*abort)(xredist_int ctxt, xredist_int error);
  // The Fortran function: what = 10 returns the communicator of the context as a Fortran handle. Cblacs_get would add
  // an entry to a table of system handles that is never cleared.
  void (*get)(const xredist_int* ctxt, const xredist_int* what, xredist_int* value);
  // The Fortran functions, which a program that links an archive of BLACS may lack: then they are nullptr. gridmap
  // takes a Fortran handle of a communicator, and replaces it by a context; usermap has ranks, column-major. gridexit
  // is called only if gridmap is there.
  void (*gridmap)(xredist_int* ctxt, const xredist_int* usermap, const xredist_int* ldumap, const xredist_int* nprow,
                  const xredist_int* npcol);
  void (*gridexit)(const xredist_int* ctxt);

  bool makes_grids() const { return gridmap != nullptr && gridexit != nullptr; }
};

/// Returns the BLACS of the program. Without BLACS, no context is valid. Thread-safe.
const Blacs& blacs();

/// A grid as this process sees it.
struct Grid {
  int nprow, npcol, myrow, mycol;

  bool member() const { return myrow >= 0 && myrow < nprow && mycol >= 0 && mycol < npcol; }
  int size() const { return nprow * npcol; }
  /// Return the processes along an axis, and this process's place there. 0: the rows; 1: the columns.
  int procs(int axis) const { return axis == 0 ? nprow : npcol; }
  int coordinate(int axis) const { return axis == 0 ? myrow : mycol; }
};

/// Returns the grid of a context; this process is no member if the context is invalid.
inline Grid grid_of(xredist_int ctxt) {
  xredist_int nprow, npcol, myrow, mycol;
  blacs().gridinfo(ctxt, &nprow, &npcol, &myrow, &mycol);
  return {static_cast<int>(nprow), static_cast<int>(npcol), static_cast<int>(myrow), static_cast<int>(mycol)};
}

/// Returns the communicator of a context that has this process. Its ranks are the positions in the grid, row-major, in
/// whatever order the grid was filled.
inline MPI_Comm communicator(xredist_int ctxt) {
  constexpr xredist_int blacs_context_communicator = 10;
  xredist_int handle = 0;
  blacs().get(&ctxt, &blacs_context_communicator, &handle);
  return MPI_Comm_f2c(static_cast<MPI_Fint>(handle));
}

}  // namespace xredist::core
