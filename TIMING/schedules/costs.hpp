// SPDX-License-Identifier: BSD-3-Clause
// Costs of schedules. The grids count as disjoint, as in the papers, so a message to oneself costs as much as any
// other. Therefore no schedule is cheaper than the bounds.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "schedule/cost.hpp"
#include "schedules/listed.hpp"

namespace xschedule {

struct Occupation {
  Index messages = 0, elements = 0;
};

/// Returns, for each step, the maxima over all processes of the messages and of the elements that one process sends or
/// receives. In a proper schedule these are one message and the length of the longest message.
std::vector<Occupation> busiest(const ListedSchedule& schedule);

/// Returns the sum over the steps. In a proper schedule: the number of steps that are not empty, and T.
Occupation total(const std::vector<Occupation>& steps);

/// Returns whether no process sends two parts in one step, or receives two.
bool proper(const std::vector<Occupation>& steps);

/// The time in which a part travels (s).
struct Span {
  double start, end;
};

/// Simulates the schedule without barriers. Each process has one port for sending and one for receiving (one for both
/// if half duplex). Each port takes its parts in the order of step and sender. A part starts when both ports have
/// finished all parts before it, and takes alpha + beta times its elements.
std::vector<Span> timeline(const ListedSchedule& schedule, const Network& network);

double end_of(const std::vector<Span>& spans);

/// The costs of an algorithm; with several passes or hops, the sum of all.
struct Verdict {
  std::string name, note = {};
  bool defined = false;
  Index steps = 0;              ///< of the schedule, with empty steps
  Index rounds = 0, total = 0;  ///< S and T: the sum of busiest() over the steps
  double barriers = 0;          ///< alpha S + beta T: seconds with a barrier after each step
  double predicted = 0;         ///< seconds without barriers: the end of timeline()
};

Verdict verdict_on(const Algorithm& algorithm, const std::vector<ListedSchedule>& schedules, const Network& network);

/// Returns Delta and T*. Walks all processes.
Bounds bounds_of(const Traffic& traffic);

/// Returns alpha Delta + beta T*, the lower bound on the time of any schedule.
double min_time(const Bounds& bounds, const Network& network);

/// Prints all algorithms side by side.
void print_comparison(std::ostream& out, const std::vector<Verdict>& verdicts, const Bounds& bounds,
                      const Network& network);

}  // namespace xschedule
