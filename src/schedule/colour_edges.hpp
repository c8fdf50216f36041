// SPDX-License-Identifier: BSD-3-Clause
// Proper edge colouring of bipartite multigraphs.
#pragma once

#include <optional>
#include <vector>

#include "layout/index.hpp"

namespace xredist::core {

struct Edge {
  int left, right;
  friend bool operator==(const Edge&, const Edge&) = default;
};

/// The colour that an edge tries first. Diagonal: left + right, which is already a proper colouring if all nodes meet
/// all, or if nodes in a circle meet their neighbours. Lowest: consecutive edges that share no node get one colour.
enum class FirstColour { diagonal, lowest };

/// Returns a colour in [0, colours) for every edge, such that edges that share a node differ. `colours` must be at
/// least the maximum degree: then a colouring exists, and alternating paths find it (THEORY.md, T1). After these paths
/// have recoloured `max_recoloured` edges, if that is set, no more paths are followed, and edges may get colours below
/// 2 * colours. Deterministic: equal edges in equal order get equal colours.
std::vector<int> colour_edges(const std::vector<Edge>& edges, int lefts, int rights, int colours,
                              std::optional<Index> max_recoloured = std::nullopt,
                              FirstColour first = FirstColour::diagonal);

}  // namespace xredist::core
