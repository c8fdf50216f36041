// A schedule written out: every message.
#pragma once

#include <string>
#include <vector>

#include "xschedule/shown.hpp"

namespace xschedule {

/// A message or a part of one. Processes are numbered row-major in their own grid.
struct ListedPart {
  Index step, sender, receiver, elements;

  /// Both ends have the same number and are taken to be one process, though the papers draw the grids apart.
  bool to_self() const { return sender == receiver; }
};

struct ListedSchedule {
  std::string name;
  bool half_duplex;  ///< process i of A is process i of B, and sends or receives, one at a time
  Index senders, receivers, steps;
  std::vector<ListedPart> parts;  ///< in the order of step, sender, receiver
};

/// One schedule, two where the algorithm needs two passes over the data, none where it is not defined.
std::vector<ListedSchedule> schedules_of(const Algorithm& algorithm, const Shown& c);

/// Why there is none.
std::string why_undefined(const Algorithm& algorithm);

}  // namespace xschedule
