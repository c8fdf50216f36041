// SPDX-License-Identifier: BSD-3-Clause
// How calls are timed: a barrier, the call, the slowest process.
#pragma once

#include <mpi.h>

#include <functional>
#include <vector>

#include "runs/statistics.hpp"

namespace runs {

int rank_in_world();
int size_of_world();

/// Seconds of a call on the slowest process. Collective over `comm`; what follows is collective over MPI_COMM_WORLD.
double seconds_of(const std::function<void()>& call, MPI_Comm comm = MPI_COMM_WORLD);

/// Seconds of each of `count` calls.
std::vector<double> timed(int count, const std::function<void()>& call);

/// The same, summarised, after a call that is not timed, in which everything is done that is done only once.
Summary timed_after_one(int count, const std::function<void()>& call);

/// For each process the rank of the first process on its node. Collective; only the first process gets the ranks.
std::vector<int> nodes_of_world();

/// Whether it holds on all processes.
bool everywhere(bool holds);

/// For records: "right" or "WRONG", or "unchecked".
const char* data_text(bool checked, bool right);

}  // namespace runs
