// SPDX-License-Identifier: BSD-3-Clause
// Results of all processes on one of them.
#pragma once

#include <mpi.h>

#include <numeric>
#include <span>
#include <vector>

#include "layout/index.hpp"

namespace xredist::trial {

/// Returns the elements of all processes, in the order of their ranks, on process 0; none on others. `size`: the number
/// of processes. Collective over MPI_COMM_WORLD.
template <class Element>
std::vector<Element> gather(std::span<const Element> own, int rank, int size) {
  const int bytes = static_cast<int>(own.size_bytes());
  std::vector<int> sizes(core::as_size(size)), begins(core::as_size(size));
  PMPI_Gather(&bytes, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::exclusive_scan(sizes.begin(), sizes.end(), begins.begin(), 0);
  std::vector<Element> all(rank == 0 ? core::as_size(begins.back() + sizes.back()) / sizeof(Element) : 0);
  PMPI_Gatherv(own.data(), bytes, MPI_BYTE, all.data(), sizes.data(), begins.data(), MPI_BYTE, 0, MPI_COMM_WORLD);
  return all;
}

}  // namespace xredist::trial
