// SPDX-License-Identifier: BSD-3-Clause
#include "route/grid_pair.hpp"

#include <algorithm>
#include <utility>

namespace xredist::core {
namespace {

// A program that moves a matrix there and back by panels has two pairs of grids. A pair takes up to 24 bytes for each
// process.
constexpr std::size_t max_recent_grids = 4;

// Returns the place in the grid of each position, or -1; nothing if each position is its place or has none.
std::vector<int> places_in(const ProcessGrid& grid, const Members& members) {
  if (members.begin_with(grid)) return {};
  std::vector<int> result(as_size(members.size()), -1);
  for (std::size_t place = 0; place < grid.ranks.size(); ++place)
    at(result, members.position_of(grid.ranks[place])) = static_cast<int>(place);
  return result;
}

std::optional<Coord> coord_of(int rank, const ProcessGrid& grid) {
  const auto found = std::ranges::find(grid.ranks, rank);
  if (found == grid.ranks.end()) return std::nullopt;
  return grid.at(found - grid.ranks.begin());
}

bool same(const Grids::Ranks& x, const Grids::Ranks& y) { return x == y || *x == *y; }

}  // namespace

GridPair::GridPair(std::vector<int> ranks_a, Index columns_a, std::vector<int> ranks_b, Index columns_b,
                   const Nodes& nodes, int me)
    : ranks_a_(std::move(ranks_a)),
      ranks_b_(std::move(ranks_b)),
      me_(me),
      equal_(columns_a == columns_b && ranks_a_ == ranks_b_),
      members_({ranks_a_, columns_a}, {ranks_b_, columns_b}, nodes),
      a_{{ranks_a_, columns_a}, places_in({ranks_a_, columns_a}, members_)},
      b_{{ranks_b_, columns_b}, places_in({ranks_b_, columns_b}, members_)},
      in_a_(coord_of(me, a_.grid)),
      in_b_(equal_ ? in_a_ : coord_of(me, b_.grid)) {}

std::shared_ptr<const GridPair> Grids::pair(bool transposed) {
  std::shared_ptr<const GridPair>& made = transposed ? transposed_ : straight_;
  if (made == nullptr) {
    // A of so many columns has so many rows if it is transposed.
    const Index columns = transposed ? std::ssize(*ranks_a_) / columns_a_ : columns_a_;
    made = std::make_shared<const GridPair>(transposed ? core::transposed({*ranks_a_, columns_a_}) : *ranks_a_, columns,
                                            *ranks_b_, columns_b_, nodes_, me_);
  }
  return made;
}

bool Grids::are(const Ranks& ranks_a, Index columns_a, const Ranks& ranks_b, Index columns_b) const {
  return columns_a == columns_a_ && columns_b == columns_b_ && same(ranks_a, ranks_a_) && same(ranks_b, ranks_b_);
}

std::shared_ptr<Grids> RecentGrids::of(Grids::Ranks ranks_a, Index columns_a, Grids::Ranks ranks_b, Index columns_b,
                                       const Nodes& nodes, int me) {
  const auto found = std::ranges::find_if(
      grids_, [&](const auto& grids) { return grids->are(ranks_a, columns_a, ranks_b, columns_b); });
  if (found != grids_.end()) {
    std::rotate(grids_.begin(), found, found + 1);
    return grids_.front();
  }
  if (grids_.size() == max_recent_grids) grids_.pop_back();
  grids_.insert(grids_.begin(),
                std::make_shared<Grids>(std::move(ranks_a), columns_a, std::move(ranks_b), columns_b, nodes, me));
  return grids_.front();
}

}  // namespace xredist::core
