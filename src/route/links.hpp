// SPDX-License-Identifier: BSD-3-Clause
// The links between a process and the others of its communicator, as far as plans depend on them.
#pragma once

#include <algorithm>
#include <vector>

#include "layout/axis.hpp"

namespace xredist::core {

/// The measured cost of messages. 0: not measured.
struct Speed {
  double seconds_per_byte = 0;
  double seconds_per_message = 0;  ///< processor time at both ends
};

/// All members except `neighbours` are equal on all processes of a communicator. By default nothing is known: then all
/// packets are plain messages.
struct Links {
  std::vector<int> neighbours;  ///< ranks of the processes that share memory with this one, ascending
  Index shared_bytes = 0;       ///< bytes of memory that each process shows its neighbours; 0: no process shares
  Speed network{};              ///< between nodes
  Speed memory{};               ///< of a copy, and of a message between processes of one node
  std::vector<int> nodes{};     ///< node of each rank, numbered by first process; empty: not known

  bool shares_with(int rank) const { return std::ranges::binary_search(neighbours, rank); }
};

}  // namespace xredist::core
