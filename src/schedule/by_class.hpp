// SPDX-License-Identifier: BSD-3-Clause
// The schedule that sends one class of messages after the other. The letters are those of THEORY.md, T4 to T6.
#pragma once

#include <optional>

#include "schedule/schedule.hpp"

namespace xredist::core {

/// Returns the schedule that sends class after class of messages (Desprez et al. 1998, section 4.3.2). Messages of a
/// class have one length if the axes are whole periods long, so both S and T are the minimum (proposition 4). In two
/// dimensions: the product of the schedules of both axes. Nothing unless has_classes() along each axis.
std::optional<Schedule> by_class_schedule(const Traffic& traffic);

/// Returns whether the axis is CYCLIC and gcd(r, Q) = gcd(s, P) = 1, r and s without their common divisor.
bool has_classes(const Overlap& axis);

}  // namespace xredist::core
