// SPDX-License-Identifier: BSD-3-Clause
// F. Desprez, J. Dongarra, A. Petitet, C. Randriamaro, Y. Robert: Scheduling block-cyclic array redistribution. IEEE
// Transactions on Parallel and Distributed Systems 9(2), 1998.
#pragma once

#include <optional>
#include <string_view>

#include "schedule/schedule.hpp"

namespace papers {

namespace core = xredist::core;

/// Return schedules whose steps are matchings that are taken out of the communication grid one after the other (section
/// 4.5). stepwise takes the heaviest matching that includes all processes with the maximum number of messages left, so
/// the number of steps is the minimum, Delta; greedy takes the heaviest of all matchings. Among matchings of equal
/// weight, both take the one whose processes have most messages left: they are the hardest to serve later. The paper
/// states no rule for such ties; it finds matchings by linear programming, these functions by the Hungarian method.
/// Nothing if a grid has more than 128 processes, because a matching takes O(min(P, Q)^2 max(P, Q)).
std::optional<core::Schedule> stepwise(const core::Traffic& traffic);
std::optional<core::Schedule> greedy(const core::Traffic& traffic);

/// Returns the schedule that sends class after class of messages (section 4.3.2). Messages of a class have one length
/// if the axes are whole periods long, so both S and T are the minimum (proposition 4). In two dimensions: the product
/// of the schedules of both axes. Nothing unless gcd(r, Q) = gcd(s, P) = 1 along each axis, r and s without their
/// common divisor.
std::optional<core::Schedule> by_class(const core::Traffic& traffic);

/// Returns the reason why by_class has no schedule, or nothing.
std::string_view why_no_classes(const core::Traffic& traffic);

}  // namespace papers
