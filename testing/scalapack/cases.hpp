// SPDX-License-Identifier: BSD-3-Clause
// A redistribution to try, and what must come of it.
#pragma once

#include <iosfwd>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "grid.hpp"
#include "routines.hpp"

namespace xredist::testing {

/// One matrix: global size, blocks, source process, the submatrix's first element (from 1), and by how many rows the
/// leading dimension is larger than it must be.
struct Shape {
  int M, N, MB, NB, RSRC, CSRC, i, j, padding;
};

struct Case {
  GridShape grid_a, grid_b, context;
  Shape a, b;
  int m, n;
  bool trapezoid = false;
  char uplo = 'U', diag = 'N';
};

std::string described(const Case& c);

/// Any kinds of grids on the processes of MPI_COMM_WORLD; the same on all of them for one seed.
Case random_case(std::mt19937& random, int longest);

/// From a line of REDIST's GEMR2D.dat (22 integers) or TRMR2D.dat (24), see redist-data/README.md. No value if the line
/// has another number of integers.
std::optional<Case> redist_case(const std::vector<int>& line, bool trapezoid);

struct Options {
  Form form = Form::c;
  bool compare = has_scalapack;  ///< with ScaLAPACK's own routine, bit for bit
};

/// Redistributes, and checks every element of B and around it, and that A is unchanged. The value of an element is made
/// from its global indices. Collective over MPI_COMM_WORLD. Returns how many elements moved, on all processes together;
/// what is wrong is written to `wrong`.
long run_case(const Case& c, const Letter& letter, const Letter& reference, const Options& options,
              std::ostream& wrong);

}  // namespace xredist::testing
