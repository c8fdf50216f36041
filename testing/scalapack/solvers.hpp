// SPDX-License-Identifier: BSD-3-Clause
// Routines of ScaLAPACK on dense random matrices, with the workspace that they ask for themselves.
#pragma once

#include <span>
#include <string>

#include "dense.hpp"

namespace xredist::testing {

/// The results of a routine.
struct Solved {
  int info = 0;          ///< the largest |INFO| of all processes
  bool overrun = false;  ///< whether a process wrote behind an array
  double error = 0;      ///< the largest residual, or deviation from orthogonality
};

/// A routine with arrays of the lengths that it returns for LWORK = -1.
struct Solver {
  const char* name;
  Solved (*solve)(const Square& on);  ///< collective over MPI_COMM_WORLD
};

std::span<const Solver> solvers();

/// Returns what PXERBLA has been told since the last call. On two processes or more, PXERBLA ends the program, because
/// the others would wait.
std::string complaint();

}  // namespace xredist::testing
