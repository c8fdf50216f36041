// SPDX-License-Identifier: BSD-3-Clause
// The map of the target grid, against all permutations, and what is known of it.
#include "mapping/relabel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mapping/cases.hpp"

namespace xredist::core {
namespace {

using namespace testing;

Index agreement(const Map& map) {
  Index same = 0;
  for (std::size_t q = 0; q < map.size(); ++q) same += map[q] == static_cast<int>(q);
  return same;
}

// The most that any map keeps, and the closest agreement with the row-major grid among the maps that keep the most.
struct Best {
  double retained = -1;
  Index agreement = -1;
};
Best of_all_maps(const Volumes& volumes, const Available& available) {
  Map order(static_cast<std::size_t>(available.count));
  std::iota(order.begin(), order.end(), 0);
  const auto positions = static_cast<std::ptrdiff_t>(volumes.b_positions());
  Best best;
  do {
    const Map map(order.begin(), order.begin() + positions);
    const double stays = retained_elements(volumes, available, map);
    if (stays > best.retained || (stays == best.retained && agreement(map) > best.agreement))
      best = {stays, agreement(map)};
    std::reverse(order.begin() + positions, order.end());  // skips the permutations of processes without a position
  } while (std::ranges::next_permutation(order).found);
  return best;
}

TEST(Relabel, BestOfAllPermutations) {
  Random random(31);
  for (int trial = 0; trial < (slow_build ? 60 : 600); ++trial) {
    const Case c = random_case(random, trial % 20 == 0 ? 8 : 6);
    const Volumes volumes(c.a, c.b, c.m, c.n);
    const Best best = of_all_maps(volumes, c.available);
    const Relabelling found = relabel(c.a, c.b, c.m, c.n, c.available);
    expect_valid(found.map, c.available.count);
    const auto elements = static_cast<double>(c.m * c.n);
    EXPECT_EQ(retained_elements(volumes, c.available, found.map), best.retained);
    EXPECT_EQ(found.retained, best.retained / elements);
    EXPECT_EQ(found.retained_row_major,
              retained_elements(volumes, c.available, row_major(c.b.rows.procs * c.b.cols.procs)) / elements);
    EXPECT_EQ(agreement(found.map), best.agreement);
    EXPECT_TRUE(found.optimal);
    EXPECT_LE(best.retained, max_retained(volumes, c.available));
    ASSERT_FALSE(HasFailure()) << "trial " << trial;
  }
}

// Kept elements, counted one by one.
TEST(Relabel, VolumesAreThoseOfTheElements) {
  Random random(32);
  for (int trial = 0; trial < 200; ++trial) {
    const Case c = random_case(random, 8);
    const Relabelling found = relabel(c.a, c.b, c.m, c.n, c.available);
    Index stay = 0;
    for (Index i = 0; i < c.m; ++i)
      for (Index j = 0; j < c.n; ++j) {
        const Index p = owner(c.a.rows, i) * c.a.cols.procs + owner(c.a.cols, j);
        const Index q = owner(c.b.rows, i) * c.b.cols.procs + owner(c.b.cols, j);
        stay += c.available.at_a[static_cast<std::size_t>(p)] == found.map[static_cast<std::size_t>(q)];
      }
    EXPECT_EQ(found.retained, static_cast<double>(stay) / static_cast<double>(c.m * c.n));
  }
}

// Returns the reduction of the moved elements, compared with the row-major grid, in tenths of a percent.
long saved(const Layout& a, const Layout& b, Index m, Index n) {
  const Relabelling found = relabel(a, b, m, n, everybody(a, b));
  return std::lround(1000 * (found.retained - found.retained_row_major) / (1 - found.retained_row_major));
}

TEST(Relabel, KnownSavings) {
  EXPECT_EQ(saved(grid(2, 64, 4, 64), grid(4, 64, 2, 64), 6400, 6400), 333);
  EXPECT_EQ(saved(grid(4, 64, 8, 64), grid(8, 64, 4, 64), 6400, 6400), 429);
  EXPECT_EQ(saved(grid(8, 32, 8, 32), grid(8, 64, 8, 64), 6400, 6400), 238);
  EXPECT_EQ(saved(grid(6, 64, 6, 64), grid(4, 64, 9, 64), 36 * 64, 36 * 64), 91);  // whole periods
  EXPECT_EQ(saved(grid(1, 64, 64, 64), grid(8, 64, 8, 64), 6400, 6400), 0);
  EXPECT_EQ(saved(grid(8, 36, 8, 36), grid(8, 128, 8, 128), 9216, 9216), 0);
}

// The experiments of Kalns & Ni: (BLOCK, *) -> (CYCLIC(b / 2), *) on 8 processes, and (BLOCK, BLOCK) ->
// (CYCLIC(c), CYCLIC(c)) on 4 x 3 and 6 x 4, with c "one-sixth and one-eighth of the respective block sizes in the
// row and column dimensions": in rows and in columns, or on the first and on the second grid.
TEST(Relabel, KalnsAndNisExperiments) {
  EXPECT_EQ(saved(grid(8, 128, 1, 1024), grid(8, 64, 1, 1024), 1024, 1024), 429);  // 1/8 stays, then 1/2
  const Relabelling first = relabel(grid(4, 96, 3, 96), grid(4, 16, 3, 16), 384, 288, everybody(12, 12));
  EXPECT_EQ(first.retained, 1.0 / 9);  // 8/24 of the rows, 6/18 of the columns
  EXPECT_EQ(first.retained_row_major, 1.0 / 12);
  const Relabelling second = relabel(grid(6, 96, 4, 96), grid(6, 12, 4, 12), 576, 384, everybody(24, 24));
  EXPECT_EQ(second.retained, 1.0 / 16);
  const Relabelling sixth_eighth = relabel(grid(4, 96, 3, 96), grid(4, 16, 3, 12), 384, 288, everybody(12, 12));
  EXPECT_EQ(sixth_eighth.retained, 1.0 / 8);
  EXPECT_EQ(sixth_eighth.retained_row_major, 1.0 / 12);
  EXPECT_EQ(saved(grid(6, 96, 4, 96), grid(6, 16, 4, 12), 576, 384), 0);  // any map: p0 = z0, p1 divides z1
  EXPECT_EQ(second.retained_row_major, 1.0 / 24);
}

TEST(Relabel, WhatAlreadyStaysIsNotTouched) {
  const Relabelling same = relabel(grid(3, 5, 4, 7), grid(3, 5, 4, 7), 200, 300, everybody(12, 20));
  EXPECT_EQ(same.retained, 1);
  EXPECT_EQ(agreement(same.map), 12);
  // No map is better than row-major, and it is taken.
  EXPECT_EQ(agreement(relabel(grid(1, 64, 16, 64), grid(4, 64, 4, 64), 1024, 1024, everybody(16, 16)).map), 16);
}

TEST(Relabel, OtherProcesses) {
  // A is on processes 4 and 5 of 6, and on one that is not available for B; B is on two of 0 ... 5.
  const Available some{{4, 5, -1}, 6};
  const Relabelling found = relabel(grid(3, 10, 1, 10), grid(2, 15, 1, 10), 30, 10, some);
  EXPECT_EQ(found.map, (Map{4, 5}));  // 10 + 5 of 30 rows
  EXPECT_EQ(found.retained, 0.5);
  EXPECT_EQ(found.retained_row_major, 0);
  // B has none of A's processes: row-major.
  const Relabelling none = relabel(grid(3, 10, 1, 10), grid(2, 15, 1, 10), 30, 10, {{-1, -1, -1}, 4});
  EXPECT_EQ(none.map, (Map{0, 1}));
  EXPECT_EQ(none.retained, 0);
  // B has more processes than A: A's only one may be anywhere, the others are where row-major has them.
  const Map more = relabel(grid(1, 10, 1, 10), grid(4, 5, 1, 10), 20, 10, {{5}, 6}).map;
  EXPECT_EQ(agreement(more), 3);
  EXPECT_EQ(std::ranges::count(more, 5), 1);
}

TEST(Relabel, NothingToMove) {
  for (const auto& [m, n] : {std::pair<Index, Index>{0, 10}, {10, 0}}) {
    const Relabelling found = relabel(grid(1, 3, 4, 3), grid(4, 3, 1, 3), m, n, everybody(4, 4));
    EXPECT_EQ(agreement(found.map), 4);
    EXPECT_EQ(found.retained, 1);
    EXPECT_EQ(found.retained_row_major, 1);
  }
}

TEST(Relabel, TheLargestMatrices) {
  const Index most = Index{1} << 40;
  const Relabelling found = relabel(grid(4, 64, 8, 64), grid(8, 64, 4, 64), most, most, everybody(32, 32));
  EXPECT_EQ(found.retained, 0.5);
  const Relabelling odd = relabel(grid(4, 64, 8, 64), grid(8, 64, 4, 64), most - 1, most - 3, everybody(32, 32));
  EXPECT_NEAR(odd.retained, 0.5, 1e-9);
  const Relabelling block =
      relabel(grid(8, most / 8 - 1, 1, 1), grid(8, most / 16 + 1, 1, 1), most - 1, 1, everybody(8, 8));
  EXPECT_NEAR(block.retained, 0.5, 1e-9);
}

}  // namespace
}  // namespace xredist::core
