// SPDX-License-Identifier: BSD-3-Clause
// relabel.h for C++.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "xredist/layout.hpp"
#include "xredist/relabel.h"

namespace xredist {

/// The ranks of B's grid, row by row, and the fractions of the elements that stay on their process with these ranks
/// (kept) and with b as passed (kept_before).
struct Relabelled {
  std::vector<int> ranks;
  double kept, kept_before;
};

/// Returns the result of xredist_relabel, for layouts in the form of the C interface.
template <class L, class = std::enable_if_t<std::is_same_v<L, xredist_layout>>>
Relabelled relabelled(MPI_Comm comm, const L& a, const L& b, const Operation& operation) {
  // xredist_relabel names the errors: no communicator, and a grid that is empty or larger than comm.
  int running = 0, over = 0, size = 1;
  MPI_Initialized(&running);
  MPI_Finalized(&over);
  if (running != 0 && over == 0 && comm != MPI_COMM_NULL) MPI_Comm_size(comm, &size);
  const auto positions = std::clamp<std::int64_t>(std::int64_t{b.nprow} * b.npcol, 1, size);
  std::vector<int> ranks(static_cast<std::size_t>(positions));
  double kept[2];
  check(xredist_relabel(comm, &a, &b, &operation, ranks.data(), kept));
  return {std::move(ranks), kept[0], kept[1]};
}

/// Returns the result of xredist_relabel. The ranks may become b.ranks.
inline Relabelled relabelled(MPI_Comm comm, const Layout& a, const Layout& b, const Operation& operation) {
  return relabelled<xredist_layout>(comm, detail::Described("a", a), detail::Described("b", b), operation);
}

}  // namespace xredist
