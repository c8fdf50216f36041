// SPDX-License-Identifier: BSD-3-Clause
// Takes the place of src/exchange/collectives.cpp: SimGrid's MPI lacks some of the operations there, and the simulated
// programs have no exchange under way when they call a collective operation.
#include "exchange/progress.hpp"

namespace xredist::core {

MPI_Comm duplicate(MPI_Comm comm, std::span<std::uint64_t> values, Progress& progress) {
  MPI_Comm copy = MPI_COMM_NULL;
  MPI_Comm_dup(comm, &copy);
  reduce(values.data(), static_cast<int>(values.size()), MPI_UINT64_T, MPI_SUM, comm, progress);
  return copy;
}

void reduce(void* values, int count, MPI_Datatype type, MPI_Op operation, MPI_Comm comm, Progress&) {
  MPI_Allreduce(MPI_IN_PLACE, values, count, type, operation, comm);
}

void synchronise(MPI_Comm comm, Progress&) { MPI_Barrier(comm); }

void broadcast(void* values, int count, MPI_Datatype type, MPI_Comm comm, Progress&, int root) {
  MPI_Bcast(values, count, type, root, comm);
}

}  // namespace xredist::core
