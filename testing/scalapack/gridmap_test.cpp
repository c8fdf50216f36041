// SPDX-License-Identifier: BSD-3-Clause
// XREDIST_GRIDMAP with BLACS, and xredist_relabel: the fraction that they report must be the one that stays.
#include "xredist/gridmap.h"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "grid.hpp"
#include "move.hpp"
#include "xredist/relabel.hpp"
#include "xredist/scalapack.h"

using Int = xredist_int;

extern "C" {
void blacs_get_(const Int* ctxt, const Int* what, Int* value);
void blacs_gridmap_(Int* ctxt, const Int* usermap, const Int* ldumap, const Int* nprow, const Int* npcol);
void Cblacs_gridinfo(Int ctxt, Int* nprow, Int* npcol, Int* myrow, Int* mycol);
void Cblacs_gridexit(Int ctxt);
}

namespace xredist::testing {

namespace {

// The grid of B as a program makes it: by a map of the numbers that processes have in `ctxt`.
class Target {
 public:
  Target(Int ctxt, const std::vector<Int>& usermap, Int ldumap, Int nprow, Int npcol) {
    constexpr Int own = 10;
    blacs_get_(&ctxt, &own, &handle_);
    blacs_gridmap_(&handle_, usermap.data(), &ldumap, &nprow, &npcol);
    Int rows, cols;
    Cblacs_gridinfo(handle_, &rows, &cols, &row, &col);
    if (row < 0 || col < 0) handle_ = -1;
  }
  ~Target() {
    if (handle_ >= 0) Cblacs_gridexit(handle_);
  }
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;
  Int handle() const { return handle_; }

  Int row = -1, col = -1;

 private:
  Int handle_ = -1;
};

struct Matrix {
  Int m, n, mb, nb, rsrc, csrc;

