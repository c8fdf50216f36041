// SPDX-License-Identifier: BSD-3-Clause
// D. W. Walker, S. W. Otto: Redistribution of block-cyclic data distributions using MPI. Concurrency: Practice and
// Experience 8(9), 1996.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "schedule/schedule.hpp"
#include "schedules/case.hpp"

namespace papers {

namespace core = xredist::core;

/// Return the orders in which P processes change blocks of r into blocks of K r, in K steps; K r -> r is the reverse
/// (section 4). In each step a process sends one of its K blocks of every superblock of P K blocks.
///   walker_otto   no process receives two blocks in a step (equations 3 to 11)
///   wo_simple     by number (equation 2): most processes begin with process 0
///   wo_random     each process in a random order of its own (section 2.2.2), always the same one
/// If K > P, two processes share several blocks of a superblock: their message then has several parts, of the elements
/// that the blocks have. In two dimensions: each step of the rows contains all steps of the columns ("a genuine
/// two-dimensional one", K1 K2 steps). Nothing if why_no_growth() has a reason.
std::optional<core::Schedule> walker_otto(const core::Traffic& traffic);
std::optional<core::Schedule> wo_simple(const core::Traffic& traffic);
std::optional<core::Schedule> wo_random(const core::Traffic& traffic);

/// Returns the reason why a traffic is not one of the paper's cases r -> K r and K r -> r, or nothing.
std::string_view why_no_growth(const core::Traffic& traffic);

/// The name of the general case among algorithms: several redistributions in a row.
inline constexpr std::string_view passes_name = "wo-passes";

/// Returns the redistributions of the general case (section 4): axis after axis, each from r1 to lcm(r1, r2) and from
/// there to r2, or in one pass if one is a multiple of the other. walker_otto() is defined for each. The matrices
/// between A and B are on A's processes. Empty if why_no_passes() has a reason.
std::vector<cases::Case> passes(const cases::Case& c);

/// Returns the reason why the general case does not apply, or nothing.
std::string_view why_no_passes(const core::Traffic& traffic);

}  // namespace papers
