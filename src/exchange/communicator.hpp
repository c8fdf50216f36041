// SPDX-License-Identifier: BSD-3-Clause
// The place of this process in a communicator.
#pragma once

#include <mpi.h>

namespace xredist::core {

/// Returns the rank of this process.
inline int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

/// Returns the number of processes.
inline int size_of(MPI_Comm comm) {
  int size = 1;
  MPI_Comm_size(comm, &size);
  return size;
}

}  // namespace xredist::core
