// SPDX-License-Identifier: BSD-3-Clause
// The arguments on which the processes of a call must agree, and what one process knows of them before they agree.
#pragma once

#include <span>

#include "scalapack/matrix_arguments.hpp"
#include "scalapack/rosters.hpp"
#include "scalapack/values.hpp"

namespace xredist::core {

/// The arguments of a call: one matrix or two, and the fields that the routine names.
struct Question {
  const Routine& routine;
  std::span<const MatrixArguments> matrices;
  std::array<Index, max_fields> fields{};
};

/// The grid of a matrix as this process sees it.
struct GridView {
  Which which;
  xredist_int ctxt;
  Grid grid{-1, -1, -1, -1};
  MPI_Comm comm = MPI_COMM_NULL;  ///< of the grid, if this process is a member
  Index roster = unknown;         ///< its number; -1 if this process is a member and does not know it
};

/// The arguments of a call as this process passes them.
struct Passed {
  Values values;
  std::array<std::array<Index, 3>, 2> sizes{};  ///< of each matrix, on the members of its grid: M_, N_ and LLD_

  friend bool operator==(const Passed&, const Passed&) = default;
};

/// A call as this process sees it.
struct View {
  std::array<GridView, 2> grids;
  Passed passed;
};

/// Returns the call as this process sees it. The arguments need not be valid. Forgets the oldest rosters, so it is
/// called once per call. Local; allocates nothing.
View view_of(const Question& question, Rosters& rosters);

}  // namespace xredist::core
