// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/collectives.hpp"

#include "exchange/process.hpp"

namespace xredist::core {

#ifndef XREDIST_SIMULATED

// No operation blocks: other processes may reach it only when exchanges that are under way here have ended.
MPI_Comm duplicate(MPI_Comm comm, std::span<std::int64_t> values, Turn& turn) {
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm_idup(comm, &copy, &request);
  reduce(values.data(), static_cast<int>(values.size()), MPI_INT64_T, MPI_SUM, comm, turn);
  turn.complete(request);
  return copy;
}

void reduce(void* values, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm comm, Turn& turn) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(MPI_IN_PLACE, values, count, type, operation, comm, &request);
  turn.complete(request);
}

void broadcast(void* values, int count, MPI_Datatype type, MPI_Comm comm, Turn& turn) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(values, count, type, 0, comm, &request);
  turn.complete(request);
}

#else  // SimGrid's MPI lacks some of these operations, and the simulated programs have no exchange under way.

MPI_Comm duplicate(MPI_Comm comm, std::span<std::int64_t> values, Turn& turn) {
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(comm, &copy);
  reduce(values.data(), static_cast<int>(values.size()), MPI_INT64_T, MPI_SUM, comm, turn);
  return copy;
}

void reduce(void* values, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm comm, Turn&) {
  MPI_Allreduce(MPI_IN_PLACE, values, count, type, operation, comm);
}

void broadcast(void* values, int count, MPI_Datatype type, MPI_Comm comm, Turn&) {
  MPI_Bcast(values, count, type, 0, comm);
}

#endif

}  // namespace xredist::core
