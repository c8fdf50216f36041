// SPDX-License-Identifier: BSD-3-Clause
// Arrays of any number of axes, stated axis by axis.
#pragma once

#include <functional>
#include <numeric>
#include <vector>

#include "layout/fold.hpp"
#include "random/random_traffic.hpp"

namespace xredist::testing {

/// One axis of n elements: CYCLIC(block) on processes of either grid.
struct Line {
  Index procs_a, block_a, procs_b, block_b, n;
};

/// The rows and columns of an array, and the ranks of both grids by rows and columns, row-major: rank k is at position
/// k of the array's grid, whose last axis is the fastest.
struct LinedArray {
  Traffic traffic;
  std::vector<int> ranks_a, ranks_b;
};

inline LinedArray array_of(const std::vector<Line>& lines) {
  std::vector<ArrayAxis> axes;
  std::vector<int> order;
  std::vector<Index> procs_a, procs_b;
  for (const Line& x : lines) {
    order.push_back(static_cast<int>(axes.size()));
    axes.push_back({{x.block_a, x.procs_a, 0, 0}, {x.block_b, x.procs_b, 0, 0}, x.n});
    procs_a.push_back(x.procs_a);
    procs_b.push_back(x.procs_b);
  }
  const Fold folded = fold(axes, order, order);
  const auto ranks = [&](const std::vector<Index>& procs) {
    const Index count = std::accumulate(procs.begin(), procs.end(), Index{1}, std::multiplies());
    return folded_ranks(folded, procs, ranks_from(0, count), false);
  };
  return {traffic_of(axes, folded), ranks(procs_a), ranks(procs_b)};
}

}  // namespace xredist::testing
