// SPDX-License-Identifier: BSD-3-Clause
// The collective operations of progress.hpp: duplicate, reduce, synchronise and broadcast, each of which makes
// progress.
#include "exchange/progress.hpp"
#include "watch/watched.hpp"

namespace xredist::core {

// No operation may block this thread: other processes may reach the operation only when exchanges that are under way
// here have ended. MPI_Comm_idup of Open MPI 4.1 hangs if two threads call it at once; MPI_Comm_dup does not, but it
// blocks, so another thread calls it.
MPI_Comm duplicate(MPI_Comm comm, std::span<std::uint64_t> values, Progress& progress) {
  const InPhase phase(Phase::duplication);
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  if (progress.many_threads())
    progress.run_beside([&] { MPI_Comm_dup(comm, &copy); });
  else
    MPI_Comm_idup(comm, &copy, &request);
  reduce(values.data(), static_cast<int>(values.size()), MPI_UINT64_T, MPI_SUM, comm, progress);
  if (request != MPI_REQUEST_NULL) progress.complete(request);
  return copy;
}

void reduce(void* values, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm comm, Progress& progress) {
  MPI_Request request = MPI_REQUEST_NULL;
  const InPhase phase(Phase::reduction);
  MPI_Iallreduce(MPI_IN_PLACE, values, count, type, operation, comm, &request);
  progress.complete(request);
}

void synchronise(MPI_Comm comm, Progress& progress) {
  MPI_Request request = MPI_REQUEST_NULL;
  const InPhase phase(Phase::barrier);
  MPI_Ibarrier(comm, &request);
  progress.complete(request);
}

void broadcast(void* values, int count, MPI_Datatype type, MPI_Comm comm, Progress& progress, int root) {
  MPI_Request request = MPI_REQUEST_NULL;
  const InPhase phase(Phase::broadcast);
  MPI_Ibcast(values, count, type, root, comm, &request);
  progress.complete(request);
}

}  // namespace xredist::core
