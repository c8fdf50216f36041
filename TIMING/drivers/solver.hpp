// SPDX-License-Identifier: BSD-3-Clause
// Eight routines of ScaLAPACK with one interface, and a check of their results.
#pragma once

#include <string_view>

#include "drivers/distributed.hpp"

namespace drivers {

/// The arguments of a routine in one layout. Only the matrices that the routine has are allocated.
struct Problem {
  Distributed a;            ///< the matrix, of order n; afterwards its factors
  Distributed b;            ///< a right-hand side, n x 1; afterwards the solution
  Distributed u, vt;        ///< eigenvectors, or left singular vectors; right singular vectors, transposed
  Vector values;            ///< eigenvalues or singular values
  std::vector<int> pivots;  ///< of the local rows, from 1
  int info = 0;
};

/// A routine of ScaLAPACK.
struct Solver {
  using Matrix = Distributed Problem::*;

  std::string_view name;
  double (*element)(int i, int j);  ///< of the matrix
  std::vector<Matrix> in, out;      ///< the matrices that the routine reads; the ones that the caller wants
  void (*run)(Problem& p);          ///< on the processes of the grid; allocates workspace, sets p.info

  /// Returns the residual in units of n times the rounding unit. `before`: A as the routine got it. `rows`: the
  /// pivots of all rows, if the routine has pivots. Collective over MPI_COMM_WORLD.
  double (*residual)(const Distributed& before, const Problem& after, const std::vector<int>& rows);
};

const std::vector<Solver>& solvers();

/// Returns the arguments of a routine with a matrix of these blocks. `a`: n x n. All elements are zero.
Problem problem(const Solver& solver, const Descriptor& a);

/// Sets A and B to the values before the routine, and its results to zero.
void reset(const Solver& solver, Problem& p);

/// Returns the pivots of all rows. Collective over MPI_COMM_WORLD.
std::vector<int> pivots_of_all_rows(const Problem& p);

}  // namespace drivers
