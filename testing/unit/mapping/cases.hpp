// SPDX-License-Identifier: BSD-3-Clause
// Grids, and the processes that may be on them, for the tests of mapping/.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "mapping/relabel.hpp"
#include "random/random_traffic.hpp"

namespace xredist::testing {

using namespace core;

inline Layout grid(Index p0, Index b0, Index p1, Index b1) { return {{b0, p0, 0, 0}, {b1, p1, 0, 0}}; }

inline Available everybody(Index p, Index count) {
  Available all{std::vector<int>(static_cast<std::size_t>(p)), static_cast<int>(count)};
  std::iota(all.at_a.begin(), all.at_a.end(), 0);
  return all;
}
inline Available everybody(const Layout& a, const Layout& b) {
  const Index p = a.rows.procs * a.cols.procs;
  return everybody(p, std::max(p, b.rows.procs * b.cols.procs));
}

inline void expect_valid(const Map& map, int count) {
  std::vector<bool> seen(static_cast<std::size_t>(count), false);
  for (const int process : map) {
    ASSERT_TRUE(process >= 0 && process < count);
    ASSERT_FALSE(seen[static_cast<std::size_t>(process)]);
    seen[static_cast<std::size_t>(process)] = true;
  }
}

struct Case {
  Layout a, b;
  Index m, n;
  Available available;
};

// Grids of at most `processes` processes. Some that hold A may not be available for B, and others than A's may be.
inline Case random_case(Random& random, Index processes) {
  Case c;
  Index p, q;
  do {
    const Overlap rows = any_overlap(random, 4, 9, 60), cols = any_overlap(random, 4, 9, 60);
    c.a = {rows.a, cols.a}, c.b = {rows.b, cols.b}, c.m = rows.n, c.n = cols.n;
    p = rows.a.procs * cols.a.procs, q = rows.b.procs * cols.b.procs;
  } while (p > processes || q > processes);
  const Index count = q + random.below(processes - q + 1);
  std::vector<int> pool(static_cast<std::size_t>(count), 0);
  std::iota(pool.begin(), pool.end(), 0);
  pool.resize(static_cast<std::size_t>(std::max(p, count) + random.below(3)), -1);
  if (random.below(2) == 0)
    for (std::size_t k = pool.size(); k > 1; --k)
      std::swap(pool[k - 1], pool[static_cast<std::size_t>(random.below(static_cast<Index>(k)))]);
  pool.resize(static_cast<std::size_t>(p));
  c.available = {pool, static_cast<int>(count)};
  return c;
}

}  // namespace xredist::testing
