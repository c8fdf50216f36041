// SPDX-License-Identifier: BSD-3-Clause
// The sizes of chunks. packer_test finds each element in one chunk, and packets_test has chunks of forwarders.
#include "copy/chunks.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace xredist::core {
namespace {

const RunTables untabulated{};

// Returns the heights of the strips of a whole m x n matrix on one process, or the widths of the chunks of a strip.
std::vector<Index> lengths_of(ChunkSide Chunk::*side, Index m, Index n, Index limit) {
  const Layout alone{{1, 1, 0, 0}, {1, 1, 0, 0}};
  const Redistribution redistribution = redistribution_of(alone, alone, m, n, {}, 8);
  const auto other = side == &Chunk::rows ? &Chunk::cols : &Chunk::rows;
  std::vector<Index> lengths;
  ChunkCursor at(redistribution, {0, 0}, {0, 0}, {0, m}, {0, n}, limit, &untabulated, true);
  for (; !at.done(); at.advance())
    if ((at.current().*other).begin == 0) lengths.push_back((at.current().*side).count);
  return lengths;
}

TEST(Chunks, AreNearlyEqualAndAsFewAsFit) {
  using Sides = std::vector<Index>;
  const auto heights_of = [](Index m, Index n, Index limit) { return lengths_of(&Chunk::rows, m, n, limit); };
  EXPECT_EQ(heights_of(8, 1, 80), Sides({8}));
  EXPECT_EQ(heights_of(10, 1, 80), Sides({10}));
  EXPECT_EQ(heights_of(11, 1, 80), Sides({6, 5}));
  EXPECT_EQ(heights_of(11, 1, 87), Sides({6, 5}));
  EXPECT_EQ(heights_of(11, 1, 88), Sides({11}));
  EXPECT_EQ(heights_of(10, 3, 32), Sides({4, 4, 2}));
  EXPECT_EQ(heights_of(4097, 1, 1 << 20), Sides({2049, 2048}));
  EXPECT_EQ(lengths_of(&Chunk::cols, 1, 2050, 1 << 20), Sides(2, 1025));
}

// The limit is one of bytes, unless runs are short.
TEST(Chunks, OfAllSizesOfElementsAreAsHigh) {
  const auto max_rows = [](Index block, Index bytes) {
    return max_chunk_rows({{block, 2, 0, 0}, {2 * block, 2, 0, 0}, 100'000}, bytes) / max_chunk_side;
  };
  EXPECT_EQ(max_rows(64, 1), 16);
  EXPECT_EQ(max_rows(64, 4), 4);
  EXPECT_EQ(max_rows(64, 8), 2);
  EXPECT_EQ(max_rows(64, 16), 1);
  EXPECT_EQ(max_rows(4, 1), 2);
  EXPECT_EQ(max_rows(1, 1), 1);
  EXPECT_EQ(max_chunk_rows(Overlap({1, 1, 0, 0}, {1, 1, 0, 0}, 0), 1), max_chunk_side);
}

// The last rows, or columns, of a matrix with 2^33.
TEST(Chunks, BeyondTheRangeOf32Bits) {
  constexpr Index n = Index{1} << 33;
  const Axis blocks{n / 4, 2, 0, 0}, slabs{n / 2, 2, 0, 0}, one{1, 1, 0, 0};
  for (const bool tall : {true, false}) {
    const Layout a = tall ? Layout{blocks, one} : Layout{one, blocks},
                 b = tall ? Layout{slabs, one} : Layout{one, slabs};
    const Redistribution redistribution = redistribution_of(a, b, tall ? n : 1, tall ? 1 : n, {}, 4);
    const Coord last = tall ? Coord{1, 0} : Coord{0, 1};
    const Interval all{0, 1}, end{n / 4 - 10, n / 4};
    ChunkCursor at(redistribution, last, last, tall ? end : all, tall ? all : end, 1000, &untabulated, true);
    ASSERT_FALSE(at.done());
    const ChunkSide side = tall ? at.current().rows : at.current().cols;
    at.advance();
    EXPECT_TRUE(at.done());
    const auto run = Runs(std::get<Runs>(side.cursor)).next(n);
    EXPECT_TRUE(side.begin == n / 4 - 10 && side.count == 10 && run.k == n - 10 && run.length == 10);
  }
}

}  // namespace
}  // namespace xredist::core
