// SPDX-License-Identifier: BSD-3-Clause
// Whether messages travel directly or in two hops.
#pragma once

#include <optional>

#include "plan/links.hpp"
#include "plan/options.hpp"
#include "plan/pieces.hpp"
#include "plan/two_hops.hpp"

namespace xredist::core {

/// What a process does at most, as far as the route depends on it.
struct Work {
  Index messages = 0;  ///< sent, or received, by one process
  Index bytes = 0;
};

/// What was compared to choose a route.
struct RouteCosts {
  Work direct{}, hops[2]{};
  double seconds_direct = 0, seconds_two_hops = 0;
  int mesh_rows = 0, mesh_columns = 0;  ///< 0: two hops were not considered
  Index stored = 0;  ///< the most bytes of others' messages that a process has to keep between the hops
  Index room = 0;    ///< for these, in bytes
  Index panels = 1;  ///< messages travel in so many parts one after the other, for which there is room
  bool two_hops = false;
};

/// The messages in two hops, if these are asked for or cheaper than the direct way. What is stored between them has
/// half of the buffer. Equal on all processes. `costs`: what was compared. `permits`: loads between nodes wait for
/// permits.
std::optional<TwoHops> two_hops_for(const Redistribution& redistribution, const ProcessGrid& a, const ProcessGrid& b,
                                    const Options& options, const Links& links, bool permits, RouteCosts& costs);

}  // namespace xredist::core
