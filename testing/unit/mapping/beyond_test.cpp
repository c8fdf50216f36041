// SPDX-License-Identifier: BSD-3-Clause
// Grids of more positions than the limit up to which the best map is sought.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "mapping/cases.hpp"
#include "mapping/relabel.hpp"

namespace xredist::core {
namespace {

using namespace testing;

// The greedy map: the volumes of all pairs, sorted.
Map greedy(const Volumes& volumes, const Available& available) {
  struct Pair {
    Index volume;
    bool as_row_major;
    Index q, p;
  };
  std::vector<Pair> pairs;
  for (Index q = 0; q < volumes.b_positions(); ++q)
    for (Index p = 0; p < volumes.a_positions(); ++p)
      if (const int process = available.at_a[static_cast<std::size_t>(p)]; process >= 0 && volumes.elements(p, q) > 0)
        pairs.push_back({static_cast<Index>(volumes.elements(p, q)), process == q, q, p});
  std::ranges::stable_sort(pairs, [](const Pair& x, const Pair& y) {
    return x.volume != y.volume ? x.volume > y.volume : x.as_row_major && !y.as_row_major;
  });
  Map map(static_cast<std::size_t>(volumes.b_positions()), -1);
  std::vector<bool> taken(available.at_a.size(), false);
  for (const Pair& pair : pairs) {
    if (map[static_cast<std::size_t>(pair.q)] >= 0 || taken[static_cast<std::size_t>(pair.p)]) continue;
    map[static_cast<std::size_t>(pair.q)] = available.at_a[static_cast<std::size_t>(pair.p)];
    taken[static_cast<std::size_t>(pair.p)] = true;
  }
  return map;
}

TEST(HeaviestFirst, TakesVolumesInTheirOrder) {
  Random random(34);
  for (int trial = 0; trial < 500; ++trial) {
    const Case c = random_case(random, 16);
    const Volumes volumes(c.a, c.b, c.m, c.n);
    const Map expected = greedy(volumes, c.available), map = heaviest_first(volumes, c.available);
    expect_valid(map, c.available.count);
    for (std::size_t q = 0; q < map.size(); ++q) EXPECT_TRUE(expected[q] < 0 || map[q] == expected[q]);
    EXPECT_GE(2 * retained_elements(volumes, c.available, map),
              retained_elements(volumes, c.available, best_map(volumes, c.available).map));
    ASSERT_FALSE(HasFailure()) << "trial " << trial;
  }
}

TEST(ByAugmentingPaths, KeepsAsMuchAsTheHungarianMethod) {
  Random random(35);
  for (int trial = 0; trial < 500; ++trial) {
    const Case c = random_case(random, trial % 10 == 0 ? 144 : 16);
    const Relabelling best = relabel(c.a, c.b, c.m, c.n, c.available);
    const Relabelling found = relabel(c.a, c.b, c.m, c.n, c.available, 0);
    expect_valid(found.map, c.available.count);
    EXPECT_TRUE(found.optimal);
    EXPECT_EQ(found.retained, best.retained) << "trial " << trial;
    EXPECT_GE(found.retained, found.retained_row_major);
  }
}

// A search that ends early has a map nevertheless, and does not call it the best.
TEST(ByAugmentingPaths, MayEndEarly) {
  Random random(36);
  int early = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const Case c = random_case(random, 40);
    if (c.m * c.n == 0) continue;
    const Volumes volumes(c.a, c.b, c.m, c.n);
    const double best = retained_elements(volumes, c.available, best_map(volumes, c.available).map);
    for (const Index budget : {0, 10, 100, 1000}) {
      const AugmentedMap found = by_augmenting_paths(volumes, c.available, budget);
      expect_valid(found.map, c.available.count);
      const double kept = retained_elements(volumes, c.available, found.map);
      EXPECT_LE(kept, best);
      EXPECT_TRUE(!found.best || kept == best);
      early += !found.best;
    }
  }
  EXPECT_GT(early, 100);
}

// Returns an axis along which process p of A shares lengths[p][q] elements with position q of B.
Overlap sharing(const std::vector<std::vector<Index>>& lengths) {
  std::vector<Index> cuts{0};
  std::vector<int> of_a, of_b;
  for (int p = 0; p < std::ssize(lengths); ++p)
    for (int q = 0; q < std::ssize(lengths.front()); ++q) {
      cuts.push_back(cuts.back() + at(at(lengths, p), q));
      of_a.push_back(p);
      of_b.push_back(q);
    }
  return {in_partition({1, std::ssize(lengths), 0, 0}, cuts, of_a),
          in_partition({1, std::ssize(lengths.front()), 0, 0}, cuts, of_b), cuts.back()};
}

// Three positions share about as much with both processes, and outbid each other by 1. Each bid takes two looks, the
// path that decides twelve: after four bids in a row, the search takes 20 looks. With bids alone, it would take 4014.
TEST(ByAugmentingPaths, FollowAtMostFourBidsInARow) {
  const Volumes volumes(Shared(sharing({{1001, 1002, 1001}, {1000, 1002, 1002}})));
  const Available two_of_three = everybody(2, 3);
  EXPECT_FALSE(by_augmenting_paths(volumes, two_of_three, 19).best);
  const AugmentedMap found = by_augmenting_paths(volumes, two_of_three, 20);
  EXPECT_TRUE(found.best);
  EXPECT_EQ(retained_elements(volumes, two_of_three, found.map), 1002 + 1002);
}

TEST(ByAugmentingPaths, PositionsOfOneKindShareAsMuch) {
  const Volumes volumes(grid(6, 4, 1, 9), grid(3, 2, 4, 3), 24, 12);  // A's grid has one column: B's columns are equal
  const Descending descending(volumes);
  for (Index q = 0; q < 12; ++q)
    for (Index other = 0; other < 12; ++other) {
      bool same = true;
      for (Index p = 0; p < 6; ++p) same = same && volumes.elements(p, q) == volumes.elements(p, other);
      EXPECT_EQ(descending.kind(q) == descending.kind(other), same);
    }
}

// Processes 7 and n hold a half each. Positions share two elements with one of them, so many maps are the best. Up to
// the limit, the result is the one that agrees most with the row-major grid; beyond, the first position gets process 7.
TEST(BeyondTheLimit, BeginsAt1025Positions) {
  const auto position_of_process_7 = [](int n) {
    const Relabelling found = relabel(grid(2, n, 1, 1), grid(n, 2, 1, 1), 2 * n, 1, {{7, n}, n + 1});
    EXPECT_TRUE(found.optimal);
    EXPECT_EQ(found.retained, 4.0 / (2 * n));
    return std::ranges::find(found.map, 7) - found.map.begin();
  };
  EXPECT_EQ(position_of_process_7(1024), 7);
  EXPECT_EQ(position_of_process_7(1025), 0);
}

// Process p holds p + 1 parts of all rows, and position q has n - q parts of all columns, so the best map reverses the
// order. All pairs share elements, and none shares as much as another: the search would take 1.13 * 2^28 looks.
TEST(BeyondTheLimit, StopsAfter2To28Looks) {
  if (slow_build) GTEST_SKIP() << "takes seconds in a fast build";
  const int n = 1030;
  std::vector<Index> cuts{0};
  std::vector<int> ascending, descending;
  for (int k = 0; k < n; ++k) {
    cuts.push_back(cuts.back() + k + 1);
    ascending.push_back(k);
    descending.push_back(n - 1 - k);
  }
  const Index all = cuts.back();
  const Layout a{in_partition({1, n, 0, 0}, cuts, ascending), {all, 1, 0, 0}};
  const Layout b{{all, 1, 0, 0}, in_partition({1, n, 0, 0}, cuts, descending)};
  const Relabelling found = relabel(a, b, all, all, everybody(a, b));
  EXPECT_FALSE(found.optimal);
  double best = 0;
  for (double length = 1; length <= n; ++length) best += length * length;
  EXPECT_GE(found.retained * static_cast<double>(all) * static_cast<double>(all), best / 2);
}

TEST(BeyondTheLimit, KnownToBeOptimal) {
  // Grids of the same shape: each axis is a problem of its own.
  const Layout block = grid(64, 64, 64, 96), cyclic = grid(64, 4, 64, 2);
  const Relabelling cut = relabel(block, cyclic, 4096, 6144, everybody(4096, 4096));
  EXPECT_TRUE(cut.optimal);
  EXPECT_EQ(cut.retained, 1.0 / (16 * 48));  // 4 of each block of 64 rows, 2 of each of 96 columns
  expect_valid(cut.map, 4096);
  const Relabelling product = relabel(grid(64, 32, 64, 48), grid(64, 64, 64, 96), 8192, 12288, everybody(4096, 4096));
  EXPECT_TRUE(product.optimal);
  EXPECT_EQ(product.retained, 0.25);
  // From one column of processes to a grid: Kalns & Ni's case, whose 64 columns are equal.
  EXPECT_TRUE(relabel(grid(4096, 16, 1, 64), grid(64, 4, 64, 1), 65536, 64, everybody(4096, 4096)).optimal);
  const Relabelling wide = relabel(grid(8192, 48, 1, 128), grid(64, 4, 128, 1), 8192 * 48, 128, everybody(8192, 8192));
  EXPECT_TRUE(wide.optimal);
  EXPECT_EQ(wide.retained, 4.0 / 48 / 128);
  // Other cases whose bound no map reaches.
  EXPECT_TRUE(relabel(grid(2025, 3, 1, 1), grid(2024, 5, 1, 1), 100'000, 1, everybody(2025, 2025)).optimal);
  EXPECT_TRUE(relabel(grid(64, 64, 64, 64), grid(48, 36, 85, 36), 100'000, 100'000, everybody(4096, 4096)).optimal);
}

}  // namespace
}  // namespace xredist::core
