// SPDX-License-Identifier: BSD-3-Clause
// Checks whether a schedule moves a traffic, without the code that makes schedules and without a test framework.
#pragma once

#include <string>
#include <vector>

#include "random/brute_force.hpp"
#include "schedule/schedule.hpp"

namespace xredist::testing {

using namespace core;

enum class Ports {
  one,       ///< proper: at most one send and one receive of a process in a step
  unlimited  ///< any order
};

/// Returns the first error, or nothing. Each message comes once, in parts that partition it. Steps are within the
/// count, and ascend at each process. Receivers expect the parts that senders send. With ranks, a message to oneself
/// may have any step, even a step outside the count or the step of another message.
std::string fault_in(const Traffic& traffic, const Truth& truth, const Schedule& schedule, Ports ports = Ports::one,
                     const Ranks& ranks = {});

/// Returns whether these are one process.
bool same_process(const Traffic& traffic, const Ranks& ranks, Coord p, Coord q);

/// Returns the elements of the longest part of each step, without messages to oneself. Walks all messages.
std::vector<Index> longest_of_steps(const Traffic& traffic, const Schedule& schedule, const Ranks& ranks = {});

}  // namespace xredist::testing
