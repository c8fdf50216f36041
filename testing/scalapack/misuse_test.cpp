// SPDX-License-Identifier: BSD-3-Clause
// Uses the C interface in ways that a program should not. Errors that the library can detect are reported. Every
// algorithm plans blocks of any size.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdint>
#include <string>
#include <vector>

#include "plans.hpp"
#include "ranks.hpp"
#include "xredist/relabel.h"
#include "xredist/xredist.h"

namespace xredist::testing {
namespace {

constexpr std::int64_t n = 40;

xredist_layout layout(int nprow, int npcol, std::int64_t block) {
  return {.nprow = nprow, .npcol = npcol, .mb = block, .nb = block};
}

TEST(Misuse, Intercommunicators) {
  if (size() < 2) GTEST_SKIP() << "needs 2 processes";
  MPI_Comm half, between;
  MPI_Comm_split(MPI_COMM_WORLD, rank() % 2, rank(), &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank() % 2, 5, &between);
  const xredist_layout one = layout(1, 1, 4);
  const xredist_operation operation{.m = n, .n = n, .type = 'D'};
  xredist_plan* plan = nullptr;
  int ranks[1];
  const std::string refused = "invalid: comm is an intercommunicator";
  EXPECT_EQ(outcome(create_plan(between, one, one, operation, &plan)), refused);
  EXPECT_EQ(outcome(xredist_set_option(between, "buffer", "8M")), refused);
  EXPECT_EQ(outcome(xredist_relabel(between, &one, &one, &operation, ranks, nullptr)), refused);
  EXPECT_EQ(plan, nullptr);
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
}

// Rows of A on process k become columns of B on process k.
struct Move {
  xredist_layout from = layout(size(), 1, n / size() + 1), to = layout(1, size(), n / size() + 1);
  std::vector<double> a = std::vector<double>(n * n, 0.0), b = std::vector<double>(n * n, -1.0);
  xredist_plan* plan = nullptr;

  Move() {
    for (std::int64_t i = 0; i < n; ++i)
      if (i / from.mb == rank())
        for (std::int64_t j = 0; j < n; ++j)
          a[static_cast<std::size_t>(i % from.mb + j * n)] = static_cast<double>(i + 100 * j);
    EXPECT_EQ(create_plan(MPI_COMM_WORLD, from, to, {.m = n, .n = n, .bytes = 8}, &plan), 0);
  }
  bool complete() const {
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t i = 0; i < n && j / to.nb == rank(); ++i)
        if (b[static_cast<std::size_t>(i + j % to.nb * n)] != static_cast<double>(i + 100 * j)) return false;
    return true;
  }
};

TEST(Misuse, PlanDestroyedWhileItsExchangesAreUnderWay) {
  Move first, second;
  xredist_request *single = nullptr, *batch = nullptr;
  ASSERT_EQ(start_job({first.plan, first.a.data(), n, first.b.data(), n}, &single), 0);
  std::vector<double> again(n * n, -1.0);
  const xredist_job jobs[] = {{second.plan, second.a.data(), n, second.b.data(), n},
                              {first.plan, first.a.data(), n, again.data(), n}};
  ASSERT_EQ(xredist_start(2, jobs, &batch), 0);
  xredist_plan_destroy(first.plan);
  xredist_plan_destroy(second.plan);
  EXPECT_EQ(xredist_wait_member(batch, 1), 0);
  EXPECT_EQ(xredist_wait(&batch), 0);
  EXPECT_EQ(xredist_wait(&single), 0);
  EXPECT_TRUE(first.complete());
  EXPECT_TRUE(second.complete());
  first.b = again;
  EXPECT_TRUE(first.complete());
}

TEST(Misuse, RequestsThatHaveEnded) {
  Move move;
  xredist_request* request = nullptr;
  ASSERT_EQ(start_job({move.plan, move.a.data(), n, move.b.data(), n}, &request), 0);
  EXPECT_EQ(xredist_wait(&request), 0);
  EXPECT_EQ(request, nullptr);
  EXPECT_EQ(xredist_wait(&request), 0);
  xredist_plan_destroy(move.plan);
}

// A process that passes a wrong argument starts nothing, and the others wait until it repeats the call.
TEST(Misuse, OneProcessRepeatsItsCall) {
  Move move;
  if (rank() == 0) {
    EXPECT_EQ(outcome(execute_job({move.plan, nullptr, n, move.b.data(), n})),
              "invalid: a is NULL on a process that holds a part of it");
  }
  EXPECT_EQ(execute_job({move.plan, move.a.data(), n, move.b.data(), n}), 0);
  EXPECT_TRUE(move.complete());
  xredist_plan_destroy(move.plan);
}

// Blocks of one element become blocks larger than the matrix, and the reverse. CTest sets XREDIST_ALGORITHM.
TEST(Blocks, OfAnySizes) {
  for (const int log : {5, 20, 30, 40})
    for (const bool shrinks : {false, true})
      for (const std::int64_t length : {std::int64_t{10}, std::int64_t{1} << 18}) {
        const std::int64_t large = std::int64_t{1} << log;
        const xredist_layout small = layout(size(), 1, 1), big = layout(size(), 1, large);
        const xredist_layout &from = shrinks ? big : small, &to = shrinks ? small : big;
        xredist_plan* plan = nullptr;
        const double start = MPI_Wtime();
        ASSERT_EQ(create_plan(MPI_COMM_WORLD, from, to, {.m = length, .n = 3, .bytes = 8}, &plan), 0);
        EXPECT_LT(MPI_Wtime() - start, 5);
        xredist_plan_destroy(plan);
        std::vector<int> ranks(static_cast<std::size_t>(size()));
        const xredist_operation operation{.m = length, .n = 3};
        EXPECT_EQ(xredist_relabel(MPI_COMM_WORLD, &from, &to, &operation, ranks.data(), nullptr), 0);
        EXPECT_LT(MPI_Wtime() - start, 5);
      }
}

}  // namespace
}  // namespace xredist::testing
