// SPDX-License-Identifier: BSD-3-Clause
// Matrices with more than 2^31 rows or columns, in sparse memory.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "grid.hpp"
#include "random.hpp"
#include "ranks.hpp"
#include "routines.hpp"
#include "sparse.hpp"
#include "xredist/gridmap.h"
#include "xredist/relabel.hpp"

extern "C" void pdlapiv_64_(const char* direc, const char* rowcol, const char* pivroc, const xredist_int* m,
                            const xredist_int* n, void* a, const xredist_int* ia, const xredist_int* ja,
                            const xredist_int* desca, const xredist_int* ipiv, const xredist_int* ip,
                            const xredist_int* jp, const xredist_int* descip, xredist_int* iwork);

namespace xredist::testing {
namespace {

using Int = xredist_int;
constexpr Int beyond = Int{1} << 31;

// One axis of a matrix: its length, blocks, processes, the submatrix's first element (from 0).
struct Axis {
  Int length, block, procs, source, first;

  Int owner(Int k) const { return (k / block + source) % procs; }
  Int local(Int k) const { return k / block / procs * block + k % block; }
  Int held(Int process) const {
    Int last = length - 1;  // the last element that the process has, or one before the first
    for (Int tries = 0; last >= 0 && owner(last) != process; ++tries) {
      if (tries > procs) return 0;
      last = last / block * block - 1;
    }
    return last < 0 ? 0 : local(last) + 1;
  }
};

// A matrix on a grid, with this process's part.
struct Matrix {
  Axis rows, cols;
  Context context;
  int bytes;
  Int ld = 0, width = 0;
  Sparse memory;

  Matrix(const Axis& r, const Axis& c, const GridShape& grid, int b)
      : rows(r),
        cols(c),
        context(grid),
        bytes(b),
        ld(context.member() ? rows.held(context.row()) : 0),
        width(context.member() ? cols.held(context.col()) : 0),
        memory(static_cast<std::size_t>(std::max<Int>(ld * width * bytes, 1))) {}

