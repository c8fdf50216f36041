// SPDX-License-Identifier: BSD-3-Clause
// The links between a process and the others of its communicator, as far as plans depend on them.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "layout/axis.hpp"

namespace xredist::core {

/// The measured cost of messages. 0: not measured.
struct Speed {
  double seconds_per_byte = 0;
  double seconds_per_message = 0;  ///< processor time at both ends
  double latency = 0;              ///< seconds from the sender to the receiver, without processor time
  /// Seconds per byte from a node to the next one, with latency. Less than `seconds_per_byte` where nodes that are far
  /// from each other share links, as on a torus.
  double to_next_node = 0;
};

/// The node of each process of a communicator. The list has an entry for each process, so copies share the list, and
/// its maxima are computed once.
class Nodes {
 public:
  /// Nothing is known of nodes.
  Nodes() = default;
  /// Takes the node of each rank. Nodes are numbered by their first processes, so there may be as many as ranks.
  Nodes(std::vector<int> of_ranks);  // NOLINT(google-explicit-constructor): the list is the value

  bool empty() const { return of_ == nullptr; }
  int operator[](int rank) const { return at(*of_, rank); }
  /// Returns the number of nodes; 1 if nothing is known.
  int count() const { return count_; }
  /// Returns the maximum number of processes on a node; 1 if nothing is known.
  Index max_processes() const { return max_processes_; }

 private:
  std::shared_ptr<const std::vector<int>> of_;
  int count_ = 1;
  Index max_processes_ = 1;
};

/// Bytes of a page on most systems.
inline constexpr Index default_page_bytes = 4096;

/// All members except `neighbours` are equal on all processes of a communicator. By default nothing is known: then all
/// packets are plain messages.
struct Links {
  std::vector<int> neighbours;  ///< ranks of the processes that share memory with this one, ascending
  Index shared_bytes = 0;       ///< bytes of memory that each process shows its neighbours; 0: no process shares
  Speed network{};              ///< between nodes
  Speed memory{};               ///< of a copy, and of a message between processes of one node
  Nodes nodes{};
  Index page_bytes = default_page_bytes;  ///< maximum size of a page among all processes

  bool shares_with(int rank) const { return std::ranges::binary_search(neighbours, rank); }
};

}  // namespace xredist::core
