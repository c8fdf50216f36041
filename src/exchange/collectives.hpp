// SPDX-License-Identifier: BSD-3-Clause
// The collective operations of the library. Exchanges that are under way make progress meanwhile.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>

#include "exchange/progress.hpp"

namespace xredist::core {

/// Returns a duplicate of comm, and sums `values` over its processes, in place.
MPI_Comm duplicate(MPI_Comm comm, std::span<std::int64_t> values, Progress& progress);

/// Reduces `values` in place, on all processes.
void reduce(void* values, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm comm, Progress& progress);

/// Broadcasts from rank 0.
void broadcast(void* values, int count, MPI_Datatype type, MPI_Comm comm, Progress& progress);

}  // namespace xredist::core
