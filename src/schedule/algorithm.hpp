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

}  // namespace xredist::core
