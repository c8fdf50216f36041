// SPDX-License-Identifier: BSD-3-Clause
// A plan in words.
#pragma once

#include <string>

#include "plan/plan.hpp"

namespace xredist::core {

/// One line for XREDIST_VERBOSE: what moves, by which route and why, and what this process has to do. A trapezoid
/// counts as its rectangle; an axis of one process has one block.
std::string described(const Plan& plan);

}  // namespace xredist::core
