// SPDX-License-Identifier: BSD-3-Clause
// The choice of the default schedule. Before the links are explored, plan_on_channel (api/plan_creation.cpp) replaces
// the default by another algorithm.
#pragma once

#include "schedule/cost.hpp"
#include "schedule/schedule.hpp"

namespace xredist::core {

/// Returns the schedule with the least time, with and without barriers, among optimal_schedule (for long axes that are
/// shorter than a period, a schedule with slightly more steps: THEORY.md, T17, T19), a product of schedules of the
/// axes, messages coloured by length, split_schedule and stepwise_schedule. All but the first are tried only while they
/// could save over 2 % of the bounds (T20, T25), and more in network.executions executions than the search takes.
/// THEORY.md says what each is worth. For several executions of few messages, schedules are weighed by all messages,
/// with their exact lengths. If there are few messages, messages to oneself take no step (graph_of). Takes at most
/// about ten milliseconds for 1024 processes and one execution, and thirty for many executions.
Schedule default_schedule(const Traffic& traffic, const Network& network, const Ranks& ranks = {});

}  // namespace xredist::core
