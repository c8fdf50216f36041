// SPDX-License-Identifier: BSD-3-Clause
// Packing, unpacking and copying, against elements found by their indices in the submatrix alone.
#include "copy/packer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "random/random_call.hpp"

namespace xredist::core {
namespace {

using testing::Call;
using testing::Cutting;
using testing::described;
using testing::Held;
using testing::moves;
using testing::RunsBy;
using testing::slow_build;
using Bytes = std::vector<std::byte>;

constexpr Index guard = 64;

std::uint64_t mixed(Index x) {
  std::uint64_t y = (static_cast<std::uint64_t>(x) + 1) * 0x9E3779B97F4A7C15u;
  y = (y ^ (y >> 29)) * 0xBF58476D1CE4E5B9u;
  return y ^ (y >> 32);
}

void put_element(std::byte* to, Index i, Index j, Index bytes) {
  for (Index done = 0; done < bytes; done += 8) {
    const std::uint64_t word = mixed((i << 32 | j) ^ done << 20);
    std::memcpy(to + done, &word, as_size(std::min<Index>(8, bytes - done)));
  }
}

void fill(Bytes& memory, Index seed) {
  for (std::size_t k = 0; k < memory.size(); ++k)
    memory[k] = static_cast<std::byte>(mixed(seed + static_cast<Index>(k)));
}

// The local array of a process, or the transpose of the array, between guards. All bytes begin with values that no
// element has.
struct Part {
  bool transposed;
  Held rows, cols;
  Index bytes, begin, ld = 0;
  Bytes memory;

  // `spare`: rows of the array below the matrix. `shift`: bytes between the guard and the array.
  Part(const Layout& layout, const Call& call, Coord place, Index spare, Index shift, bool transpose = false)
      : transposed(transpose),
        rows(testing::held_by(layout.rows, place.row, call.m)),
        cols(testing::held_by(layout.cols, place.col, call.n)),
        bytes(call.bytes),
        begin(guard + shift) {
    if (transposed) std::swap(rows, cols);
    ld = rows.count + spare;
    memory.resize(as_size(begin + ld * cols.count * bytes + guard));
    fill(memory, spare + shift);
  }

