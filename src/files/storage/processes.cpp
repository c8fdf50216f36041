// SPDX-License-Identifier: BSD-3-Clause
#include "storage/processes.hpp"

#include <array>
#include <charconv>

#include "storage/shared_failure.hpp"

namespace xredist::files {

int rank_in(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

int size_of(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}

Index buffer_of(MPI_Comm comm) {
  std::array<char, 32> text{};
  demand_success(xredist_get_option(comm, "buffer", text.data(), text.size()));
  Index bytes = 0;
  std::from_chars(text.data(), text.data() + text.size(), bytes);
  return bytes;
}

}  // namespace xredist::files
