// SPDX-License-Identifier: BSD-3-Clause
// All algorithms that schedule a traffic, by name.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "schedule/cost.hpp"
#include "schedule/schedule.hpp"

namespace xredist::core {

/// The algorithms, in the order of algorithms().
enum class AlgorithmId : std::int32_t { by_default, optimal, split, quantised, caterpillar, reference, shifted, rank };

struct Algorithm {
  std::string_view name;
  /// Returns nothing if the algorithm is not defined for the traffic, or too expensive. With ranks, messages of a
  /// process to itself may take no step.
  std::optional<Schedule> (*make)(const Traffic& traffic, const Network& network, const Ranks& ranks);
};

/// Returns all algorithms; the first is the default.
std::span<const Algorithm> algorithms();
const Algorithm& algorithm(AlgorithmId id);
/// Returns nullptr if there is no algorithm of this name.
const Algorithm* find_algorithm(std::string_view name);

/// Returns the schedule of minimum cost alpha S + beta T among optimal_schedule (for long axes that are shorter than a
/// period, a schedule with slightly more steps: THEORY.md, T17, T19), products of schedules of each axis,
/// quantised_schedule and split_schedule. All but the first are tried only while they could save over 10 % of the bound
/// (T20) and more than the search costs. If there are few messages, messages to oneself take no step (graph_of).
/// Takes at most about ten milliseconds for 1024 processes.
Schedule default_schedule(const Traffic& traffic, const Network& network, const Ranks& ranks = {});

}  // namespace xredist::core
