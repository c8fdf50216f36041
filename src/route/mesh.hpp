// SPDX-License-Identifier: BSD-3-Clause
// The processes of a redistribution, arranged as a mesh, for routes that forward messages.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "layout/process_grid.hpp"
#include "route/links.hpp"

namespace xredist::core {

/// Positions first, first + stride, ...
struct Progression {
  int first, stride, count;

  int operator[](int k) const { return first + k * stride; }
  bool contains(int position) const {
    const int distance = position - first;
    return distance >= 0 && distance % stride == 0 && distance / stride < count;
  }
};

/// Positions 0, 1 ... as numbers of several digits. A message begins at the position of its sender, and each round
/// replaces one digit by that of its receiver (route/THEORY.md, T29). If `size` is not a multiple of the product of the
/// other radices, some positions with the last value of the most significant digit are missing: the mesh is *short*.
/// Then messages that would pass through a missing position make a detour: they pass through a position with another
/// most significant digit.
class Mesh {
 public:
  /// `radices`: of the digits but the most significant one, beginning with the least significant one; their product is
  /// less than `size`.
  Mesh(int size, const std::vector<int>& radices);

  int size() const { return size_; }
  int rounds() const { return static_cast<int>(weights_.size()) - 1; }
  bool is_short() const { return size_ < weights_.back(); }
  /// Returns the number of values of the digit that a round replaces.
  int radix(int round) const;
  /// Returns the weight of that digit.
  int weight(int round) const { return at(weights_, round); }
  /// Returns the value of that digit.
  int digit(int position, int round) const;

  /// Returns the position that differs from x in that digit alone. In a short mesh, the position may be missing.
  int with_digit(int x, int round, int value) const;

  /// Returns whether the peers of a round are in one group of `count` positions, if positions 0 to count - 1 are the
  /// first group, the next `count` positions the second, and so on. (Detours of a short mesh leave their group.)
  bool stays_within(int round, int count) const { return count % at(weights_, round + 1) == 0; }

  /// Returns where the message from p to q is after the first `rounds` rounds.
  int position(int p, int q, int rounds) const;
  /// Messages that may be at x after the first `rounds` rounds: those from `senders` to `receivers`.
  struct Rectangle {
    Progression senders, receivers;
  };
  /// Returns rectangles that are disjoint and contain all messages that are at x after the first `rounds` rounds.
  /// Unless the mesh is short, there is one rectangle, and all of its messages are at x.
  std::vector<Rectangle> messages_at(int x, int rounds) const;
  /// Returns upper bounds on the number of senders and on the number of receivers of the messages that are at one
  /// position after the first `rounds` rounds.
  std::pair<Index, Index> max_ends(int rounds) const;

  /// Returns whether both have the same size and radices.
  friend bool operator==(const Mesh&, const Mesh&) = default;

 private:
  Progression with_any_digits(int x, int low, int high) const;
  Rectangle without_detours(int x, int rounds) const;
  int detour(int p) const;

  int size_;
  std::vector<int> weights_;  // of digits 0, 1 ...; at the end, the number of positions of a mesh that is not short
};

/// Returns the radices in the order of the rounds as text: "4x4x2".
[[gnu::cold]] std::string text_of(const Mesh& mesh);

/// Returns the radices of a mesh of `size` positions, without the most significant radix: `radices` from the first on,
/// then the last one repeatedly, as many as have a product less than `size`. Empty if the first radix is `size` or
/// more.
std::vector<int> fitted(std::vector<int> radices, int size);

/// The processes of two grids in an order in which they form meshes.
class Members {
 public:
  /// Takes the processes of A, and then those of B that are not among them. If there are several nodes and all have
  /// equally many of these processes, more than one, the processes of each node follow each other.
  Members(const ProcessGrid& a, const ProcessGrid& b, const Nodes& nodes);

  int size() const { return static_cast<int>(ranks_.size()); }
  int rank_at(int position) const { return ranks_[static_cast<std::size_t>(position)]; }
  /// Returns the position of a member.
  int position_of(int rank) const { return positions_.empty() ? rank : positions_[static_cast<std::size_t>(rank)]; }
  /// Returns whether the first members are the processes of a grid in their order.
  bool begin_with(const ProcessGrid& grid) const {
    return std::ranges::equal(std::span(ranks_).first(grid.ranks.size()), grid.ranks);
  }
  /// Returns the number of members that follow each other on each node, or 0.
  int on_each_node() const { return on_each_node_; }

 private:
  std::vector<int> ranks_, positions_;  // positions_: by rank; empty if each rank is its position
  int on_each_node_;
};

/// Returns the number of columns of a mesh of two digits whose rows are neither nodes nor rows of a grid: the mesh is
/// as near to a square as the number of members allows.
int columns_of_square(int size);

}  // namespace xredist::core
