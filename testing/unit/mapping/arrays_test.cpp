// SPDX-License-Identifier: BSD-3-Clause
// Target grids for arrays of any number of axes: the numbers of Kalns & Ni 1995, and never less than their formula
// keeps.
#include <gtest/gtest.h>

#include <cmath>

#include "cases.hpp"
#include "random/array_lines.hpp"

namespace xredist::testing {
namespace {

// An array, and its processes, numbered by the positions of B's rows and columns.
struct Array {
  Traffic traffic;
  Available processes;
};

Array array(const std::vector<Line>& lines) {
  auto [traffic, ranks_a, ranks_b] = array_of(lines);
  std::vector<int> number(std::max(ranks_a.size(), ranks_b.size()));
  std::iota(number.begin(), number.end(), 0);
  for (std::size_t k = 0; k < ranks_b.size(); ++k) at(number, ranks_b[k]) = static_cast<int>(k);
  for (int& rank : ranks_a) rank = at(number, rank);
  return {std::move(traffic), {std::move(ranks_a), static_cast<int>(number.size())}};
}

// Returns BLOCK to CYCLIC(c) on the same processes: blocks of b elements.
Line block_to_cyclic(Index p, Index b, Index c) { return {p, b, p, c, p * b}; }

struct Kept {
  Index before, after, all;
  friend bool operator==(const Kept&, const Kept&) = default;
};

Kept kept(const std::vector<Line>& lines) {
  const auto [traffic, processes] = array(lines);
  const Index all = traffic.rows.n * traffic.cols.n;
  const Relabelling found = relabel(traffic, processes);
  expect_valid(found.map, processes.count);
  const auto count = [&](double share) { return std::llround(share * static_cast<double>(all)); };
  return {count(found.retained_row_major), count(found.retained), all};
}

// Figure 10, and the same with a third axis.
TEST(RelabelledArrays, KeepAsMuchAsInFigure10) {
  const Line rows = block_to_cyclic(3, 6, 3), cols = block_to_cyclic(4, 4, 2);
  EXPECT_EQ(kept({rows, cols}), (Kept{24, 72, 288}));
  EXPECT_EQ(kept({rows, cols, block_to_cyclic(2, 4, 1)}), (Kept{96, 288, 2304}));
  EXPECT_EQ(kept({rows, cols, block_to_cyclic(3, 3, 1)}), (Kept{72, 216, 2592}));
}

// Theorem 2: the ratio of kept elements is the product of those of the axes.
TEST(RelabelledArrays, KeepTheProductOfTheAxes) {
  const std::vector<Line> lines{block_to_cyclic(4, 12, 2), block_to_cyclic(3, 6, 1), block_to_cyclic(5, 10, 5)};
  EXPECT_EQ(kept(lines), (Kept{720, 2400, 43'200}));
  Index after = 1;
  for (const Line& line : lines) after *= kept({line}).after;
  EXPECT_EQ(after, 2400);
}

// Pencils and bricks, whose grids have other shapes: equations 3 and 4 are such cases.
TEST(RelabelledArrays, KeepMoreOfPencilsAndBricks) {
  EXPECT_EQ(kept({{1, 8, 2, 4, 8}, {2, 4, 2, 4, 8}, {2, 4, 1, 8, 8}}), (Kept{128, 256, 512}));         // x -> z
  EXPECT_EQ(kept({{2, 8, 1, 16, 16}, {2, 8, 4, 4, 16}, {2, 8, 2, 8, 16}}), (Kept{1024, 2048, 4096}));  // bricks
  EXPECT_EQ(kept({{2, 8, 1, 16, 16}, {2, 8, 1, 16, 16}, {2, 8, 8, 2, 16}}), (Kept{512, 1024, 4096}));  // to slabs
}

// Beyond the Hungarian method, the result is never behind the product of the axes' best maps.
TEST(RelabelledArrays, AreNeverBehindTheFormula) {
  for (int seed = 0; seed < 40; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    std::vector<Line> lines;
    for (int k = 0; k < 3; ++k) {
      const Index p = 1 + random.below(4), c = 1 + random.below(3);
      lines.push_back(block_to_cyclic(p, c * (1 + random.below(5)), c));
    }
    const auto [traffic, processes] = array(lines);
    double formula = 1;
    for (const Line& line : lines) formula *= static_cast<double>(kept({line}).after) / static_cast<double>(line.n);
    EXPECT_GE(relabel(traffic, processes, 0).retained, formula - 1e-12) << "case " << seed;
    EXPECT_GE(relabel(traffic, processes).retained, formula - 1e-12) << "case " << seed;
  }
}

}  // namespace
}  // namespace xredist::testing
