// SPDX-License-Identifier: BSD-3-Clause
// All ways to schedule a traffic, by name.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "schedule/cost.hpp"
#include "schedule/schedule.hpp"

namespace xredist::core {

struct Algorithm {
  std::string_view name;
  std::optional<Schedule> (*made)(const Traffic& traffic, const Network& network, const Ranks& ranks);

  /// Nothing where the algorithm is not defined for the traffic, or too expensive. With ranks, messages of a process to
  /// itself may take no step.
  std::optional<Schedule> make(const Traffic& traffic, const Network& network, const Ranks& ranks = {}) const {
    return made(traffic, network, ranks);
  }
};

/// The first is the default.
std::span<const Algorithm> algorithms();
const Algorithm* find_algorithm(std::string_view name);

}  // namespace xredist::core
