// SPDX-License-Identifier: BSD-3-Clause
// The C interface: plans over any MPI communicator.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "layout/axis.hpp"
#include "plans.hpp"
#include "ranks.hpp"
#include "xredist/xredist.h"

namespace xredist::testing {

using namespace core;
namespace {

xredist_layout layout(int nprow, int npcol, std::int64_t block, const int* ranks = nullptr) {
  return {nprow, npcol, block, block + 1, nprow - 1, 0, ranks};
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
  ASSERT_EQ(create_plan(MPI_COMM_WORLD, from, to, {.m = m, .n = n, .bytes = 8}, &plan), 0);
  const Local a(from, m, n, rank()), b(to, m, n, rank());
  for (double factor : {1.0, -3.0, 0.5}) {
    std::vector<double> source = a.expected, target(b.expected.size(), 0.0), expected = b.expected;
    for (double& x : source) x *= factor;
    for (double& x : expected) x *= factor;
    ASSERT_EQ(execute_job({plan, source.data(), a.rows, target.data(), b.rows}), 0);
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
  ASSERT_EQ(create_plan(half, from, to, {.m = 40, .n = 40, .bytes = 8}, &plan), 0);
  const Local a(from, 40, 40, me), b(to, 40, 40, me);
  std::vector<double> target(b.expected.size(), 0.0);
  ASSERT_EQ(execute_job({plan, a.expected.data(), a.rows, target.data(), b.rows}), 0);
  EXPECT_EQ(target, b.expected);
  xredist_plan_destroy(plan);
  MPI_Comm_free(&half);
}

TEST(Plan, OfNothing) {
  const auto grid = layout(1, 1, 4);
  xredist_plan* plan = nullptr;
  ASSERT_EQ(create_plan(MPI_COMM_WORLD, grid, grid, {.m = 0, .n = 5, .bytes = 8}, &plan), 0);
  EXPECT_EQ(execute_job({plan, nullptr, 0, nullptr, 0}), 0);
  xredist_plan_destroy(plan);
}

}  // namespace
}  // namespace xredist::testing
