// SPDX-License-Identifier: BSD-3-Clause
// Perfect matchings of maximum weight: the assignment problem.
#pragma once

#include <cstddef>
#include <vector>

#include "layout/index.hpp"

namespace xredist::core {

/// The weights of the complete bipartite graph on n + n nodes, row by row: not negative, 0 for no edge.
struct Weights {
  std::size_t n;
  std::vector<Index> values = std::vector<Index>(n * n, 0);

  Index& operator()(std::size_t row, std::size_t col) { return values[row * n + col]; }
  Index operator()(std::size_t row, std::size_t col) const { return values[row * n + col]; }
};

/// Returns for each column its row in a perfect matching of maximum weight. Hungarian method, O(n^3); n times the
/// maximum weight must fit 62 bits. Deterministic.
std::vector<std::size_t> heaviest_matching(const Weights& weights);

}  // namespace xredist::core
