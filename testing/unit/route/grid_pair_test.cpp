// SPDX-License-Identifier: BSD-3-Clause
// Pairs of grids, and the memory of recent ones.
#include "route/grid_pair.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "random/random_traffic.hpp"

namespace xredist::core {
namespace {

Grids::Ranks list(std::vector<int> ranks) { return std::make_shared<const std::vector<int>>(std::move(ranks)); }

std::vector<int> some_ranks(testing::Random& random, Index count) {
  std::vector<int> all = testing::random_ranks(random, 20);
  all.resize(as_size(count));
  return all;
}

// Coordinates of this process and of all members are those in the lists of ranks.
TEST(GridPair, KnowsWhereProcessesAre) {
  testing::Random random(81);
  for (int trial = 0; trial < 200; ++trial) {
    const Index rows = 1 + random.below(4), cols = 1 + random.below(4), of_b = 1 + random.below(20);
    const std::vector<int> a = some_ranks(random, rows * cols);
    const std::vector<int> b = random.below(3) == 0 ? a : some_ranks(random, of_b);
    std::vector<int> nodes(20);
    for (int rank = 0; rank < 20; ++rank) nodes[as_size(rank)] = rank / 5;
    const int me = static_cast<int>(random.below(20));
    const GridPair pair(a, cols, b, std::ssize(b), nodes, me);
    EXPECT_EQ(pair.equal(), a == b && cols == std::ssize(b));
    const auto place = [](const std::vector<int>& ranks, int rank) {
      return std::ranges::find(ranks, rank) - ranks.begin();
    };
    const auto expect_at = [&](const std::optional<Coord>& found, const std::vector<int>& ranks, Index columns,
                               int rank) {
      const Index at_rank = place(ranks, rank);
      ASSERT_EQ(found.has_value(), at_rank < std::ssize(ranks));
      if (found) {
        EXPECT_EQ(*found, (Coord{at_rank / columns, at_rank % columns}));
      }
    };
    expect_at(pair.in_a(), a, cols, me);
    expect_at(pair.in_b(), b, std::ssize(b), me);
    for (int position = 0; position < pair.members().size(); ++position) {
      const int rank = pair.members().rank_at(position);
      expect_at(pair.a().coordinates(position), a, cols, rank);
      expect_at(pair.b().coordinates(position), b, std::ssize(b), rank);
    }
  }
}

TEST(Grids, HaveAPairForATransposedMatrix) {
  Grids grids(list({0, 1, 2, 3, 4, 5}), 3, list({0, 1}), 2, {}, 4);
  EXPECT_EQ(grids.pair(false)->in_a(), (Coord{1, 1}));
  EXPECT_EQ(grids.pair(true)->in_a(), (Coord{1, 1}));
  EXPECT_EQ(grids.pair(true)->a().grid.rank_at({2, 0}), 2);
  EXPECT_EQ(grids.pair(true)->a().grid.rank_at({0, 1}), 3);
  EXPECT_EQ(grids.pair(true), grids.pair(true));
}

// Four pairs are kept, the most recently used ones. Shapes and ranks tell them apart, not the addresses of lists.
TEST(RecentGrids, AreShared) {
  RecentGrids recent;
  const auto of = [&](int shift, Index columns) {
    return recent.of(list({shift, 1 + shift, 2 + shift, 3 + shift}), columns, list({0, 1}), 1, {}, 0);
  };
  const auto first = of(0, 2);
  EXPECT_EQ(of(0, 2), first);
  EXPECT_NE(of(0, 4), first);
  EXPECT_NE(of(1, 2), first);
  EXPECT_EQ(of(0, 2), first);
  for (int shift = 2; shift < 5; ++shift) of(shift, 2);
  EXPECT_EQ(of(0, 2), first);
  for (int shift = 5; shift < 9; ++shift) of(shift, 2);
  EXPECT_NE(of(0, 2), first);
  const auto again = of(0, 2);
  recent.clear();
  EXPECT_NE(of(0, 2), again);
}

TEST(Nodes, AreCountedOnce) {
  EXPECT_TRUE(Nodes().empty());
  EXPECT_TRUE(Nodes(std::vector<int>()).empty());
  const Nodes nodes(std::vector<int>{0, 1, 0, 2, 0});
  EXPECT_EQ(nodes.count(), 3);
  EXPECT_EQ(nodes.max_processes(), 3);
  EXPECT_EQ(nodes[3], 2);
}

}  // namespace
}  // namespace xredist::core
