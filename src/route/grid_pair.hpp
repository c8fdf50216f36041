// SPDX-License-Identifier: BSD-3-Clause
// The processes of the two grids of a redistribution, and lists that have an entry for each process. Plans between the
// same grids share them, so a plan of few messages takes few steps, however many processes there are.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "layout/process_grid.hpp"
#include "route/links.hpp"
#include "route/mesh.hpp"

namespace xredist::core {

/// A grid, and the coordinates in it of the members of both grids.
struct PlacedGrid {
  ProcessGrid grid;
  std::vector<int> places;  ///< in the grid by position among the members, or -1; empty if each position is its place

  /// Returns the coordinates in the grid of the process at a position, if the process is in the grid.
  std::optional<Coord> coordinates(int position) const {
    const int place = places.empty() ? position : xredist::core::at(places, position);
    return place < 0 || place >= std::ssize(grid.ranks) ? std::nullopt : std::optional(grid.at(place));
  }
};

/// The grids of A and B as process `me` sees them. Takes O(P); immutable afterwards.
class GridPair {
 public:
  /// Ranks are row-major, in the order of the traffic: those of a transposed A are transposed.
  GridPair(std::vector<int> ranks_a, Index columns_a, std::vector<int> ranks_b, Index columns_b, const Nodes& nodes,
           int me);
  GridPair(const GridPair&) = delete;
  GridPair& operator=(const GridPair&) = delete;

  const PlacedGrid& a() const { return a_; }
  const PlacedGrid& b() const { return b_; }
  const Members& members() const { return members_; }
  int me() const { return me_; }
  /// Return this process's coordinates in a grid, if the process is a member.
  std::optional<Coord> in_a() const { return in_a_; }
  std::optional<Coord> in_b() const { return in_b_; }
  /// Returns whether both grids have the same processes in the same shape.
  bool equal() const { return equal_; }
  /// Returns whether both grids are equal, and are the members in their order.
  bool is_grid() const { return equal_ && a_.places.empty(); }

 private:
  std::vector<int> ranks_a_, ranks_b_;
  int me_;
  bool equal_;
  Members members_;
  PlacedGrid a_, b_;
  std::optional<Coord> in_a_, in_b_;
};

/// The grids of A and B as the program names them. Not thread-safe.
class Grids {
 public:
  using Ranks = std::shared_ptr<const std::vector<int>>;

  /// Ranks are row-major. `me`: rank of this process.
  Grids(Ranks ranks_a, Index columns_a, Ranks ranks_b, Index columns_b, Nodes nodes, int me)
      : ranks_a_(std::move(ranks_a)),
        ranks_b_(std::move(ranks_b)),
        columns_a_(columns_a),
        columns_b_(columns_b),
        nodes_(std::move(nodes)),
        me_(me) {}

  const std::vector<int>& ranks_a() const { return *ranks_a_; }
  const std::vector<int>& ranks_b() const { return *ranks_b_; }
  /// Returns the pair for plans in which A is transposed, or is not. Makes the pair the first time.
  std::shared_ptr<const GridPair> pair(bool transposed);

  /// Returns whether these are the grids. Takes O(1) for lists that were passed to the constructor, otherwise O(P).
  bool are(const Ranks& ranks_a, Index columns_a, const Ranks& ranks_b, Index columns_b) const;

 private:
  Ranks ranks_a_, ranks_b_;
  Index columns_a_, columns_b_;
  Nodes nodes_;
  int me_;
  std::shared_ptr<const GridPair> straight_, transposed_;
};

/// The grids of recent plans.
class RecentGrids {
 public:
  /// Returns known grids, or new ones, of which the least recently used are forgotten. Arguments: as of Grids.
  std::shared_ptr<Grids> of(Grids::Ranks ranks_a, Index columns_a, Grids::Ranks ranks_b, Index columns_b,
                            const Nodes& nodes, int me);
  void clear() { grids_.clear(); }

 private:
  std::vector<std::shared_ptr<Grids>> grids_;  // most recently used first
};

}  // namespace xredist::core
