// SPDX-License-Identifier: BSD-3-Clause
// relabel.h for C++.
#pragma once

#include <vector>

#include "xredist/relabel.h"
#include "xredist/xredist.hpp"

namespace xredist {

/// The ranks of B's grid, row-major, and the fractions of the elements that stay on their process with these ranks
/// (kept) and with b as passed (kept_before).
struct Relabelled {
  std::vector<int> ranks;
  double kept, kept_before;
};

/// Returns the result of xredist_relabel, which has the same arguments. Throws as check() does.
inline Relabelled relabelled(MPI_Comm comm, std::int64_t m, std::int64_t n, const xredist_layout& a, std::int64_t ia,
                             std::int64_t ja, const xredist_layout& b, std::int64_t ib, std::int64_t jb) {
  const auto positive = [](int x) { return static_cast<std::size_t>(x > 0 ? x : 0); };
  Relabelled result{std::vector<int>(positive(b.nprow) * positive(b.npcol)), 0, 0};
  result.ranks.resize(result.ranks.empty() ? 1 : result.ranks.size());  // xredist_relabel reports wrong shapes
  double kept[2];
  check(xredist_relabel(comm, m, n, &a, ia, ja, &b, ib, jb, result.ranks.data(), kept), "xredist_relabel");
  result.kept = kept[0];
  result.kept_before = kept[1];
  return result;
}

}  // namespace xredist
