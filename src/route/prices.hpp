// SPDX-License-Identifier: BSD-3-Clause
// Prices of messages, bytes and copies, derived from measured links, and the time of rounds at these prices.
#pragma once

#include <vector>

#include "route/links.hpp"
#include "route/mesh.hpp"
#include "route/route.hpp"

namespace xredist::core {

/// The cost of messages to a process, in seconds. `message` is processor time, half of it at either end. `latency` is
/// the time that the last message of a round takes besides, while the processor waits.
struct Prices {
  double message, byte, latency;
  double copy = 0;  ///< of a byte by the processor, while the adapter carries another message

  /// Returns the time (s) of a round: the maximum of three times. The processor handles all messages of a process; or
  /// it handles half of them and then waits for the last message of a sender; or the adapter carries all bytes.
  double of(const Work& work) const;
};

/// Returns the prices of packets between processes of a node.
Prices in_memory(const Links& links);

/// Returns the prices of packets between nodes, whose processes share one network adapter.
Prices between_nodes(const Links& links);

/// The costs of packets between the processes of a node, and of those that cross the network.
struct Costs {
  Prices memory, far;
  int on_each_node;  ///< positions that follow each other; 0: no round stays on nodes

  bool stays(const Mesh& mesh, int round) const { return on_each_node > 1 && mesh.stays_within(round, on_each_node); }
  /// Returns the time of all rounds.
  double of(const Mesh& mesh, const std::vector<Work>& rounds) const;
};

}  // namespace xredist::core
