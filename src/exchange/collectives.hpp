// SPDX-License-Identifier: BSD-3-Clause
// The few collective operations of the library. The exchanges that are under way make progress meanwhile.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>

namespace xredist::core {

class Turn;

/// Returns a duplicate of comm, and sums `values` over its processes, in place: both in one waiting time.
MPI_Comm duplicate(MPI_Comm comm, std::span<std::int64_t> values, Turn& turn);

/// In place; the result is on all processes.
void reduce(void* values, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm comm, Turn& turn);

/// From rank 0.
void broadcast(void* values, int count, MPI_Datatype type, MPI_Comm comm, Turn& turn);

}  // namespace xredist::core
