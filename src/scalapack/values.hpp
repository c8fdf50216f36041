// SPDX-License-Identifier: BSD-3-Clause
// The values on which the processes of a call agree, and their comparison.
#pragma once

#include <mpi.h>

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "api/everywhere.hpp"
#include "exchange/extremes.hpp"
#include "layout/index.hpp"

namespace xredist::core {

/// The values of an axis. All processes know the partition, and the members of the grid know the others. M_ and N_ are
/// not among them: each process checks the submatrix against its own M_ and N_, and ScaLAPACK's routine accepts
/// different ones.
struct AxisValues {
  Index procs = unknown, block = unknown, source = unknown;  ///< block and source: 0 with a partition
  Index first = unknown;                                     ///< of the submatrix, from 1
  Index partition = unknown;                                 ///< its fingerprint

  friend bool operator==(const AxisValues&, const AxisValues&) = default;
};

/// The values of one matrix.
struct MatrixValues {
  std::array<AxisValues, 2> axes{};  ///< the rows and the columns
  Index roster = unknown;            ///< id of the grid's roster; -1 on a member that does not know the roster

  bool known() const { return axes[0].procs != unknown; }
  friend bool operator==(const MatrixValues&, const MatrixValues&) = default;
};

inline constexpr std::size_t max_fields = 10;

/// All that the result of a call depends on. If the processes agree on these values, their plans fit together. The
/// Question of the call names the fields and has the number of matrices.
struct Values {
  std::array<Index, max_fields> fields{};
  std::array<MatrixValues, 2> matrices{};

  friend bool operator==(const Values&, const Values&) = default;
};

/// The call in which a process is.
struct CallId {
  Index routine = 0;  ///< packed_name() of its name
  Index number = 0;   ///< of the call of the drop-in on its context

  friend bool operator==(const CallId&, const CallId&) = default;
};

/// Returns the first eight letters of a name as a number that is not negative: "PDGEMR2D" whole. Letters are ASCII.
Index packed_name(std::string_view name);
/// Returns these letters.
[[gnu::cold]] std::string unpacked_name(Index number);

/// The values of one process, and whether its call has failed already.
struct Contribution {
  Failing failing;
  CallId call;
  Values values;
};

/// The minimum and the maximum of each value that is known to some process.
struct ContributionRange {
  Contribution min, max;
};

/// Words of memory that a comparison needs.
inline constexpr std::size_t compared_words = 2 * sizeof(Contribution) / sizeof(Index);

/// Compares the values of all processes by one reduction. `words`: compared_words, and others of the caller, of which
/// the reduction leaves the maxima. Collective.
ContributionRange compare(const Contribution& contribution, std::span<Index> words, MPI_Comm comm, Progress& progress);

/// The call of process 0, and the minimum and the maximum of its values and those of this process.
struct ValueRange {
  CallId first;
  Values min, max;
};

/// Broadcasts the call and the values of process 0, which takes less than half the time of a reduction. Returns
/// nothing, on all processes, if process 0 does not know the values of both matrices. Collective.
std::optional<ValueRange> compare_with_first(const CallId& call, const Values& values, MPI_Comm comm,
                                             Progress& progress);

}  // namespace xredist::core
