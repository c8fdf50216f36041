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
  Index stored = 0;                     ///< the most bytes of others' messages that a process keeps between the hops
  Index room = 0;                       ///< for these, in bytes
  bool two_hops = false;
};

/// The messages in two hops, if these are asked for or cheaper than the direct way, and what is stored between them
/// fits into half of the buffer. Equal on all processes. `costs`: what was compared.
std::optional<TwoHops> two_hops_for(const Redistribution& redistribution, const ProcessGrid& a, const ProcessGrid& b,
                                    const Options& options, const Links& links, RouteCosts& costs);

}  // namespace xredist::core
