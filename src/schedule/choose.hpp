// SPDX-License-Identifier: BSD-3-Clause
// The schedule that is taken where none is asked for.
#pragma once

#include "schedule/cost.hpp"
#include "schedule/schedule.hpp"

namespace xredist::core {

/// The schedule with the least cost alpha S + beta T of these: optimal_schedule (for long axes that are shorter than a
/// period, one with some more steps: THEORY.md, T17 to T19); and, while more than a tenth of the bound (T20) and more
/// than the work of looking can be saved, products of schedules of each axis, quantised_schedule and split_schedule.
/// Messages to oneself take no step where there are few messages (graph_of).
/// Takes about ten milliseconds at most for 1024 processes.
Schedule default_schedule(const Traffic& traffic, const Network& network, const Ranks& ranks = {});

}  // namespace xredist::core
