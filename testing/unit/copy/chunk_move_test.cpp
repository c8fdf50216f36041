// SPDX-License-Identifier: BSD-3-Clause
// The form in which a chunk lists its runs, on both sides of each threshold. packer_test moves the elements.
#include "copy/chunk_move.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <initializer_list>
#include <numeric>
#include <utility>
#include <vector>

#include "random/random_call.hpp"

namespace xredist::core {
namespace {

using testing::RunsBy;
using testing::tables_of;

struct Listed {
  std::size_t once, repeated;
  bool long_runs;

  friend bool operator==(const Listed&, const Listed&) = default;
};

// Lists a chunk of `columns` columns and the first `elements` rows that the first processes of two share; their rows
// have blocks of `a` and `b`.
Listed listed(Index a, Index b, Index elements, Index columns, RunsBy by = RunsBy::walking) {
  const Axis all{columns, 1, 0, 0};
  const Index m = 4 * elements + 4 * a * b;
  const Redistribution redistribution = redistribution_of({{a, 2, 0, 0}, all}, {{b, 2, 0, 0}, all}, m, columns, {}, 8);
  const RunTables tables = tables_of(redistribution, {0, 0}, {0, 0}, by);
  const ChunkCursor at(redistribution, {0, 0}, {0, 0}, {0, elements}, {0, columns}, 1 << 24, &tables, true);
  const Chunk chunk = at.current();
  EXPECT_EQ(chunk.rows.count, elements);
  MoveLists lists;
  const ChunkMove move(redistribution, chunk, Place::a, Place::packed, lists);
  return {lists.rows.once.size(), lists.rows.repeated.size(), move.has_long_runs()};
}

// Blocks of 64 to blocks of 1: series of 32 runs.
TEST(ChunkMove, ListsRunsOneByOneIfTheFirstCacheHoldsTheList) {
  EXPECT_EQ(listed(64, 1, 1024, 5), (Listed{1024, 0, false}));
  EXPECT_EQ(listed(64, 1, 1056, 5), (Listed{0, 33, false}));
  EXPECT_EQ(listed(64, 1, 1024, 4), (Listed{0, 32, false}));  // a narrow chunk repeats runs
}

// Blocks of 512 to shorter ones: series of 16 runs of 16 elements, and of 8 runs of 32.
TEST(ChunkMove, ListsShortRunsOneByOne) {
  EXPECT_EQ(listed(512, 16, 2560, 5), (Listed{160, 0, true}));
  EXPECT_EQ(listed(512, 32, 2560, 5), (Listed{0, 10, true}));
}

// Blocks of 16 to blocks of 2: series of 4 runs.
TEST(ChunkMove, RepeatsFewRunsInNarrowChunksOnly) {
  EXPECT_EQ(listed(16, 2, 64, 4), (Listed{0, 8, false}));
  EXPECT_EQ(listed(16, 2, 64, 5), (Listed{32, 0, false}));
}

// Blocks of 3 to blocks of 5: in each period of 30, the first processes share runs of 3, 3, 1 and 1 elements. The last
// two are adjacent in A and in the buffer.
TEST(ChunkMove, RepeatsTheRunsOfTabulatedPeriods) {
  EXPECT_EQ(listed(3, 5, 10 * 8, 1, RunsBy::sender), (Listed{0, 3, false}));
}

TEST(ChunkMove, ListsContiguousPeriodsAsOneRun) {
  EXPECT_EQ(listed(4, 4, 400, 1, RunsBy::sender), (Listed{1, 0, true}));
  EXPECT_EQ(listed(4, 4, 400, 5, RunsBy::sender), (Listed{1, 0, true}));
}

TEST(ChunkMove, HasLongRunsOfEightElements) {
  EXPECT_FALSE(listed(64, 7, 448, 1).long_runs);
  EXPECT_TRUE(listed(64, 8, 512, 1).long_runs);
}

// Copies columns of 3 elements between arrays whose lines are `ld_from` and `ld_to` elements apart. The columns begin
// at these lines of either side. Returns whether the elements of B are right.
bool copies(const CopyRuns& cols, Index ld_from, Index ld_to) {
  constexpr Index rows = 3, first = 1;
  std::vector<double> a(200), b(200, -1);
  std::iota(a.begin(), a.end(), 0.0);
  std::vector<double> expected = b;
  for_strips(cols, [&](Index from, Index to, Index length) {
    for (Index k = 0; k < length * rows; ++k)
      at(expected, (to + k / rows) * ld_to + k % rows) = at(a, (from + k / rows) * ld_from + first + k % rows);
  });
  CopyRuns listed{{{first, 0, rows, 0}}, {}};
  Columns columns;
  move_runs({sizeof(double)}, listed, cols,
            {reinterpret_cast<const std::byte*>(a.data()), ld_from, reinterpret_cast<std::byte*>(b.data()), ld_to},
            columns, 1);
  return b == expected;
}

// Columns of strided arrays, listed by their offsets: all continue each other; not all; only the first two; none do.
TEST(MoveRuns, JoinsColumnsThatContinueEachOther) {
  const auto listed = [](std::initializer_list<std::pair<Index, Index>> columns) {
    CopyRuns cols;
    for (const auto& [from, to] : columns) cols.once.push_back({from, to, 1, 0});
    return cols;
  };
  EXPECT_TRUE(copies(listed({{0, 20}, {3, 23}, {6, 26}, {9, 29}}), 1, 1));
  EXPECT_TRUE(copies(listed({{0, 20}, {3, 23}, {6, 27}, {9, 30}}), 1, 1));
  EXPECT_TRUE(copies(listed({{0, 20}, {3, 23}, {7, 27}, {20, 40}}), 1, 1));
  EXPECT_TRUE(copies(listed({{0, 20}, {3, 24}, {6, 28}}), 1, 1));
  EXPECT_TRUE(copies(listed({{20, 4}, {23, 5}, {26, 6}, {40, 9}}), 1, 3));
  EXPECT_TRUE(copies({{}, {{{8, 16, 1, 0}, 8, 3, 3}, {{40, 60, 1, 0}, 4, 3, 3}, {{52, 72, 1, 0}, 2, 3, 5}}}, 1, 1));
}

// Columns of matrices: whole on both sides, on one side, on none.
TEST(MoveRuns, JoinsWholeColumns) {
  const CopyRuns cols{{{2, 4, 8, 0}, {10, 12, 3, 0}, {20, 30, 2, 0}}, {}};
  for (const Index ld_from : {3, 5})
    for (const Index ld_to : {3, 5}) EXPECT_TRUE(copies(cols, ld_from, ld_to)) << ld_from << ' ' << ld_to;
}

}  // namespace
}  // namespace xredist::core