  std::array<Int, 9> descriptor(Int context, Int lld) const { return {1, context, m, n, mb, nb, rsrc, csrc, lld}; }
  // Returns the part of the process in this row and column of a grid; row -1: outside.
  Part part(Int nprow, Int npcol, Int row, Int col) const {
    const auto p = static_cast<int>(nprow), q = static_cast<int>(npcol);
    const int place = row < 0 ? -1 : static_cast<int>(row * npcol + col);
    return {{p, q, mb, nb, static_cast<int>(rsrc), static_cast<int>(csrc)}, m, n, place};
  }
};

struct Case {
  GridShape a_grid;
  Matrix a;
  Matrix b;
  Int nprow, npcol, m, n, ia, ja, ib, jb;
};

// Returns the fraction of elements that PIGEMR2D leaves on their process, for B's grid by `usermap`.
double moved(const Case& move, const Context& a_context, const Context& all, const std::vector<Int>& usermap,
             Int ldumap) {
  const Target target(all.handle(), usermap, ldumap, move.nprow, move.npcol);
  const Part a_part = move.a.part(move.a_grid.nprow, move.a_grid.npcol, a_context.row(), a_context.col());
  const Part b_part = move.b.part(move.nprow, move.npcol, target.row, target.col);
  std::vector<Int> a(a_part.data.size() + 1, rank()), b(b_part.data.size() + 1, -1);
  const auto desca = move.a.descriptor(a_context.handle(), static_cast<Int>(a_part.ld));
  const auto descb = move.b.descriptor(target.handle(), static_cast<Int>(b_part.ld));
  Cpigemr2d(move.m, move.n, a.data(), move.ia, move.ja, desca.data(), b.data(), move.ib, move.jb, descb.data(),
            all.handle());
  const std::int64_t stay = total(std::count(b.begin(), b.end(), rank()));
  return static_cast<double>(stay) / static_cast<double>(move.m * move.n);
}

void expect_right(const Case& move, const Context& all) {
  const Context a_context(move.a_grid);
  std::array<Int, 9> desca = {77, -1, -5, 3, 0, -3, 99, -1, 0};  // outside of A's grid only the -1 is read
  Int ia = -7, ja = 0;
  if (a_context.member()) {
    desca = move.a.descriptor(a_context.handle(), 1);
    ia = move.ia, ja = move.ja;
  }
  const Int ldumap = move.nprow + 2;
  std::vector<Int> usermap(static_cast<std::size_t>(ldumap * move.npcol), -9), plain = usermap;
  double kept[2] = {-1, -1};
  const Int ctxt = all.handle();
  xredist_gridmap_(&move.m, &move.n, &ia, &ja, desca.data(), &move.ib, &move.jb, &move.b.mb, &move.b.nb, &move.b.rsrc,
                   &move.b.csrc, &move.nprow, &move.npcol, &ctxt, usermap.data(), &ldumap, kept, nullptr);
  std::vector<Int> from_first = usermap, again = plain;
  MPI_Bcast(from_first.data(), static_cast<int>(sizeof(Int) * from_first.size()), MPI_BYTE, 0, MPI_COMM_WORLD);
  EXPECT_EQ(usermap, from_first);
  EXPECT_EQ(xredist_gridmap(move.m, move.n, ia, ja, desca.data(), move.ib, move.jb, move.b.mb, move.b.nb, move.b.rsrc,
                            move.b.csrc, move.nprow, move.npcol, ctxt, again.data(), ldumap, nullptr),
            0);
  EXPECT_EQ(again, usermap);

  for (Int col = 0; col < move.npcol; ++col)
    for (Int row = 0; row < move.nprow; ++row)
      plain[static_cast<std::size_t>(col * ldumap + row)] = row * move.npcol + col;
  EXPECT_EQ(moved(move, a_context, all, usermap, ldumap), kept[0]);
  EXPECT_EQ(moved(move, a_context, all, plain, ldumap), kept[1]);
  EXPECT_GE(kept[0], kept[1]);
  for (Int col = 0; col < move.npcol; ++col)
    for (Int row = move.nprow; row < ldumap; ++row)
      EXPECT_EQ(usermap[static_cast<std::size_t>(col * ldumap + row)], -9);
}

Case whole(const GridShape& a_grid, Int a_block, Int nprow, Int npcol, Int b_block, Int m, Int n) {
  return {a_grid, {m, n, a_block, a_block, 0, 0}, {m, n, b_block, b_block, 0, 0}, nprow, npcol, m, n, 1, 1, 1, 1};
}

TEST(Gridmap, OfTheSameProcesses) {
  const Context all(row_major(1, size()));
  expect_right(whole(row_major(1, size()), 4, size(), 1, 4, 96, 96), all);
  expect_right(whole(row_major(size(), 1), 16, size(), 1, 8, 16 * size(), 30), all);
  if (size() % 2 == 0) expect_right(whole(row_major(2, size() / 2), 5, size() / 2, 2, 5, 120, 90), all);
  if (size() % 2 == 0) expect_right(whole(column_major(2, size() / 2), 5, 2, size() / 2, 7, 120, 90), all);
}

TEST(Gridmap, SubmatricesAndSources) {
  const Context all(row_major(size(), 1));
  const GridShape a_grid = row_major(1, size());
  expect_right({a_grid, {70, 90, 3, 5, 0, size() - 1}, {80, 70, 4, 6, size() - 1, 0}, size(), 1, 50, 61, 9, 14, 5, 3},
               all);
}

TEST(Gridmap, SomeProcessesOutsideOfAsGrid) {
  const Context all(row_major(1, size()));
  const GridShape last = row_major(1, (size() + 1) / 2, size() - (size() + 1) / 2);
  expect_right(whole(last, 4, size(), 1, 4, 60, 60), all);            // to all
  expect_right(whole(last, 4, (size() + 1) / 2, 1, 4, 60, 60), all);  // to as many: A's own
  expect_right(whole(last, 4, 1, 1, 4, 60, 60), all);
}

// Numbers are those of the context, whatever the order of its processes.
TEST(Gridmap, AContextInAnotherOrder) {
  GridShape backwards = row_major(1, size());
  std::ranges::reverse(backwards.ranks);
  const Context all(backwards);
  expect_right(whole(row_major(size(), 1), 4, 1, size(), 4, 60, 60), all);
  const Context columns(column_major(size() % 2 == 0 ? 2 : 1, size() % 2 == 0 ? size() / 2 : size()));
  expect_right(whole(row_major(1, size()), 8, 1, size(), 4, 40, 8 * size()), columns);
}

// ---- without BLACS

TEST(Relabel, APlanLeavesWhatItSays) {
  const int p = size();
  std::vector<int> backwards(static_cast<std::size_t>(p));
  std::iota(backwards.rbegin(), backwards.rend(), 0);
  const xredist_layout a{p, 1, 8, 10, 0, 0, backwards.data()};
  xredist_layout b{p, 1, 4, 10, p - 1, 0};
  const Relabelled found = relabelled(MPI_COMM_WORLD, a, b, {.m = 8 * p, .n = 10});
  b.ranks = found.ranks.data();
  Move move(MPI_COMM_WORLD, a, b, 8 * p, 10);
  std::ranges::fill(move.a.data, rank());
  EXPECT_EQ(execute_job(move.job()), 0);
  const std::int64_t stay = total(std::ranges::count(move.b.data, rank()));
  EXPECT_EQ(static_cast<double>(stay) / (80.0 * p), found.kept);
  EXPECT_EQ(found.kept, p == 1 ? 1 : 0.5);  // Kalns & Ni: ceil(2 / p) of 2 blocks
}

// Some ranks only, of which not all hold A: they are the ones that are mapped.
TEST(Relabel, OnlyTheRanksThatAreGiven) {
  if (size() < 4) GTEST_SKIP() << "needs four processes";
  const int of_a[] = {0, 1, 2}, of_b[] = {3, 1, 0};
  const xredist_layout a{3, 1, 10, 10, 0, 0, of_a}, b{3, 1, 10, 10, 0, 0, of_b};
  const Relabelled found = relabelled(MPI_COMM_WORLD, a, b, {.m = 30, .n = 10});
  EXPECT_EQ(found.ranks, (std::vector<int>{0, 1, 3}));
  EXPECT_EQ(found.kept, 20.0 / 30);
  EXPECT_EQ(found.kept_before, 10.0 / 30);
}

}  // namespace
}  // namespace xredist::testing
