// SPDX-License-Identifier: BSD-3-Clause
// The schedules that the papers describe, by name, beside those of the library. Each paper has a file of its own.
#pragma once

#include <span>
#include <string_view>

#include "schedule/algorithm.hpp"

namespace papers {

namespace core = xredist::core;

/// Returns the schedules of the papers: stepwise, greedy, by-class (desprez.hpp), walker-otto, wo-simple, wo-random
/// (walker_otto.hpp). No name is one of core::algorithms(), which has the orders of Prylli & Tourancheau (caterpillar,
/// reference) and the caterpillar of Desprez et al. (shifted).
std::span<const core::Algorithm> schedules();

/// Returns the algorithm of this name, of the library or of a paper, or nullptr.
const core::Algorithm* find(std::string_view name);

/// Returns whether each process sends at most one message in a step and receives at most one.
bool is_proper(std::string_view name);

/// Returns the reason why the algorithm of this name has no schedule for a traffic.
std::string_view why_undefined(std::string_view name, const core::Traffic& traffic);

}  // namespace papers
