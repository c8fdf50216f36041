// SPDX-License-Identifier: BSD-3-Clause
// Messages that travel in two hops over a mesh: along its rows, then along its columns.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "layout/overlap.hpp"
#include "plan/mesh.hpp"
#include "schedule/schedule.hpp"

namespace xredist::core {

/// The processes of one side that share elements of an axis with each process of the other, found when asked for.
class KnownPartners {
 public:
  explicit KnownPartners(const Overlap& o) : overlap_(o), of_(static_cast<std::size_t>(o.a.procs)) {}

  const std::vector<Partner>& of(Index p);
  /// How many elements p and q share.
  Index length(Index p, Index q);

 private:
  Overlap overlap_;
  std::vector<std::vector<Partner>> of_;
};

/// The message from position p to position q of a mesh, on the way to or from the process at position `peer`.
struct HopMessage {
  int peer, p, q;
  Index rows, cols;
  int step = 0;

  Index elements() const { return rows * cols; }
};

/// What one process sends and receives in one hop. In the order of a schedule; messages that travel together follow
/// each other, in the order of p and q, at both ends alike.
struct HopMessages {
  std::vector<HopMessage> sends, receives;
};
using BothHops = std::array<HopMessages, 2>;

class TwoHops {
 public:
  TwoHops(const Traffic& traffic, const ProcessGrid& a, const ProcessGrid& b, Mesh mesh);

  const Mesh& mesh() const { return mesh_; }
  /// Coordinates in the grids, if the process at that position is a member.
  const std::optional<Coord>& in_a(int position) const { return in_a_[static_cast<std::size_t>(position)]; }
  const std::optional<Coord>& in_b(int position) const { return in_b_[static_cast<std::size_t>(position)]; }

  /// The message from p to q, if there is one, on the way to or from `peer`.
  std::optional<HopMessage> message(int peer, int p, int q);
  /// What the process at position x has to do, in any order.
  BothHops messages_of(int x);
  /// The same in the order of schedules. With `coloured` they have the least number of steps, but the messages of a
  /// whole row and a whole column of the mesh are looked at; else rows and columns are rotated (THEORY.md, T30).
  BothHops scheduled(int x, bool coloured);
  /// Whether that takes only milliseconds to colour, if no process has more than so many direct messages.
  bool quick_to_colour(Index messages) const;

 private:
  std::vector<int> receivers(int p);
  std::vector<int> senders(int q);
  std::vector<int> steps_of_row(int x);
  std::vector<int> steps_of_column(int x);
  int rotated(int hop, int from, int to) const;
  void add(std::vector<HopMessage>& list, int peer, int p, int q);

  Traffic traffic_;
  ProcessGrid a_, b_;
  Mesh mesh_;
  std::vector<std::optional<Coord>> in_a_, in_b_;  // by position
  KnownPartners rows_, cols_, rows_back_, cols_back_;
};

}  // namespace xredist::core
