// SPDX-License-Identifier: BSD-3-Clause
// The ways in which a redistribution may be carried out, among which trials choose.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "plan/plan.hpp"

namespace xredist::core {

/// The maximum number of ways of a plan.
inline constexpr std::size_t max_ways = 12;

/// Options, and those that differ from the user's as text: "route=direct algorithm=split". The text of the model's
/// choice is empty. With the variables XREDIST_ROUTE=direct and XREDIST_ALGORITHM=split, a user has the same way.
struct Way {
  std::string settings;
  Options options;
};

/// Returns the ways that are worth a trial, at most max_ways; the first is the model's choice. Options that the user
/// has set stay as they are. Equal on all processes. grids: as in plan_process.
std::vector<Way> ways_of(const Redistribution& redistribution, const std::shared_ptr<const GridPair>& grids,
                         const Options& options, const Links& links);

/// Returns a text that is the same for plans that move and cut messages alike. Equal on all processes of both grids.
std::string signature_of(const Plan& plan);

}  // namespace xredist::core
