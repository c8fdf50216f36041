// SPDX-License-Identifier: BSD-3-Clause
// The heaviest matching of a bipartite graph.
#pragma once

#include <vector>

#include "layout/axis.hpp"
#include "schedule/colouring.hpp"

namespace xredist::core {

/// Numbers of edges that share no node and have the greatest sum of weights; edges of weight 0 or
/// less are never taken. Hungarian method, O(n^3) for n nodes on the larger side; n times the largest
/// weight must fit 62 bits. Deterministic.
std::vector<int> heaviest_matching(const std::vector<Edge>& edges, const std::vector<Index>& weights, int lefts,
                                   int rights);

}  // namespace xredist::core
