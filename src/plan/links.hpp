// SPDX-License-Identifier: BSD-3-Clause
// How a process reaches the others of its communicator, as far as plans depend on it: values only.
#pragma once

#include <algorithm>
#include <vector>

#include "layout/axis.hpp"

namespace xredist::core {

/// How a load travels (see exchange.cpp).
enum class Way { plain, shared, by_permit };

/// What messages cost, measured; 0: not measured, or there are none.
struct Speed {
  double seconds_per_byte = 0;
  double seconds_per_message = 0;  ///< processor time at both ends
};

/// All members but `neighbours` are equal on all processes of a communicator. The default says that nothing is known
/// yet: then everything travels in plain messages.
struct Links {
  std::vector<int> neighbours;  ///< ranks of the processes that share memory with this one, ascending
  Index shared_bytes = 0;       ///< bytes of memory that each process shows its neighbours; 0: no process shares
  Speed network{};              ///< between nodes
  Speed memory{};               ///< of a copy, and of a message between processes of one node
  std::vector<int> nodes{};     ///< of each rank; numbered by their first processes; empty: not known

  bool shares_with(int rank) const { return std::ranges::binary_search(neighbours, rank); }
};

}  // namespace xredist::core
