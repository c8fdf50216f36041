// SPDX-License-Identifier: BSD-3-Clause
// The C interface: plans over any MPI communicator.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "layout/axis.hpp"
#include "ranks.hpp"
#include "xredist/xredist.h"

namespace xredist::testing {

using namespace core;
namespace {

xredist_layout layout(int nprow, int npcol, std::int64_t block, const int* ranks = nullptr) {
  return {nprow, npcol, ranks, block, block + 1, nprow - 1, 0};
}

// Rows, columns and values of the local part of an m x n matrix; element (i, j) is m j + i + 1.
struct Local {
  Index rows = 0, cols = 0;
  std::vector<double> expected;

  Local(const xredist_layout& x, Index m, Index n, int my_rank) {
    const int* found = x.ranks == nullptr ? nullptr : std::find(x.ranks, x.ranks + x.nprow * x.npcol, my_rank);
    const int place = found == nullptr ? my_rank : static_cast<int>(found - x.ranks);
    if (place >= x.nprow * x.npcol) return;
    const Axis row_axis{x.mb, x.nprow, x.rsrc, 0}, col_axis{x.nb, x.npcol, x.csrc, 0};
    rows = local_count(row_axis, place / x.npcol, m);
    cols = local_count(col_axis, place % x.npcol, n);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < m; ++i)
        if (owner(row_axis, i) == place / x.npcol && owner(col_axis, j) == place % x.npcol)
          expected.push_back(static_cast<double>(m * j + i + 1));
  }
};

TEST(Plan, ExecutesAnyNumberOfTimes) {
  std::vector<int> backwards(static_cast<std::size_t>(size()));
  std::iota(backwards.rbegin(), backwards.rend(), 0);
  const auto from = layout(size(), 1, 3), to = layout(1, size(), 8, backwards.data());
  constexpr Index m = 70, n = 50;
  xredist_plan* plan = nullptr;
  ASSERT_EQ(xredist_plan_create(MPI_COMM_WORLD, m, n, 8, &from, 1, 1, &to, 1, 1, &plan), 0);
  const Local a(from, m, n, rank()), b(to, m, n, rank());
  for (double factor : {1.0, -3.0, 0.5}) {
    std::vector<double> source = a.expected, target(b.expected.size(), 0.0), expected = b.expected;
    for (double& x : source) x *= factor;
    for (double& x : expected) x *= factor;
    ASSERT_EQ(xredist_execute(plan, source.data(), a.rows, target.data(), b.rows), 0);
    EXPECT_EQ(target, expected);
  }
  EXPECT_FALSE(b.expected.empty());
  xredist_plan_destroy(plan);
}

// A plan on part of MPI_COMM_WORLD, in another order of ranks.
TEST(Plan, OnASubcommunicator) {
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank() % 2, -rank(), &half);
  int me, processes;
  MPI_Comm_rank(half, &me);
  MPI_Comm_size(half, &processes);
  const auto from = layout(1, processes, 4), to = layout(processes, 1, 6);
  xredist_plan* plan = nullptr;
  ASSERT_EQ(xredist_plan_create(half, 40, 40, 8, &from, 1, 1, &to, 1, 1, &plan), 0);
  const Local a(from, 40, 40, me), b(to, 40, 40, me);
  std::vector<double> target(b.expected.size(), 0.0);
  ASSERT_EQ(xredist_execute(plan, a.expected.data(), a.rows, target.data(), b.rows), 0);
  EXPECT_EQ(target, b.expected);
  xredist_plan_destroy(plan);
  MPI_Comm_free(&half);
}

TEST(Plan, OfNothing) {
  const auto grid = layout(1, 1, 4);
  xredist_plan* plan = nullptr;
  ASSERT_EQ(xredist_plan_create(MPI_COMM_WORLD, 0, 5, 8, &grid, 1, 1, &grid, 1, 1, &plan), 0);
  EXPECT_EQ(xredist_execute(plan, nullptr, 0, nullptr, 0), 0);
  xredist_plan_destroy(plan);
}

