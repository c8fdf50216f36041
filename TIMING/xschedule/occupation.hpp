// SPDX-License-Identifier: BSD-3-Clause
// What a schedule costs. The grids are taken to be disjoint, as in the papers, so a message to oneself costs as much as
// any other. Therefore no schedule can be cheaper than the bounds.
#pragma once

#include <vector>

#include "xschedule/listed_schedule.hpp"

namespace xschedule {

struct Occupation {
  Index messages = 0, elements = 0;
};

/// The most that one process sends or receives in each step. In a proper schedule that is one message, the longest; if
/// a step has many messages for one receiver, all of them count.
std::vector<Occupation> busiest(const ListedSchedule& schedule);

/// The sum over the steps. If the schedule is proper, it is the number of steps that are not empty, and T.
Occupation total(const std::vector<Occupation>& steps);

/// Whether no process sends two parts in a step, nor receives two.
bool proper(const std::vector<Occupation>& steps);

/// For each part, whether its sender or its receiver has another part in the same step.
std::vector<bool> collisions(const ListedSchedule& schedule);

/// When a part travels: its sender is free from `ready`, its receiver from `start` at the latest.
struct Span {
  double ready, start, end;
};

/// Without barriers. Each process has one port for sending and one for receiving (one for both if half duplex), and
/// each port takes its parts in the order of step and sender. A part starts when both its ends have come to it, and
/// takes alpha + beta times its elements.
std::vector<Span> timeline(const ListedSchedule& schedule, const Network& network);

double end_of(const std::vector<Span>& spans);

}  // namespace xschedule
