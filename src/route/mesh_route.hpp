// SPDX-License-Identifier: BSD-3-Clause
// The legs and the loads of each process when messages travel over a mesh: each round replaces one digit of the
// position of every message.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "layout/overlap.hpp"
#include "route/grid_pair.hpp"
#include "route/mesh.hpp"
#include "route/transfer.hpp"
#include "schedule/schedule.hpp"

namespace xredist::core {

/// The partners of the processes of one side of an axis, found lazily.
class PartnerCache {
 public:
  explicit PartnerCache(const Overlap& o) : overlap_(o), of_(static_cast<std::size_t>(o.a.procs)) {}

  Index size() const { return std::ssize(of_); }
  const std::vector<Partner>& of(Index p);
  /// Returns the number of elements that p and q share.
  Index length(Index p, Index q);

 private:
  Overlap overlap_;
  std::vector<std::vector<Partner>> of_;
};

/// One leg of the message from position p to position q of a mesh: to or from the process at position `peer`.
struct Leg {
  int peer, p, q;
  Interval rows, cols;  ///< counted from 0 among those that p and q share
  int step = 0;

  Index elements() const { return rows.length() * cols.length(); }
};

/// The legs that one process sends and receives in one round. Legs that share packets follow each other, in the same
/// order at both ends.
struct Legs {
  std::vector<Leg> sends, receives;
};

/// The messages and elements that a process sends in a round, or receives, whichever are more.
struct Load {
  Index messages = 0, elements = 0;
};

/// One side of the messages: all senders, or all receivers.
struct MessageSide {
  MessageSide(const Overlap& to_rows, const Overlap& to_cols, const PlacedGrid& of);

  std::optional<Coord> coordinates(int position) const { return placed.coordinates(position); }
  const ProcessGrid& grid() const { return placed.grid; }

  const PlacedGrid& placed;  ///< of the pair of grids
  PartnerCache rows, cols;   ///< on the other side
  Index max_messages;        ///< of one process
};

/// The messages between the members of two grids. Partners are found lazily and kept, so a process that tries several
/// meshes finds them once. Not thread-safe.
struct Messages {
  Messages(const Traffic& traffic, std::shared_ptr<const GridPair> of);

  /// Returns whether both grids have their processes at the first positions, row-major.
  bool in_order() const { return grids->a().places.empty() && grids->b().places.empty(); }

  std::shared_ptr<const GridPair> grids;
  MessageSide senders, receivers;
};

/// The legs of messages over one mesh. Immutable; copies, and routes over other meshes, share the messages.
class MeshRoute {
 public:
  MeshRoute(const Traffic& traffic, std::shared_ptr<const GridPair> grids, Mesh mesh)
      : MeshRoute(std::make_shared<Messages>(traffic, std::move(grids)), std::move(mesh)) {}

  /// Returns the route of the same messages over another mesh of the same members.
  MeshRoute over(Mesh mesh) const { return {messages_, std::move(mesh)}; }

  const Mesh& mesh() const { return mesh_; }
  const GridPair& grids() const { return *messages_->grids; }
  const Members& members() const { return grids().members(); }
  const Messages& messages() const { return *messages_; }

  /// Returns the leg to or from `peer` of the whole message from p to q, if there is such a message.
  std::optional<Leg> leg(int peer, int p, int q) const;
  /// Returns the legs of the process at position x in each round, in any order.
  std::vector<Legs> legs_of(int x) const;
  /// Returns the legs in the order of a schedule that rotates the digits of a round (route/THEORY.md, T30).
  std::vector<Legs> scheduled(int x) const;
  /// Returns whether `loads_of` needs no list of legs (route/THEORY.md, T36): both grids have their processes at the
  /// first positions, row-major, and the digits of the mesh are digits of their rows and columns.
  bool loads_are_products() const;
  /// Returns the load of the process at position x in each round.
  std::vector<Load> loads_of(int x) const;

 private:
  MeshRoute(std::shared_ptr<Messages> messages, Mesh mesh) : messages_(std::move(messages)), mesh_(std::move(mesh)) {}

  template <class Visit>
  void visit_messages_at(int x, int rounds, Visit visit) const;
  Load load_by_products(int x, int round) const;
  int step(int round, int from, int to) const;

  std::shared_ptr<Messages> messages_;
  Mesh mesh_;
};

}  // namespace xredist::core
