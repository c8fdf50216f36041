// The few collective operations of the library. What this process has under way goes on while it waits for the others.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>

namespace xredist::core {

class Turn;

/// Of comm. On the way `values` are summed over its processes, in place: one wait for both.
MPI_Comm duplicate(MPI_Comm comm, std::span<std::int64_t> values, Turn& turn);

/// In place, on all processes.
void reduce(void* values, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm comm, Turn& turn);

/// From rank 0.
void broadcast(void* values, int count, MPI_Datatype type, MPI_Comm comm, Turn& turn);

}  // namespace xredist::core
