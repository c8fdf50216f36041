// SPDX-License-Identifier: BSD-3-Clause
// Uses the C interface in ways that a program should not. Errors that the library can detect are reported. Every
// algorithm plans blocks of any size.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "move.hpp"
#include "xredist/relabel.h"

namespace xredist::testing {
namespace {

constexpr std::int64_t extent = 40;

xredist_layout layout(int nprow, int npcol, std::int64_t block) {
  return {.nprow = nprow, .npcol = npcol, .mb = block, .nb = block};
}

TEST(Misuse, Intercommunicators) {
  if (size() < 2) GTEST_SKIP() << "needs 2 processes";
  MPI_Comm half, between;
  MPI_Comm_split(MPI_COMM_WORLD, rank() % 2, rank(), &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank() % 2, 5, &between);
  const xredist_layout one = layout(1, 1, 4);
  const xredist_operation operation{.m = extent, .n = extent, .type = 'D'};
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
struct Slabs : Move {
  Slabs()
      : Move(MPI_COMM_WORLD, layout(size(), 1, extent / size() + 1), layout(1, size(), extent / size() + 1), extent,
             extent) {}
};

TEST(Misuse, PlanDestroyedWhileItsExchangesAreUnderWay) {
  Slabs first, second;
  Part again = first.b;
  xredist_request* batch = nullptr;
  const xredist_job jobs[] = {second.job(),
                              {.plan = first.plan, .a = first.a.data.data(), .b = again.data.data(), .ldb = again.ld}};
  ASSERT_EQ(first.start(), 0);
  ASSERT_EQ(xredist_start(2, jobs, &batch), 0);
  for (Move* move : {&first, &second}) xredist_plan_destroy(std::exchange(move->plan, nullptr));
  EXPECT_EQ(xredist_wait_member(batch, 1), 0);
  EXPECT_EQ(xredist_wait(&batch), 0);
  EXPECT_EQ(first.wait(), 0);
  EXPECT_EQ(first.wrong(), 0);
  EXPECT_EQ(second.wrong(), 0);
  first.b = again;
  EXPECT_EQ(first.wrong(), 0);
}

// A process that passes a wrong argument starts nothing, and the others wait until it repeats the call.
TEST(Misuse, OneProcessRepeatsItsCall) {
  Slabs move;
  if (rank() == 0) {
    EXPECT_EQ(outcome(execute_job({.plan = move.plan, .b = move.b.data.data()})),
              "invalid: a is NULL on a process that holds a part of it");
  }
  EXPECT_EQ(execute_job(move.job()), 0);
  EXPECT_EQ(move.wrong(), 0);
}

// Blocks of one element become blocks larger than the matrix, and the reverse, with every algorithm.
void plan_blocks_of_any_sizes(MPI_Comm comm) {
  for (const int log : {5, 20, 30, 40})
    for (const bool shrinks : {false, true})
      for (const std::int64_t length : {std::int64_t{10}, std::int64_t{1} << 18}) {
        const std::int64_t large = std::int64_t{1} << log;
        const xredist_layout small = layout(size(), 1, 1), big = layout(size(), 1, large);
        const xredist_layout &from = shrinks ? big : small, &to = shrinks ? small : big;
        xredist_plan* plan = nullptr;
        const double start = MPI_Wtime();
        ASSERT_EQ(create_plan(comm, from, to, {.m = length, .n = 3, .bytes = 8}, &plan), 0);
        EXPECT_LT(MPI_Wtime() - start, 5);
        xredist_plan_destroy(plan);
        std::vector<int> ranks(static_cast<std::size_t>(size()));
        const xredist_operation operation{.m = length, .n = 3};
        EXPECT_EQ(xredist_relabel(comm, &from, &to, &operation, ranks.data(), nullptr), 0);
        EXPECT_LT(MPI_Wtime() - start, 5);
      }
}

TEST(Blocks, OfAnySizes) {
  for (const char* algorithm :
       {"default", "optimal", "split", "quantised", "caterpillar", "reference", "shifted", "rank"}) {
    SCOPED_TRACE(algorithm);
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    EXPECT_EQ(xredist_set_option(comm, "algorithm", algorithm), 0);
    plan_blocks_of_any_sizes(comm);
    MPI_Comm_free(&comm);
  }
}

}  // namespace
}  // namespace xredist::testing
