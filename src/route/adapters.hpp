// SPDX-License-Identifier: BSD-3-Clause
// The network adapters of nodes that have several.
#pragma once

#include <span>
#include <vector>

#include "route/mesh.hpp"
#include "schedule/schedule.hpp"

namespace xredist::core {

/// Returns the adapter of each rank, numbered node by node. The processes of a node, in the order of their ranks, are
/// divided as evenly as possible into one group for each of its `ports` adapters. MPI places processes this way if each
/// uses the adapter that is nearest to its core. `nodes`: node of each rank.
std::vector<int> adapters_of(std::span<const int> nodes, Index ports);

/// Returns the maximum number of processes at an adapter; 1 if nothing is known of nodes.
Index max_sharers(std::span<const int> nodes, Index ports);

/// Maxima over all adapters, or nodes. Elements that stay on a node count too.
struct AdapterLoads {
  double sharers;  ///< elements that an adapter sends or receives directly, in multiples of the busiest process's
  Index node;      ///< elements that the processes of a node have in A or in B
  Index members;   ///< members at one adapter
};

/// Returns the loads of direct messages. Takes time in proportion to the number of ranks.
AdapterLoads adapter_loads(const Traffic& traffic, const ProcessGrid& a, const ProcessGrid& b, const Members& members,
                           std::span<const int> nodes, Index ports);

}  // namespace xredist::core
