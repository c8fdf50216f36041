// SPDX-License-Identifier: BSD-3-Clause
// The choice between direct messages and routes that forward them.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "copy/redistribution.hpp"
#include "route/links.hpp"
#include "route/mesh_route.hpp"
#include "settings/options.hpp"

namespace xredist::core {

/// The memory (bytes) in which each process stores the messages that it forwards. Panels are cut so that the mean panel
/// fills at most half of the room. A panel has whole lines of each message (rows or columns along its shorter side), so
/// it may exceed the mean by one line of each message that the process forwards. The store exceeds the room only if
/// these lines take more than half of the room.
struct Store {
  Index bound;  ///< upper bound on uncut messages
  Index room;   ///< available bytes

  /// Returns an upper bound on the bytes that a process stores at once, unless the lines exceed half of the room.
  Index used() const { return std::min(bound, room); }
};

/// The maximum work of a process, as far as the route depends on it.
struct Work {
  Index messages = 0;  ///< sent, or received, by one process
  Index bytes = 0;
};

/// A route that forwards messages over a mesh: all rounds of the mesh for each panel.
struct OverMesh {
  Mesh mesh;
  Index panels;  ///< parts into which messages are cut, so that the store has room for one part of all
  Store store;
  std::vector<Work> rounds;  ///< estimated
  double seconds;            ///< estimated
};

/// The route of messages: over a mesh, or directly from sender to receiver, in one round for each panel. Equal on all
/// processes.
struct Route {
  Work direct{};                           ///< estimated work if messages go directly
  std::optional<double> seconds_direct{};  ///< estimated; if a mesh is possible and was considered
  std::optional<OverMesh> best_mesh{};     ///< nothing if none was estimated
  bool forwards = false;                   ///< over the best mesh
};

/// Returns the route over a mesh; nullptr if messages go directly.
inline const OverMesh* over_mesh(const Route& route) { return route.forwards ? &*route.best_mesh : nullptr; }

/// Returns the number of panels into which a route cuts messages.
inline Index panels_of(const Route& route) { return over_mesh(route) ? over_mesh(route)->panels : 1; }

/// Returns the number of rounds that carry one panel.
inline Index rounds_of_panel(const Route& route) { return over_mesh(route) ? over_mesh(route)->mesh.rounds() : 1; }

struct ChosenRoute {
  Route route{};
  std::optional<MeshRoute> legs{};  ///< of all messages, if the route forwards them
};

/// Returns the mesh that a value of the option `route` asks for: that of its radices, or else of two digits. The
/// columns of the latter are the processes of a node, or those of the grid of A if B has the same grid; otherwise the
/// mesh is nearly square. Nothing if the mesh would have one row or one column.
std::optional<Mesh> mesh_of(const GridPair& grids, const RouteOption& option);

/// Chooses the route that the options ask for, or the one with the lower estimated time. The store may have half of the
/// option `buffer`. `permits`: large packets between nodes wait for permits.
ChosenRoute choose_route(const Redistribution& redistribution, const std::shared_ptr<const GridPair>& grids,
                         const Options& options, const Links& links, bool permits);

/// Returns the routes over meshes that choose_route compares if the route is free, the fastest by estimate first. Equal
/// on all processes. Empty if no mesh is possible.
std::vector<OverMesh> rated_meshes(const Redistribution& redistribution, const std::shared_ptr<const GridPair>& grids,
                                   const Options& options, const Links& links, bool permits);

}  // namespace xredist::core
