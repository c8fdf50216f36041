// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "mapping/assignment.hpp"
#include "unit/random_traffic.hpp"

namespace xredist::core {
namespace {

// Returns the maximum sum of any matching of the columns from `col` on. `taken`: rows, as bits.
Index heaviest(const Weights& weights, std::size_t col, unsigned taken) {
  if (col == weights.n) return 0;
  Index best = 0;
  for (std::size_t row = 0; row < weights.n; ++row)
    if ((taken >> row & 1) == 0)
      best = std::max(best, weights(row, col) + heaviest(weights, col + 1, taken | 1u << row));
  return best;
}

Index sum(const std::vector<std::size_t>& row_of, const Weights& weights) {
  Index total = 0;
  for (std::size_t col = 0; col < row_of.size(); ++col) total += weights(row_of[col], col);
  return total;
}

void expect_matching(const std::vector<std::size_t>& row_of, std::size_t n) {
  const std::set<std::size_t> rows(row_of.begin(), row_of.end());
  EXPECT_EQ(row_of.size(), n);
  EXPECT_EQ(rows.size(), n);
  EXPECT_LT(*rows.rbegin(), n);
}

// Many pairs without an edge, nodes without any, equal weights and large ones.
TEST(Matching, HeaviestOfAllInSmallGraphs) {
  testing::Random random(21);
  for (int trial = 0; trial < 3000; ++trial) {
    Weights weights{static_cast<std::size_t>(1 + random.below(6))};
    const Index most = trial % 3 == 0 ? 3 : 1'000'000'000'000;
    for (Index count = random.below(20); count > 0; --count)
      at(weights.values, random.below(std::ssize(weights.values))) = random.below(most + 1);
    const std::vector<std::size_t> row_of = heaviest_matching(weights);
    expect_matching(row_of, weights.n);
    EXPECT_EQ(sum(row_of, weights), heaviest(weights, 0, 0));
    ASSERT_FALSE(HasFailure()) << "trial " << trial;
  }
}

// With weights i * j, the diagonal is the heaviest matching, by the rearrangement inequality.
TEST(Matching, OfLargeGraphs) {
  Weights weights{128};
  Index squares = 0;
  for (std::size_t i = 0; i < 128; ++i) {
    squares += static_cast<Index>((i + 1) * (i + 1));
    for (std::size_t j = 0; j < 128; ++j) weights(i, j) = static_cast<Index>((i + 1) * (j + 1));
  }
  const std::vector<std::size_t> row_of = heaviest_matching(weights);
  expect_matching(row_of, 128);
  EXPECT_EQ(sum(row_of, weights), squares);
}

}  // namespace
}  // namespace xredist::core
