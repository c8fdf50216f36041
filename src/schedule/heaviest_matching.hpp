// SPDX-License-Identifier: BSD-3-Clause
// Matchings of maximum weight: the assignment problem.
#pragma once

#include <cstddef>
#include <vector>

#include "layout/index.hpp"

namespace xredist::core {

/// The weights of the complete bipartite graph of rows and columns, no fewer columns than rows, row by row: not
/// negative, 0 for no edge.
struct Weights {
  std::size_t rows, cols;
  std::vector<Index> values = std::vector<Index>(rows * cols, 0);

  Index& operator()(std::size_t row, std::size_t col) { return values[row * cols + col]; }
  Index operator()(std::size_t row, std::size_t col) const { return values[row * cols + col]; }
};

/// Returns for each column its row, or `cols` if it has none, in a matching of all rows that has the maximum weight.
/// Hungarian method, O(rows^2 cols); `cols` times the maximum weight must fit 62 bits. Deterministic.
std::vector<std::size_t> heaviest_matching(const Weights& weights);

}  // namespace xredist::core
