// SPDX-License-Identifier: BSD-3-Clause
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
/// the count, and ascending at each process; what a sender sends is what the receiver expects. With ranks, a message to
/// oneself may have any step, even if that is not within the count or another message has it.
std::string fault_in(const Traffic& traffic, const Truth& truth, const Schedule& schedule, Ports ports = Ports::one,
                     const Ranks& ranks = {});

/// Whether these are one process.
bool same_process(const Traffic& traffic, const Ranks& ranks, Coord p, Coord q);

/// Elements of the longest part of each step, without messages to oneself. Walks all messages.
std::vector<Index> longest_of_steps(const Traffic& traffic, const Schedule& schedule, const Ranks& ranks = {});

}  // namespace xredist::testing
