// SPDX-License-Identifier: BSD-3-Clause
// Chunks of messages, against lists of the elements that two processes share.
#include "copy/chunks.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "random_call.hpp"

namespace xredist::core {
namespace {

using testing::Call;
using testing::Cutting;
using testing::described;
using testing::moves;
using testing::places_of;
using testing::RunsBy;
using testing::slow_build;

const RunTables untabulated{};

// The elements of a message, and the number of chunks that have moved each of them.
class Elements {
 public:
  Elements(const Call& call, const Cutting& cut)
      : call_(call),
        cut_(cut),
        rows_(testing::shared(call.a.rows, call.b.rows, call.m, cut.p.row, cut.q.row)),
        cols_(testing::shared(call.a.cols, call.b.cols, call.n, cut.p.col, cut.q.col)),
        times_(rows_.size() * cols_.size(), 0) {}

  // Marks the elements of a chunk, which must follow the previous chunk in the order of strips.
  void add(const Chunk& chunk) {
    EXPECT_TRUE(chunk.p == cut_.p && chunk.q == cut_.q);
    EXPECT_LE(chunk.rows.count * chunk.cols.count * call_.bytes, cut_.limit);
    EXPECT_LE(chunk.rows.count, max_chunk_rows(call_.redistribution().traffic.rows, call_.bytes));
    EXPECT_LE(chunk.cols.count, max_chunk_side);
    const Interval rows = places_of(chunk.rows, rows_), cols = places_of(chunk.cols, cols_);
    ASSERT_TRUE(rows.begin >= cut_.rows.begin && rows.begin < rows.end && rows.end <= cut_.rows.end);
    ASSERT_TRUE(cols.begin >= cut_.cols.begin && cols.begin < cols.end && cols.end <= cut_.cols.end);
    const bool same_strip = rows.begin == strip_.begin && rows.end == strip_.end;
    ASSERT_TRUE(same_strip ? cols.begin >= done_ : rows.begin >= strip_.end);
    strip_ = rows;
    done_ = cols.end;
    Index moved = 0;
    for (Index x = rows.begin; x < rows.end; ++x)
      for (Index y = cols.begin; y < cols.end; ++y) {
        ++times_[place(x, y)];
        moved += in_region(x, y);
      }
    EXPECT_GT(moved, 0) << "a chunk without an element of the region";
  }

  // Expects that elements of the part have moved once if they are in the region, at most once if not, and no others.
  void expect_each_once() const {
    for (Index x = 0; x < std::ssize(rows_); ++x)
      for (Index y = 0; y < std::ssize(cols_); ++y) {
        const bool in_part = x >= cut_.rows.begin && x < cut_.rows.end && y >= cut_.cols.begin && y < cut_.cols.end;
        const int times = times_[place(x, y)];
        ASSERT_TRUE(in_part && in_region(x, y) ? times == 1 : times <= (in_part ? 1 : 0)) << x << ", " << y;
      }
  }

 private:
  std::size_t place(Index x, Index y) const { return as_size(x) * cols_.size() + as_size(y); }
  bool in_region(Index x, Index y) const { return moves(call_.region, at(rows_, x), at(cols_, y)); }

