// SPDX-License-Identifier: BSD-3-Clause
// Proper edge colouring of a bipartite multigraph.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace xredist::core {

struct Edge {
  int left, right;
  friend bool operator==(const Edge&, const Edge&) = default;
};

/// Which colour an edge tries first. Diagonal: left + right. Where all nodes meet all, or nodes in a circle their
/// neighbours, that is a colouring by itself. Lowest: edges that follow each other and share no node get one colour.
enum class FirstColour { diagonal, lowest };

/// A colour in [0, colours) for every edge, so that edges that share a node differ. `colours` must
/// be at least the largest degree: then a colouring exists (THEORY.md, T1) and alternating paths
/// find it. Once these have exchanged the colours of `most_steps` edges, no path is walked any more, and edges get
/// colours up to 2 colours where they must. Deterministic: the same edges in the same order get the same colours.
std::vector<int> colour_edges(const std::vector<Edge>& edges, int lefts, int rights, int colours,
                              std::int64_t most_steps = std::numeric_limits<std::int64_t>::max(),
                              FirstColour first = FirstColour::diagonal);

}  // namespace xredist::core
