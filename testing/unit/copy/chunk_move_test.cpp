// SPDX-License-Identifier: BSD-3-Clause
// The form in which a chunk lists its runs, on both sides of each threshold. packer_test moves the elements.
#include "copy/chunk_move.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace xredist::core
