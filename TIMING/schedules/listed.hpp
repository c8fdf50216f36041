// SPDX-License-Identifier: BSD-3-Clause
// A redistribution that xschedule shows, and its schedules as lists of messages.
#pragma once

#include <string>
#include <vector>

#include "schedule/algorithm.hpp"
#include "schedules/case.hpp"

namespace xschedule {

using namespace xredist::core;

struct Shown {
  std::string title;
  cases::Case c;
  Traffic traffic;
  Network network;    ///< seconds
  int per_node;       ///< processes of a node; 0: unknown
  std::string route;  ///< a mesh, as the option `route` names it
};

/// Completes a case. Without a size, each axis gets one period, lcm(P r, Q s), or all elements up to the end of the
/// partitions. Throws std::invalid_argument, with a line that names the argument, if the case is too large to be listed
/// or larger than its partitions.
Shown shown(cases::Case c, const Network& network, int per_node, const std::string& route);

/// Returns the number of pairs of processes that share an element.
Index messages_of(const Traffic& traffic);

/// A message or a part of one. Processes are numbered row-major in their own grid.
struct ListedPart {
  Index step, sender, receiver, elements;
  Index forwarded = 0;  ///< elements, over a mesh, whose final receiver or first sender is a third process

  /// Both ends have the same number and count as one process, though the papers draw the grids apart.
  bool to_self() const { return sender == receiver; }
};

struct ListedSchedule {
  std::string name;
  bool half_duplex;  ///< process i of A is process i of B, and sends or receives one message at a time
  Index senders, receivers, steps;
  std::vector<ListedPart> parts;  ///< ordered by step, sender, receiver
  int hop = 1;
  std::string mesh = {};  ///< radices in the order of the hops, as "16x16"; empty: messages are not forwarded
  Index stored = 0;       ///< in the first hop: maximum of elements that a process forwards in all hops

  bool over_mesh() const { return !mesh.empty(); }
  std::string title() const { return over_mesh() ? name + ", hop " + std::to_string(hop) : name; }
};

/// Returns the algorithms of the library, and the route over a mesh, whose schedules only schedules_of() can make.
/// `route` must outlive the result.
std::vector<Algorithm> choices(std::string_view route);

/// Returns one schedule, one for each hop over a mesh, none if the algorithm is not defined.
std::vector<ListedSchedule> schedules_of(const Algorithm& algorithm, const Shown& c);

/// Returns the reason why an algorithm has no schedule.
std::string why_undefined(const Algorithm& algorithm);

/// Returns the schedules of all hops, as the library makes them when it can store all forwarded elements. All elements
/// that a process sends to another in one hop are one message. Empty if the mesh is one row or one column, or very
/// large.
std::vector<ListedSchedule> hops_of(const std::string& name, const Shown& c);

/// Returns the mesh and the steps in a few words.
std::string described_hops(const std::vector<ListedSchedule>& hops);

}  // namespace xschedule
