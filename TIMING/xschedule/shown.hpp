// SPDX-License-Identifier: BSD-3-Clause
// A redistribution to be shown.
#pragma once

#include <string>

#include "cases/case.hpp"
#include "schedule/algorithm.hpp"

namespace xschedule {

using namespace xredist::core;

struct Shown {
  std::string title;
  cases::Case c;
  Traffic traffic;
  Network network;   ///< seconds
  int per_node = 0;  ///< processes of a node; 0: nothing is known of nodes
};

/// A vector as a matrix of one column, on a grid of one column.
cases::Matrix line(int procs, Index block);

/// If the case has no size, it gets one period, lcm(P r, Q s), along each axis, or all that is before the end of its
/// intervals. Throws std::invalid_argument, with a line that names the argument, if the case is too large to be listed,
/// or larger than its intervals.
Shown shown(cases::Case c, const Network& network);

/// Messages between two processes that share an element.
Index messages_of(const Traffic& traffic);

}  // namespace xschedule