TEST(Plan, NamesTheWrongArgument) {
  const auto right = layout(1, 1, 4);
  const auto with = [&](auto change) {
    auto wrong = right;
    change(wrong);
    return wrong;
  };
  xredist_plan* plan = nullptr;
  const auto create = [&](std::int64_t m, std::int64_t n, int bytes, const xredist_layout* a, std::int64_t ia,
                          const xredist_layout* b, std::int64_t jb) {
    return xredist_plan_create(MPI_COMM_WORLD, m, n, bytes, a, ia, 1, b, 1, jb, &plan);
  };
  EXPECT_EQ(create(-1, 1, 8, &right, 1, &right, 1), -2);
  EXPECT_EQ(create(1, -1, 8, &right, 1, &right, 1), -3);
  constexpr std::int64_t top = std::int64_t{1} << 40;
  EXPECT_EQ(create(top + 1, 1, 8, &right, 1, &right, 1), -2);
  EXPECT_EQ(create(top, top, 8, &right, 1, &right, 1), -3);  // more bytes than 64 bits can count
  EXPECT_EQ(create(1, 1, 3, &right, 1, &right, 1), -4);
  EXPECT_EQ(create(1, 1, 8, nullptr, 1, &right, 1), -5);
  EXPECT_EQ(create(1, 1, 8, &right, 0, &right, 1), -6);
  EXPECT_EQ(create(1, 1, 8, &right, 1, &right, 0), -10);
  const int twice[] = {0, 0}, outside[] = {size()};
  for (const auto& wrong :
       {with([](auto& x) { x.mb = 0; }), with([](auto& x) { x.nb = -5; }), with([](auto& x) { x.rsrc = 1; }),
        with([](auto& x) { x.nprow = size() + 1; }), with([&](auto& x) { x.ranks = outside; }),
        with([&](auto& x) { x.npcol = 2, x.ranks = twice; })})
    EXPECT_EQ(create(1, 1, 8, &right, 1, &wrong, 1), -8);
  EXPECT_EQ(xredist_plan_create(MPI_COMM_NULL, 1, 1, 8, &right, 1, 1, &right, 1, 1, &plan), -1);
  EXPECT_EQ(xredist_plan_create(MPI_COMM_WORLD, 1, 1, 8, &right, 1, 1, &right, 1, 1, nullptr), -11);
  EXPECT_EQ(plan, nullptr);

  ASSERT_EQ(create(1, 1, 8, &right, 1, &right, 1), 0);
  if (rank() == 0) {
    double x = 0;
    EXPECT_EQ(xredist_execute(nullptr, &x, 1, &x, 1), -1);
    EXPECT_EQ(xredist_execute(plan, nullptr, 1, &x, 1), -2);
    EXPECT_EQ(xredist_execute(plan, &x, 1, nullptr, 1), -4);
  }
  xredist_plan_destroy(plan);
}

// lda has to hold the rows up to the end of the submatrix: 1 to 10 are on one process, of which 4 to 10 move.
TEST(Plan, NamesTheWrongLeadingDimension) {
  const int last[] = {size() - 1};
  const auto from = layout(1, 1, 4), to = layout(1, 1, 3, last);
  xredist_plan* plan = nullptr;
  ASSERT_EQ(xredist_plan_create(MPI_COMM_WORLD, 7, 2, 8, &from, 4, 1, &to, 2, 1, &plan), 0);
  std::vector<double> a(20, 1.0), b(16, 0.0);
  const bool sends = rank() == 0, receives = rank() == size() - 1;
  if (sends) {
    EXPECT_EQ(xredist_execute(plan, a.data(), 9, b.data(), 8), -3);
  }
  if (receives) {
    EXPECT_EQ(xredist_execute(plan, a.data(), 10, b.data(), 7), -5);
  }
  EXPECT_EQ(xredist_execute(plan, a.data(), sends ? 10 : 0, b.data(), receives ? 8 : 0), 0);
  EXPECT_EQ(std::count(b.begin(), b.end(), 1.0), receives ? 14 : 0);
  xredist_plan_destroy(plan);
}

}  // namespace
}  // namespace xredist::testing
