// SPDX-License-Identifier: BSD-3-Clause
// Times of calls, after a barrier. Statistics of many calls.
#pragma once

#include <mpi.h>

#include <functional>
#include <vector>

#include "layout/index.hpp"

namespace drivers {

using xredist::core::as_size, xredist::core::at;

/// Statistics of times. The probability that [low, high] contains the median of all possible calls is at least 95 %,
/// whatever the distribution. Both bounds are among the times; of fewer than six times they are the extremes.
struct Summary {
  double min = 0, median = 0, low = 0, high = 0;
};

/// Summarises at least one time.
Summary summary_of(std::vector<double> times);

int rank_in_world();
int size_of_world();

/// Returns the seconds from the first start of a call on a process to its last end; if the processes are on several
/// nodes, which have no common clock, the seconds of the call on the slowest process. Collective over `comm`.
double seconds_of(const std::function<void()>& call, MPI_Comm comm);

/// Returns, on rank 0, for each process the lowest rank of its node. Collective over MPI_COMM_WORLD.
std::vector<int> nodes_of_world();

}  // namespace drivers
