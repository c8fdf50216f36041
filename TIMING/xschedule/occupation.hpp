// What a plan costs. The grids are taken to be disjoint, as in the papers, so a message to oneself
// costs what any other does: then no plan can be cheaper than the bounds.
#pragma once

#include <vector>

#include "xschedule/plan.hpp"

namespace xschedule {

struct Occupation {
  Index messages = 0, elements = 0;
};

/// The most that one process sends or receives in each step. In a proper schedule one message, and
/// the longest; an order that sends many to one receiver in a step pays for all of them.
std::vector<Occupation> busiest(const Plan& plan);

/// The sum over the steps: steps that are not empty, and T, if the schedule is proper.
Occupation total(const std::vector<Occupation>& steps);

/// Whether no process sends two pieces in a step, nor receives two.
bool proper(const std::vector<Occupation>& steps);

/// When a piece travels: its sender is free from `ready`, its receiver from `start` at the latest.
struct Span {
  double ready, start, end;
};

/// Without barriers, one port for sending and one for receiving on each process (one for both if half
/// duplex): each takes its pieces in the order of step and sender; a piece starts when both its ends
/// have come to it, and takes alpha + beta times its elements.
std::vector<Span> timeline(const Plan& plan, const Network& network);

double end_of(const std::vector<Span>& spans);

}  // namespace xschedule
