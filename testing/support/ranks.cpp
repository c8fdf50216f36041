// SPDX-License-Identifier: BSD-3-Clause
#include "ranks.hpp"

#include <mpi.h>

namespace xredist::testing {

int rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

int size() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

std::string of_process(int failing, const std::string& sentence) {
  return failing < 0 || size() == 1 ? sentence : "process " + std::to_string(failing) + ": " + sentence;
}

bool anywhere(bool here) {
  int any = here;
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return any != 0;
}

std::int64_t total(std::int64_t here) {
  MPI_Allreduce(MPI_IN_PLACE, &here, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  return here;
}

}  // namespace xredist::testing
