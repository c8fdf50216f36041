// SPDX-License-Identifier: BSD-3-Clause
// The choice between direct messages and routes that forward them.
#pragma once

#include <optional>
#include <vector>

#include "copy/redistribution.hpp"
#include "route/links.hpp"
#include "route/mesh_route.hpp"
#include "settings/options.hpp"

namespace xredist::core {

/// The maximum work of a process, as far as the route depends on it.
struct Work {
  Index messages = 0;  ///< sent, or received, by one process
  Index bytes = 0;
};

/// A route, and the estimates that led to it. Equal on all processes.
struct Route {
  Index rounds = 1;       ///< of each panel; 1: messages go directly from sender to receiver
  Index panels = 1;       ///< parts into which messages are cut, so that the store has room for one part of all
  Index store_bound = 0;  ///< upper bound (bytes) on what a process has to store of uncut messages
  Index store_room = 0;   ///< bytes that are available for the store
  Work direct{};
  std::optional<Mesh> mesh{};     ///< the mesh that was considered
  std::vector<Work> over_mesh{};  ///< of each round
  double seconds_direct = 0, seconds_over_mesh = 0;

  bool forwards() const { return rounds > 1; }
  /// Returns an upper bound (bytes) on what a process stores at once.
  Index stored() const { return store_bound < store_room ? store_bound : store_room; }
};

struct ChosenRoute {
  Route route;
  std::optional<MeshRoute> mesh;  ///< engaged if the route forwards messages
};

/// Returns the mesh that a value of the option `route` asks for: that of its radices, or else of two digits. Nothing if
/// the mesh would have one row or one column.
std::optional<Mesh> mesh_of(const Members& members, const ProcessGrid& a, const ProcessGrid& b, Index option);

/// Chooses the route that the options ask for, or the one with the lower estimated time. The store may have half of the
/// option `buffer`. `permits`: large packets between nodes wait for permits.
ChosenRoute choose_route(const Redistribution& redistribution, const ProcessGrid& a, const ProcessGrid& b,
                         const Options& options, const Links& links, bool permits);

}  // namespace xredist::core
