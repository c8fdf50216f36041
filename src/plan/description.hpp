// SPDX-License-Identifier: BSD-3-Clause
// A plan in words.
#pragma once

#include <string>

#include "plan/plan.hpp"

namespace xredist::core {

/// Returns a line for XREDIST_VERBOSE: what moves, by which route and why, and the work of this process. A trapezoid
/// counts as its rectangle. An axis of one process has one block.
std::string description_of(const Plan& plan);

}  // namespace xredist::core
