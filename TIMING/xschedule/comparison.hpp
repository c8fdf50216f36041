// SPDX-License-Identifier: BSD-3-Clause
// All algorithms side by side.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "schedule/algorithm.hpp"
#include "schedule/cost.hpp"
#include "xschedule/listed_schedule.hpp"

namespace xschedule {

/// What an algorithm costs; if it needs two passes or two hops, the sum of both.
struct Verdict {
  std::string name, note = {};
  bool defined = false;
  Index steps = 0;              ///< as the schedule counts them, with empty ones
  Index rounds = 0, total = 0;  ///< sums over the steps of occupation.hpp's busiest(): S and T
  double barriers = 0;          ///< alpha S + beta T: seconds with a barrier after each step
  double predicted = 0;         ///< seconds without (occupation.hpp's timeline)
};

Verdict verdict_on(const Algorithm& algorithm, const std::vector<ListedSchedule>& schedules, const Network& network);

/// alpha Delta + beta T*: no schedule takes less.
double least_time(const Bounds& bounds, const Network& network);

void print_comparison(std::ostream& out, const std::vector<Verdict>& verdicts, const Bounds& bounds,
                      const Network& network);

}  // namespace xschedule
