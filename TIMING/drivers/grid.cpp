// SPDX-License-Identifier: BSD-3-Clause
#include "drivers/grid.hpp"

#include <mpi.h>

#include <algorithm>

extern "C" {
void Cblacs_get(int ctxt, int what, int* value);
void Cblacs_gridmap(int* ctxt, int* usermap, int ldumap, int nprow, int npcol);
void Cblacs_gridexit(int ctxt);
}

namespace drivers {

Context::Context(int nprow, int npcol, const std::vector<int>& ranks) {
  std::vector<int> map;  // column by column
  for (int col = 0; col < npcol; ++col)
    for (int row = 0; row < nprow; ++row) map.push_back(ranks[static_cast<std::size_t>(row * npcol + col)]);
  int handle = 0;
  Cblacs_get(0, 0, &handle);
  Cblacs_gridmap(&handle, map.data(), nprow, nprow, npcol);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const auto position = std::ranges::find(ranks, rank) - ranks.begin();
  if (position == static_cast<std::ptrdiff_t>(ranks.size())) return;
  handle_ = handle;
  row_ = static_cast<int>(position) / npcol;
  col_ = static_cast<int>(position) % npcol;
}

Context::~Context() {
  if (member()) Cblacs_gridexit(handle_);
}

}  // namespace drivers