  const Call& call_;
  const Cutting& cut_;
  std::vector<Index> rows_, cols_;  // of the submatrix
  std::vector<int> times_;
  Interval strip_{0, 0};  // rows of the last chunk
  Index done_ = 0;        // columns of that strip in chunks so far
};

// Returns the number of chunks.
int check(const Call& call, const Cutting& cut, RunsBy by) {
  SCOPED_TRACE(described(call) + "\n" + described(cut) + "; tables of " + std::to_string(static_cast<int>(by)));
  const Redistribution redistribution = call.redistribution();
  const RunTables tables = testing::tables_of(redistribution, cut.p, cut.q, by);
  Chunks chunks(redistribution, cut.p, cut.q, cut.rows, cut.cols, cut.limit, &tables, by == RunsBy::sender);
  Elements elements(call, cut);
  int count = 0;
  while (const auto chunk = chunks.next()) {
    elements.add(*chunk);
    ++count;
    if (::testing::Test::HasFailure()) return count;
  }
  EXPECT_FALSE(chunks.next().has_value());
  elements.expect_each_once();
  return count;
}

int check(const Call& call, const Cutting& cut) {
  int count = 0;
  for (const RunsBy by : testing::all_runs_by) count = check(call, cut, by);
  return count;
}

// A forwarder has no tables and needs no positions. It obtains the chunks that sender and receiver obtain.
void expect_same_unlocated(const Call& call, const Cutting& cut) {
  SCOPED_TRACE(described(call) + "\n" + described(cut));
  const Redistribution redistribution = call.redistribution();
  Chunks located(redistribution, cut.p, cut.q, cut.rows, cut.cols, cut.limit, &untabulated, true);
  Chunks unlocated(redistribution, cut.p, cut.q, cut.rows, cut.cols, cut.limit, nullptr, false);
  for (;;) {
    const auto expected = located.next(), found = unlocated.next();
    ASSERT_EQ(found.has_value(), expected.has_value());
    if (!found) return;
    for (const auto side : {&Chunk::rows, &Chunk::cols}) {
      EXPECT_EQ(((*found).*side).begin, ((*expected).*side).begin);
      EXPECT_EQ(((*found).*side).count, ((*expected).*side).count);
    }
  }
}

TEST(Chunks, HaveEachElementOnceInOrder) {
  testing::Random random(61);
  int max_count = 0;
  for (int trial = 0; trial < (slow_build ? 600 : 6000) && !HasFailure(); ++trial) {
    const Call call = testing::random_call(random, 4, 80, 80);
    const Cutting cut = testing::random_cutting(random, call);
    max_count = std::max(max_count, check(call, cut));
    expect_same_unlocated(call, cut);
  }
  EXPECT_GT(max_count, 100);
}

// Messages longer than max_chunk_side are cut there.
TEST(Chunks, OfLongMessages) {
  testing::Random random(62);
  for (int trial = 0; trial < (slow_build ? 20 : 200) && !HasFailure(); ++trial) {
    const bool tall = random.below(2) == 0;
    const Call call = testing::random_call(random, 2, tall ? 9000 : 4, tall ? 4 : 9000);
    Cutting cut = testing::random_cutting(random, call);
    cut.limit = 1'000'000;
    check(call, cut);
  }
}

// Returns the heights of the strips of a whole m x n matrix on one process.
std::vector<Index> heights_of(Index m, Index n, Index limit) {
  const Layout alone{{1, 1, 0, 0}, {1, 1, 0, 0}};
  const Redistribution redistribution = redistribution_of(alone, alone, m, n, {}, 8);
  std::vector<Index> heights;
  Chunks chunks(redistribution, {0, 0}, {0, 0}, {0, m}, {0, n}, limit, &untabulated, true);
  while (const auto chunk = chunks.next())
    if (chunk->cols.first == 0) heights.push_back(chunk->rows.count);
  return heights;
}

TEST(Chunks, AreNearlyEqualAndAsFewAsFit) {
  using Sides = std::vector<Index>;
  EXPECT_EQ(heights_of(8, 1, 80), Sides({8}));
  EXPECT_EQ(heights_of(10, 1, 80), Sides({10}));
  EXPECT_EQ(heights_of(11, 1, 80), Sides({6, 5}));
  EXPECT_EQ(heights_of(11, 1, 87), Sides({6, 5}));
  EXPECT_EQ(heights_of(11, 1, 88), Sides({11}));
  EXPECT_EQ(heights_of(10, 3, 32), Sides({4, 4, 2}));
  EXPECT_EQ(heights_of(2 * max_chunk_side + 1, 1, 1 << 20), Sides({max_chunk_side + 1, max_chunk_side}));
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
    Chunks chunks(redistribution, last, last, tall ? end : all, tall ? all : end, 1000, &untabulated, true);
    const auto chunk = chunks.next();
    ASSERT_TRUE(chunk && !chunks.next());
    const ChunkSide& side = tall ? chunk->rows : chunk->cols;
    EXPECT_TRUE(side.begin == n / 4 - 10 && side.count == 10 && side.first == n - 10 && side.last == n - 1);
  }
}

TEST(Chunks, OfAMessageOutsideTheRegionAreNone) {
  const Call call{{{2, 2, 0, 0}, {1, 1, 0, 0}}, {{3, 2, 0, 0}, {1, 1, 0, 0}}, 12, 1, {Region::Kind::lower, 12}, 8};
  EXPECT_EQ(check(call, {{0, 0}, {1, 0}, {0, 2}, {0, 1}, 800}), 0);
}

}  // namespace
}  // namespace xredist::core
