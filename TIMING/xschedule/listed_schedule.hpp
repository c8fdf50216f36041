// SPDX-License-Identifier: BSD-3-Clause
// A schedule written out: every message.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "xschedule/shown.hpp"

namespace xschedule {

/// A message or a part of one. Processes are numbered row-major in their own grid.
struct ListedPart {
  Index step, sender, receiver, elements;
  Index forwarded = 0;  ///< elements that in two hops have another receiver, or come from another sender

  /// Both ends have the same number and are taken to be one process, though the papers draw the grids apart.
  bool to_self() const { return sender == receiver; }
};

struct ListedSchedule {
  std::string name;
  bool half_duplex;  ///< process i of A is process i of B, and sends or receives, one at a time
  Index senders, receivers, steps;
  std::vector<ListedPart> parts;  ///< in the order of step, sender, receiver
  int hop = 1;
  std::array<int, 2> mesh{};  ///< its rows and columns, in two hops

  bool in_two_hops() const { return mesh[0] > 0; }
  std::string title() const { return in_two_hops() ? name + ", hop " + std::to_string(hop) : name; }
};

/// The algorithms of the library, and "two-hop", which makes no schedule by itself: schedules_of knows it.
std::vector<Algorithm> choices();

/// One schedule, two for two hops or where the algorithm needs two passes over the data, none where it is not defined.
std::vector<ListedSchedule> schedules_of(const Algorithm& algorithm, const Shown& c);

/// Why there is none.
std::string why_undefined(const Algorithm& algorithm);

}  // namespace xschedule
