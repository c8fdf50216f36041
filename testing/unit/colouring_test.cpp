// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <utility>

#include "schedule/bipartite.hpp"

namespace xredist::core {
namespace {

void expect_proper(const std::vector<Edge>& edges, const std::vector<int>& colours, int most) {
  ASSERT_EQ(edges.size(), colours.size());
  std::set<std::pair<int, int>> left, right;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    EXPECT_GE(colours[e], 0);
    EXPECT_LT(colours[e], most);
    EXPECT_TRUE(left.insert({edges[e].left, colours[e]}).second) << "twice at sender " << edges[e].left;
    EXPECT_TRUE(right.insert({edges[e].right, colours[e]}).second) << "twice at receiver " << edges[e].right;
  }
}

// Also with a limit on the edges that paths may recolour: then there may be twice as many colours.
TEST(Colouring, UsesNoMoreColoursThanTheLargestDegree) {
  std::mt19937 random(4);
  for (int trial = 0; trial < 300; ++trial) {
    const int lefts = 1 + static_cast<int>(random() % 20), rights = 1 + static_cast<int>(random() % 20);
    const auto count = random() % 150;  // parallel edges included
    std::vector<Edge> edges;
    std::vector<int> degree(as_size(lefts + rights), 0);
    for (unsigned e = 0; e < count; ++e) {
      edges.push_back({static_cast<int>(random() % static_cast<unsigned>(lefts)),
                       static_cast<int>(random() % static_cast<unsigned>(rights))});
      ++at(degree, edges.back().left);
      ++at(degree, lefts + edges.back().right);
    }
    const int most = std::max(1, *std::ranges::max_element(degree));
    expect_proper(edges, colour_edges(edges, lefts, rights, most), most);
    expect_proper(edges, colour_edges(edges, lefts, rights, most, trial % 4), 2 * most);
  }
}

TEST(Colouring, MoreColoursThanAMachineWordHasBits) {
  std::vector<Edge> edges;
  for (int left = 0; left < 130; ++left)
    for (int right = 0; right < 130; ++right) edges.push_back({left, (left * 7 + right) % 130});
  expect_proper(edges, colour_edges(edges, 130, 130, 130), 130);
}

}  // namespace
}  // namespace xredist::core
