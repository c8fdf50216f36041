// The schedule that is taken where none is asked for.
#pragma once

#include "schedule/cost.hpp"
#include "schedule/schedule.hpp"

namespace xredist::core {

/// For 1024 processes about ten milliseconds at most. The cheapest by alpha S + beta T of optimal_schedule (of long
/// axes that are shorter than a period, one of some more steps: THEORY.md) and, while more than a tenth of the bound
/// and the work of looking can be saved, of products of schedules of each axis, quantised_schedule and split_schedule.
Schedule default_schedule(const Traffic& traffic, const Network& network);

}  // namespace xredist::core
