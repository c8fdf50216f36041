// Whether a schedule moves a traffic. It does not depend on how schedules are made, nor on a test framework.
#pragma once

#include <string>
#include <vector>

#include "brute_force.hpp"
#include "schedule/schedule.hpp"

namespace xredist::testing {

using namespace core;

enum class Ports {
  one,       ///< proper: at most one send and one receive of a process in a step
  unlimited  ///< any order
};

/// The first fault, or nothing: each message comes once, in parts that partition it; steps are within
/// the count, and ascending at each process; what a sender sends is what the receiver expects.
std::string fault_in(const Traffic& traffic, const Truth& truth, const Schedule& schedule, Ports ports = Ports::one);

/// Elements of the longest part of each step. Walks all messages.
std::vector<Index> longest_of_steps(const Traffic& traffic, const Schedule& schedule);

}  // namespace xredist::testing
