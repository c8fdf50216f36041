// SPDX-License-Identifier: BSD-3-Clause
// The values on which the processes of a call agree, and their comparison.
#pragma once

#include <mpi.h>

#include <array>
#include <optional>

#include "exchange/extremes.hpp"
#include "layout/index.hpp"
#include "scalapack/routine.hpp"

namespace xredist::core {

/// The values of one matrix, which the members of its grid know. M_ and N_ are not among them: each process checks the
/// submatrix against its own M_ and N_, and ScaLAPACK's routine accepts different ones.
struct MatrixValues {
  Index nprow = unknown, npcol = unknown, mb = unknown, nb = unknown, rsrc = unknown, csrc = unknown, i = unknown,
        j = unknown;
  Index roster = unknown;  ///< id of the grid's roster; -1 on a member that does not know the roster

  bool known() const { return nprow != unknown; }
  friend bool operator==(const MatrixValues&, const MatrixValues&) = default;
};

/// All that a plan depends on. If the processes agree on these values, their plans fit together.
struct CallValues {
  Index m, n;
  Index elements;  ///< a number that stands for their types and the operation
  Index kind, shift;
  Index rows_a, cols_a, rows_b, cols_b;  ///< fingerprints of partitions
  MatrixValues a{}, b{};

  MatrixValues& operator[](Which which) { return which == Which::a ? a : b; }
  const MatrixValues& operator[](Which which) const { return which == Which::a ? a : b; }
  friend bool operator==(const CallValues&, const CallValues&) = default;
};

/// The arguments of a call of the drop-in as this process passes them.
struct Arguments {
  CallValues values;
  std::array<Index, 3> sizes_a, sizes_b;  ///< M_, N_ and LLD_

  friend bool operator==(const Arguments&, const Arguments&) = default;
};

inline constexpr Index no_memory = -1;

/// The values of one process.
struct Ballot {
  Index error;  ///< number of an argument with an error on this process, `no_memory`, or `unknown`
  CallValues values;
};

/// The minimum and the maximum of each value that is known to some process.
struct Outcome {
  Ballot min, max;
};

/// Compares the values of all processes by one reduction. Collective.
Outcome compare(const Ballot& ballot, MPI_Comm comm, Progress& progress);

/// The minimum and the maximum of the values of process 0 and of this process.
struct ValueRange {
  CallValues min, max;
};

/// Broadcasts the values of process 0, which takes less than half the time of a reduction. Returns nothing, on all
/// processes, if process 0 does not know the values of both matrices. Collective.
std::optional<ValueRange> compare_with_first(const CallValues& values, MPI_Comm comm, Progress& progress);

}  // namespace xredist::core
