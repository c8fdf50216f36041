// SPDX-License-Identifier: BSD-3-Clause
// A process grid before it is a BLACS context.
#pragma once

#include <vector>

namespace xredist::testing {

/// ranks[row * npcol + col]: rank in MPI_COMM_WORLD, all different.
struct GridShape {
  int nprow, npcol;
  std::vector<int> ranks;
};

}  // namespace xredist::testing
