// SPDX-License-Identifier: BSD-3-Clause
// The choice between direct messages and routes that forward them.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "copy/redistribution.hpp"
#include "route/links.hpp"
#include "route/mesh_route.hpp"
#include "settings/options.hpp"

namespace xredist::core {

/// Messages go from sender to receiver, in one round for each panel.
struct Direct {};

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

/// Messages are forwarded over a mesh: all rounds of the mesh for each panel.
struct OverMesh {
  Mesh mesh;
  Index panels;  ///< parts into which messages are cut, so that the store has room for one part of all
  Store store;
};

/// Equal on all processes.
using Route = std::variant<Direct, OverMesh>;

/// Returns the route over a mesh; nullptr if messages go directly.
inline const OverMesh* over_mesh(const Route& route) { return std::get_if<OverMesh>(&route); }

/// Returns the number of panels into which a route cuts messages.
inline Index panels_of(const Route& route) { return over_mesh(route) ? over_mesh(route)->panels : 1; }

/// Returns the number of rounds that carry one panel.
inline Index rounds_of_panel(const Route& route) { return over_mesh(route) ? over_mesh(route)->mesh.rounds() : 1; }

/// The maximum work of a process, as far as the route depends on it.
struct Work {
  Index messages = 0;  ///< sent, or received, by one process
  Index bytes = 0;
};

/// The estimated work and time (s) over a mesh.
struct MeshEstimate {
  Mesh mesh;
  std::vector<Work> rounds;
  double seconds;
};

/// The estimates that led to a route. Equal on all processes.
struct Estimates {
  Work direct{};
  std::optional<double> seconds_direct{};   ///< if a mesh is possible and was considered
  std::optional<MeshEstimate> over_mesh{};  ///< of the best mesh; nothing if none was estimated
};

/// A route over a mesh, and the legs of all messages.
struct Forwarding {
  OverMesh route;
  MeshRoute legs;
};

struct ChosenRoute {
  std::variant<Direct, Forwarding> way{};
  Estimates estimates{};

  Route route() const {
    const auto* const forwarding = std::get_if<Forwarding>(&way);
    return forwarding ? Route(forwarding->route) : Route(Direct{});
  }
};

/// Returns the mesh that a value of the option `route` asks for: that of its radices, or else of two digits. The
/// columns of the latter are the processes of a node, or those of the grid of A if B has the same grid; otherwise the
/// mesh is nearly square. Nothing if the mesh would have one row or one column.
std::optional<Mesh> mesh_of(const GridPair& grids, const RouteOption& option);

/// Chooses the route that the options ask for, or the one with the lower estimated time. The store may have half of the
/// option `buffer`. `permits`: large packets between nodes wait for permits.
ChosenRoute choose_route(const Redistribution& redistribution, const std::shared_ptr<const GridPair>& grids,
                         const Options& options, const Links& links, bool permits);

/// A mesh over which messages may be forwarded, and the estimated time (s).
struct RatedMesh {
  Mesh mesh;
  double seconds;
};

/// Returns the meshes that choose_route compares if the route is free, the fastest by estimate first. Equal on all
/// processes. Empty if no mesh is possible.
std::vector<RatedMesh> rated_meshes(const Redistribution& redistribution, const std::shared_ptr<const GridPair>& grids,
                                    const Options& options, const Links& links, bool permits);

}  // namespace xredist::core
