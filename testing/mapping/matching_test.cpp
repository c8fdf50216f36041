// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "mapping/assignment.hpp"
#include "unit/random_traffic.hpp"

namespace xredist::core {
namespace {

// Returns the maximum sum of any matching of the left nodes from `left` on. `taken`: right nodes, as bits.
Index heaviest(const std::vector<Edge>& edges, const std::vector<Index>& weights, int left, int lefts, unsigned taken) {
  if (left == lefts) return 0;
  Index best = heaviest(edges, weights, left + 1, lefts, taken);
  for (std::size_t e = 0; e < edges.size(); ++e)
    if (edges[e].left == left && (taken >> edges[e].right & 1) == 0)
      best = std::max(best, weights[e] + heaviest(edges, weights, left + 1, lefts, taken | 1u << edges[e].right));
  return best;
}

Index sum(const std::vector<int>& matching, const std::vector<Index>& weights) {
  return std::accumulate(matching.begin(), matching.end(), Index{0},
                         [&](Index total, int e) { return total + at(weights, e); });
}

void expect_matching(const std::vector<Edge>& edges, const std::vector<int>& matching) {
  std::set<int> left, right, chosen(matching.begin(), matching.end());
  EXPECT_EQ(chosen.size(), matching.size());
  for (const int e : matching) {
    EXPECT_TRUE(left.insert(at(edges, e).left).second);
    EXPECT_TRUE(right.insert(at(edges, e).right).second);
  }
}

// Parallel edges, weights of 0 and below, more nodes on either side, nodes without an edge.
TEST(Matching, HeaviestOfAllInSmallGraphs) {
  testing::Random random(21);
  for (int trial = 0; trial < 3000; ++trial) {
    const auto lefts = static_cast<int>(1 + random.below(6)), rights = static_cast<int>(1 + random.below(6));
    const Index most = trial % 3 == 0 ? 3 : 1'000'000'000'000;
    std::vector<Edge> edges;
    std::vector<Index> weights;
    for (Index count = random.below(14); count > 0; --count) {
      edges.push_back({static_cast<int>(random.below(lefts)), static_cast<int>(random.below(rights))});
      weights.push_back(random.below(most + 2) - 1);
    }
    const std::vector<int> matching = heaviest_matching(edges, weights, lefts, rights);
    expect_matching(edges, matching);
    EXPECT_EQ(sum(matching, weights), heaviest(edges, weights, 0, lefts, 0));
    for (const int e : matching) EXPECT_GT(at(weights, e), 0);
    ASSERT_FALSE(HasFailure()) << "trial " << trial;
  }
}

// With weights i * j, the diagonal is the heaviest matching, by the rearrangement inequality.
TEST(Matching, TheLargestGraphsThatAreMatched) {
  std::vector<Edge> edges;
  std::vector<Index> weights;
  Index squares = 0;
  for (int i = 1; i <= 128; ++i) {
    squares += i * i;
    for (int j = 1; j <= 128; ++j) {
      edges.push_back({i - 1, j - 1});
      weights.push_back(i * j);
    }
  }
  const std::vector<int> matching = heaviest_matching(edges, weights, 128, 128);
  expect_matching(edges, matching);
  EXPECT_EQ(sum(matching, weights), squares);
}

TEST(Matching, NothingToMatch) {
  EXPECT_TRUE(heaviest_matching({}, {}, 3, 4).empty());
  EXPECT_TRUE(heaviest_matching({{0, 0}, {1, 2}}, {0, -5}, 3, 4).empty());
}

}  // namespace
}  // namespace xredist::core
