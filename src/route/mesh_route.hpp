// SPDX-License-Identifier: BSD-3-Clause
// The route over a mesh: a first round along its rows, a second one along its columns.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "layout/overlap.hpp"
#include "route/mesh.hpp"
#include "route/transfer.hpp"
#include "schedule/schedule.hpp"

namespace xredist::core {

/// The partners of the processes of one side of an axis, found lazily.
class PartnerCache {
 public:
  explicit PartnerCache(const Overlap& o) : overlap_(o), of_(static_cast<std::size_t>(o.a.procs)) {}

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
  Index rows, cols;  ///< shape of the message
  int step = 0;

  Index elements() const { return rows * cols; }
};

/// What one process sends and receives in one round. Legs that share packets follow each other, in the same order at
/// both ends.
struct Legs {
  std::vector<Leg> sends, receives;
};
using MeshLegs = std::array<Legs, 2>;

/// Lists the legs of the messages of a traffic over a mesh.
class MeshRoute {
 public:
  MeshRoute(const Traffic& traffic, const ProcessGrid& a, const ProcessGrid& b, Mesh mesh);

  const Mesh& mesh() const { return mesh_; }
  /// Returns the coordinates in a grid of the process at a position, if it is a member.
  const std::optional<Coord>& in_a(int position) const { return in_a_[static_cast<std::size_t>(position)]; }
  const std::optional<Coord>& in_b(int position) const { return in_b_[static_cast<std::size_t>(position)]; }

  /// Returns the leg to or from `peer` of the message from p to q, if there is such a message.
  std::optional<Leg> leg(int peer, int p, int q);
  /// Returns the legs of the process at position x, in any order.
  MeshLegs legs_of(int x);
  /// Returns the legs in the order of schedules. `coloured`: with the minimum number of steps, which takes time in
  /// proportion to the messages of a row and a column of the mesh. Otherwise rows and columns rotate (THEORY.md, T30).
  MeshLegs scheduled(int x, bool coloured);
  /// Returns whether colouring takes only milliseconds, if no process has more than `messages` direct messages.
  bool quick_to_colour(Index messages) const;

 private:
  std::vector<int> receivers(int p);
  std::vector<int> senders(int q);
  std::vector<int> steps_of_row(int x);
  std::vector<int> steps_of_column(int x);
  int rotated(int round, int from, int to) const;
  void add(std::vector<Leg>& list, int peer, int p, int q);

  Traffic traffic_;
  ProcessGrid a_, b_;
  Mesh mesh_;
  std::vector<std::optional<Coord>> in_a_, in_b_;  // by position
  PartnerCache rows_, cols_, rows_back_, cols_back_;
};

}  // namespace xredist::core