  std::byte* data() { return memory.data() + begin; }
  void put(Index i, Index j) {
    const Index row = at(rows.local, transposed ? j : i), col = at(cols.local, transposed ? i : j);
    put_element(data() + (row + col * ld) * bytes, i, j, bytes);
  }
  void put_all() {
    for (Index j = 0; j < std::ssize(cols.local); ++j) {
      if (at(cols.local, j) < 0) continue;
      for (Index i = 0; i < std::ssize(rows.local); ++i)
        if (at(rows.local, i) >= 0) transposed ? put(j, i) : put(i, j);
    }
  }
};

// Returns the elements of the submatrix that move with a rectangle of the message p -> q, column by column.
std::vector<Coord> elements_of(const Call& call, Coord p, Coord q, const Interval& row_part, const Interval& col_part) {
  const auto within = [](const Interval& part, const std::vector<Index>& shared) {
    return std::vector<Index>(shared.begin() + part.begin, shared.begin() + part.end);
  };
  const auto rows = within(row_part, testing::shared(call.a.rows, call.b.rows, call.m, p.row, q.row));
  const auto cols = within(col_part, testing::shared(call.a.cols, call.b.cols, call.n, p.col, q.col));
  std::vector<Coord> elements;
  for (const Index j : cols)
    for (const Index i : rows)
      if (moves(call.region, i, j)) elements.push_back({i, j});
  return elements;
}

// The position of the arrays in memory: rows below the matrix, and bytes by which the arrays are displaced.
struct Memory {
  Index spare_a = 0, spare_b = 0, shift_a = 0, shift_b = 0;
};

// The arrays of a message: A, its transpose, B as unpacked, B as copied without a buffer, and B as expected.
struct Arrays {
  Part a, transpose, b, copied, expected;
};

// Returns the redistribution from the transpose of A.
Redistribution from_transpose(const Call& call) {
  return redistribution_of({call.a.cols, call.a.rows}, call.b, call.m, call.n, call.region, call.bytes,
                           {.transposed = true});
}

// Packs, unpacks and copies a chunk. The buffer lies between guards, displaced by `shift` bytes. Returns the elements.
std::vector<Coord> check_piece(const Call& call, const Chunk& chunk, Index shift, Arrays& arrays, Packer& packer) {
  auto& [a, transpose, b, copied, expected] = arrays;
  const Redistribution redistribution = call.redistribution();
  const auto part = [](const ChunkSide& side) { return Interval{side.begin, side.begin + side.count}; };
  std::vector<Coord> elements = elements_of(call, chunk.p, chunk.q, part(chunk.rows), part(chunk.cols));
  EXPECT_FALSE(elements.empty()) << "a chunk without an element of the region";
  const Index whole = chunk.rows.count * chunk.cols.count * call.bytes, from = guard + shift;
  Bytes buffer(as_size(from + whole + guard));
  fill(buffer, whole);
  Bytes packed = buffer;
  for (Index at = from; const auto& [i, j] : elements) {
    put_element(packed.data() + at, i, j, call.bytes);
    at += call.bytes;
    expected.put(i, j);
  }
  const Index bytes = std::ssize(elements) * call.bytes;
  EXPECT_EQ(chunk.whole, bytes == whole);
  EXPECT_EQ(packer.bytes_of(redistribution, chunk), bytes);
  EXPECT_EQ(packer.pack(redistribution, chunk, {a.data(), a.ld}, buffer.data() + from), bytes);
  EXPECT_TRUE(buffer == packed);
  fill(buffer, whole);
  EXPECT_EQ(packer.pack(from_transpose(call), chunk, {transpose.data(), transpose.ld}, buffer.data() + from), bytes);
  EXPECT_TRUE(buffer == packed) << "from the transpose";
  const Bytes before = b.memory;
  EXPECT_EQ(packer.unpack(redistribution, chunk, packed.data() + from, bytes - 1, {b.data(), b.ld}), std::nullopt);
  EXPECT_TRUE(b.memory == before) << "changed although bytes were missing";
  EXPECT_EQ(packer.unpack(redistribution, chunk, packed.data() + from, bytes, {b.data(), b.ld}), bytes);
  packer.copy(redistribution, chunk, {a.data(), a.ld}, {copied.data(), copied.ld});
  return elements;
}

// Moves all chunks of a message, or of a part of a message, each of which must fit into the limit, then compares the
// arrays byte by byte. Each element must be in one chunk. Returns the number of elements.
Index check(const Call& call, const Cutting& cut, const Memory& memory, Packer& packer, RunsBy by) {
  const auto& [spare_a, spare_b, shift_a, shift_b] = memory;
  SCOPED_TRACE(testing::text(described(call), "\n", described(cut), "; rows beyond ", spare_a, " and ", spare_b,
                             ", bytes before ", shift_a, " and ", shift_b, "; tables of ", static_cast<int>(by)));
  Part a(call.a, call, cut.p, spare_a, shift_a), transpose(call.a, call, cut.p, spare_b, shift_b, true);
  const Part b(call.b, call, cut.q, spare_b, shift_b);
  a.put_all();
  transpose.put_all();
  Arrays arrays{a, transpose, b, b, b};
  const Redistribution redistribution = call.redistribution();
  const RunTables tables = testing::tables_of(redistribution, cut.p, cut.q, by);
  ChunkCursor at(redistribution, cut.p, cut.q, cut.rows, cut.cols, cut.limit, &tables, by == RunsBy::sender);
  std::vector<Coord> moved, due = elements_of(call, cut.p, cut.q, cut.rows, cut.cols);
  for (; !at.done(); at.advance()) {
    const Chunk& chunk = at.current();
    EXPECT_LE(chunk.rows.count * chunk.cols.count * call.bytes, cut.limit);
    const std::vector<Coord> elements = check_piece(call, chunk, shift_b, arrays, packer);
    moved.insert(moved.end(), elements.begin(), elements.end());
  }
  for (std::vector<Coord>* list : {&moved, &due})
    std::ranges::sort(*list, {}, [](Coord x) { return std::pair(x.row, x.col); });
  EXPECT_TRUE(moved == due);
  EXPECT_TRUE(arrays.a.memory == a.memory);
  EXPECT_TRUE(arrays.b.memory == arrays.expected.memory);
  EXPECT_TRUE(arrays.copied.memory == arrays.expected.memory);
  return std::ssize(moved);
}

Index check(const Call& call, const Cutting& cut, const Memory& memory, Packer& packer) {
  Index moved = 0;
  for (const RunsBy by : testing::all_runs_by) moved = check(call, cut, memory, packer, by);
  return moved;
}

Memory random_memory(testing::Random& random) {
  const auto spare = [&] { return random.below(2) * random.below(20); };
  const Index spare_a = spare(), spare_b = spare();
  return {spare_a, spare_b, random.below(guard), random.below(guard)};
}

TEST(Packer, MovesRandomChunks) {
  testing::Random random(71);
  Packer packer;
  Index moved = 0;
  for (int trial = 0; trial < (slow_build ? 200 : 2000) && !HasFailure(); ++trial) {
    Call call = testing::random_call(random, 3, 90, 90);
    if (trial % 3 == 0) call.bytes = 1 + random.below(2);
    moved += check(call, testing::random_cutting(random, call), random_memory(random), packer);
  }
  EXPECT_GT(moved, 0);
}

// One process holds all rows of A, and one all rows of B. Whole columns are contiguous if the leading dimension equals
// the number of rows.
TEST(Packer, MovesWholeColumns) {
  testing::Random random(72);
  Packer packer;
  for (int trial = 0; trial < (slow_build ? 100 : 1000) && !HasFailure(); ++trial) {
    Call call = testing::random_call(random, 3, 70, 30);
    call.a.rows = call.b.rows = {8, 1, 0, 0};
    if (random.below(4) == 0) call.b.rows.first = 3;
    Memory memory = random_memory(random);
    if (random.below(2) == 0) memory.spare_a = memory.spare_b = 0;
    Cutting cut = testing::random_cutting(random, call);
    cut.rows = {0, call.m};
    if (random.below(2) == 0) cut.limit = call.m * call.n * call.bytes;
    EXPECT_GE(check(call, cut, memory, packer), 0);
  }
}

// Rows in runs of `block` elements, and a shorter run at the end. Up to 16 elements are copied by code for a fixed
// size, longer runs by code for any size.
TEST(Packer, MovesRunsOfEveryLength) {
  Packer packer;
  for (Index block = 1; block <= 40; ++block)
    for (const Index bytes : {1, 2, 4, 8, 16})
      for (Index rest = 0; rest < block && !HasFailure(); rest += 1 + block / 4) {
        const Axis rows{block, 2, 0, 0}, cols{2, 1, 0, 0};
        const Call call{{rows, cols}, {{3 * block, 3, 0, 0}, cols}, 12 * block + rest, 3, {}, bytes};
        const auto shared = std::ssize(testing::shared(call.a.rows, call.b.rows, call.m, 0, 0));
        EXPECT_GT(check(call, {{0, 0}, {0, 0}, {0, shared}, {0, 3}, 1'000'000}, {0, 1, 0, 0}, packer), 0);
      }
}

// Local arrays of 8 MB on average are written with stores that bypass the caches. The process tested here has the last
// rows and columns only, so its array is small.
TEST(Packer, MovesPartsOfLargeMatrices) {
  testing::Random random(74);
  const auto last = [&](Index n, Index most) { return Axis{n, 2, 0, 1 + random.below(most)}; };
  for (int trial = 0; trial < (slow_build ? 20 : 150) && !HasFailure(); ++trial) {
    const Index m = 6000, n = 3000;
    Call call{{last(m, 400), last(n, 20)}, {last(m, 400), last(n, 20)}, m, n, {}, Index{4} << random.below(3)};
    if (random.below(2) == 0) call.a.rows = {50 + random.below(50), 2, 0, 0};
    if (random.below(3) == 0) call.region = {Region::Kind::upper, m - n - random.below(20)};
    const auto rows = std::ssize(testing::shared(call.a.rows, call.b.rows, m, 1, 1));
    const auto cols = std::ssize(testing::shared(call.a.cols, call.b.cols, n, 1, 1));
    Packer packer(1 + trial % 3, 1);
    if (rows > 0) check(call, {{1, 1}, {1, 1}, {0, rows}, {0, cols}, 1'000'000}, random_memory(random), packer);
  }
}

// Elements of several units. Chunks begin and end within elements.
TEST(Packer, TransposesElementsOfAnySize) {
  testing::Random random(76);
  for (int trial = 0; trial < (slow_build ? 100 : 1000) && !HasFailure(); ++trial) {
    Packer packer(1 + trial % 2, 1);
    Call call = testing::random_call(random, 3, 40, 40);
    call.region = {};
    call.bytes = trial % 20 == 0 ? 1000 : 1 + random.below(50);
    Cutting cut = testing::random_cutting(random, call);
    const Redistribution plain = call.redistribution(), transposing = from_transpose(call);
    if (const Index units = plain.units; units > 1) {
      const Index rows = cut.rows.length() * units;
      cut.rows = {cut.rows.begin * units + random.below(units), cut.rows.begin * units + rows};
    }
    SCOPED_TRACE(testing::text(described(call), "\n", described(cut)));
    const Memory memory = random_memory(random);
    Part a(call.a, call, cut.p, memory.spare_a, memory.shift_a);
    Part transpose(call.a, call, cut.p, memory.spare_b, memory.shift_b, true);
    a.put_all();
    transpose.put_all();
    for (const RunsBy by : testing::all_runs_by) {
      const RunTables tables = testing::tables_of(plain, cut.p, cut.q, by);
      ChunkCursor at(plain, cut.p, cut.q, cut.rows, cut.cols, std::max(cut.limit, plain.bytes), &tables,
                     by == RunsBy::sender);
      for (; !at.done(); at.advance()) {
        const Chunk& chunk = at.current();
        const Index bytes = packer.bytes_of(plain, chunk);
        Bytes expected(as_size(bytes + guard)), packed(as_size(bytes + guard));
        EXPECT_EQ(packer.pack(plain, chunk, {a.data(), a.ld}, expected.data()), bytes);
        EXPECT_EQ(packer.pack(transposing, chunk, {transpose.data(), transpose.ld}, packed.data()), bytes);
        EXPECT_TRUE(packed == expected);
      }
    }
  }
}

// Threads share a chunk however few bytes it has.
TEST(Packer, MovesByTwoAndThreeThreads) {
  testing::Random random(75);
  for (int trial = 0; trial < (slow_build ? 60 : 300) && !HasFailure(); ++trial) {
    Packer packer(2 + trial % 2, 1);
    Call call = testing::random_call(random, 3, 90, 40);
    if (trial % 4 == 0) call.a.rows = call.b.rows = {8, 1, 0, 0};
    check(call, testing::random_cutting(random, call), random_memory(random), packer, testing::all_runs_by[trial % 3]);
  }
}

}  // namespace
}  // namespace xredist::core
