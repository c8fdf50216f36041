// SPDX-License-Identifier: BSD-3-Clause
// Redistributions to try, with their expected results.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "grid.hpp"
#include "random.hpp"
#include "routines.hpp"

namespace xredist::testing {

/// One matrix: global size, blocks, source process, first element of the submatrix (from 1), and the rows by which the
/// leading dimension exceeds its minimum.
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

/// Draws a case with any grids on the processes of MPI_COMM_WORLD. All processes draw the same case from a seed.
Case random_case(Random& random, int longest);

struct Options {
  Form form = Form::c;
  bool compare = has_scalapack();  ///< with ScaLAPACK's own routine, bit for bit
};

/// Redistributes. Checks every element of B and around B, and that A is unchanged. The value of an element follows from
/// its global indices. Collective over MPI_COMM_WORLD. Returns the number of elements that moved on all processes, and
/// writes errors to `wrong`.
long run_case(const Case& c, const Letter& letter, const Letter& reference, const Options& options,
              std::ostream& wrong);

}  // namespace xredist::testing