  std::array<Int, 9> desc() const {
    return {1,          context.handle(), rows.length, cols.length,         rows.block,
            cols.block, rows.source,      cols.source, std::max<Int>(ld, 1)};
  }
  // Returns the address of an element, or nullptr if another process has the element.
  std::byte* at(Int i, Int j) const {
    if (!context.member() || rows.owner(i) != context.row() || cols.owner(j) != context.col()) return nullptr;
    return memory.bytes() + (rows.local(i) + cols.local(j) * ld) * bytes;
  }
};

using Element = std::array<unsigned, 4>;
Element element(Int i, Int j) {
  const auto k = static_cast<unsigned>(1 + i * 64 + j);
  return {k, k + 100'000, k + 200'000, k + 300'000};
}

Axis random_axis(Random& random, Int count, Int length, int procs) {
  constexpr Int lengths[] = {1, 7, 1000, 123'456'789, beyond + 5, 3 * beyond};
  const auto below = [&](Int n) { return random.below(n); };
  return {length, lengths[below(6)], procs, below(procs), below(length - count + 1)};
}

// A submatrix somewhere in a long or a wide matrix.
void expect_right(Random& random, const Letter& letter, bool wide) {
  const auto grid = [&] {
    const int nprow = random.in(1, size());
    return row_major(nprow, size() / nprow, 0);
  };
  const GridShape grid_a = grid(), grid_b = grid();
  const Int m = wide ? 5 : 40, n = wide ? 40 : 5;
  const auto matrix = [&](const GridShape& g) {
    const Int many = 4 * beyond + random.below(Int{1} << 32), few = 6;
    return Matrix(random_axis(random, m, wide ? few : many, g.nprow),
                  random_axis(random, n, wide ? many : few, g.npcol), g, letter.bytes);
  };
  const Matrix a = matrix(grid_a), b = matrix(grid_b);
  ASSERT_TRUE(a.memory && b.memory) << "no address space";
  const Context all(row_major(size(), 1));
  const auto bytes = static_cast<std::size_t>(letter.bytes);
  for (Int j = 0; j < n; ++j)
    for (Int i = 0; i < m; ++i)
      if (std::byte* at = a.at(a.rows.first + i, a.cols.first + j)) std::memcpy(at, element(i, j).data(), bytes);

  letter.call(random.one_in(2) ? Form::c : Form::fortran,
              {false, 'U', 'N', m, n, a.memory.bytes(), a.rows.first + 1, a.cols.first + 1, a.desc().data(),
               b.memory.bytes(), b.rows.first + 1, b.cols.first + 1, b.desc().data(), all.handle()});

  // The submatrix and its surroundings.
  Int right = 0, wrong = 0;
  for (Int j = std::max<Int>(-1, -b.cols.first); j <= n && b.cols.first + j < b.cols.length; ++j)
    for (Int i = std::max<Int>(-1, -b.rows.first); i <= m && b.rows.first + i < b.rows.length; ++i) {
      const std::byte* at = b.at(b.rows.first + i, b.cols.first + j);
      if (at == nullptr) continue;
      const bool inside = i >= 0 && i < m && j >= 0 && j < n;
      const Element due = inside ? element(i, j) : Element{};
      if (std::memcmp(at, due.data(), bytes) != 0)
        ++wrong;
      else if (inside)
        ++right;
    }
  EXPECT_EQ(wrong, 0) << b.rows.first << "," << b.cols.first << " blocks " << b.rows.block << "," << b.cols.block;
  MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ(right, m * n);
}

TEST(Beyond, SubmatricesOfLongAndWideMatrices) {
  testing::Random random(64);
  for (const Letter& letter : ours())
    for (int k = 0; k < 10; ++k) expect_right(random, letter, k % 2 == 0);
}

// Moves blocks of rows to cyclic blocks of half the height, on the grid that xredist_relabel chooses.
TEST(Beyond, Gridmap) {
  const Context all(row_major(size(), 1));
  const Int height = beyond + 2, m = height * size(), n = 1'000'000;
  const Int desca[] = {1, all.handle(), m, n, height, n, 0, 0, height};
  const xredist_layout a{size(), 1, height, n}, b{size(), 1, height / 2, n};
  const Relabelled due = relabelled(MPI_COMM_WORLD, a, b, {.m = m, .n = n});
  std::vector<Int> map(static_cast<std::size_t>(size()), -1);
  double kept[2] = {-1, -1};
  EXPECT_EQ(
      xredist_gridmap(m, n, 1, 1, desca, 1, 1, height / 2, n, 0, 0, size(), 1, all.handle(), map.data(), size(), kept),
      0);
  EXPECT_TRUE(std::ranges::equal(map, due.ranks));
  EXPECT_EQ(kept[0], due.kept);
  EXPECT_EQ(kept[1], due.kept_before);
  EXPECT_EQ(kept[0], size() == 1 ? 1 : 0.5);
}

// Interchanges five rows with rows that are more than 2^32 rows away.
TEST(Beyond, Interchanges) {
  for (const Int block : {Int{7}, Int{123'456'789}, 2 * beyond + 5}) {
    const Int m = 6 * beyond, n = 2, count = 5, one = 1;
    const Matrix a({m, block, size(), size() - 1, 5 * beyond + 3}, {n, n, 1, 0, 0}, row_major(size(), 1), 8);
    ASSERT_TRUE(a.memory) << "no address space";
    const Int first = a.rows.first + 1, distance = 2 * beyond + 10;
    std::vector<Int> pivots(static_cast<std::size_t>(count));  // process 0 has all of them
    for (Int k = 0; k < count; ++k) pivots[static_cast<std::size_t>(k)] = 1 + k - distance;
    const auto write = [&](Int i, Int j, Int value) {
      if (std::byte* at = a.at(i, j)) std::memcpy(at, &value, sizeof value);
    };
    for (Int k = 0; k < count; ++k)
      for (Int j = 0; j < n; ++j)
        write(a.rows.first + k, j, 100 + 10 * k + j), write(a.rows.first + k - distance, j, 200 + 10 * k + j);
    const std::array<Int, 9> descip{1, a.context.handle(), count * size(), 1, count, 1, 0, 0, count};
    pdlapiv_64_("F", "R", "C", &count, &n, a.memory.bytes(), &first, &one, a.desc().data(), pivots.data(), &one, &one,
                descip.data(), nullptr);
    for (Int k = 0; k < count; ++k)
      for (Int j = 0; j < n; ++j)
        for (const bool far : {false, true}) {
          const std::byte* const at = a.at(a.rows.first + k - (far ? distance : 0), j);
          Int value = (far ? 100 : 200) + 10 * k + j;
          if (at != nullptr) std::memcpy(&value, at, sizeof value);
          EXPECT_EQ(value, (far ? 100 : 200) + 10 * k + j) << "block " << block << ", row " << k << ", column " << j;
        }
  }
}

}  // namespace
}  // namespace xredist::testing
