// SPDX-License-Identifier: BSD-3-Clause
// The buffers of a plan: xredist_plan_query counts them, xredist_plan_create allocates them, and an execution allocates
// none. They are one allocation, and for large plans they are larger than any other one.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <vector>

#include "allocations.hpp"
#include "move.hpp"

namespace xredist::testing {
namespace {

// Bytes: the largest allocation that is not one of buffers is a work area of the operation, for one chunk.
constexpr long max_other = 256 << 10;

// The buffers that the process has from earlier plans.
long reserved = 0;

// Plans and executes a move of the lower triangle of n x n numbers, which is mirrored, or of all of them.
void expect_buffers(const xredist_layout& from, const xredist_layout& to, std::int64_t n, bool mirrored) {
  SCOPED_TRACE(::testing::Message() << from.nprow << "x" << from.npcol << " -> " << to.nprow << "x" << to.npcol
                                    << ", n " << n << (mirrored ? ", mirrored" : ""));
  Part a(from, n, n), b(to, n, n);
  a.each(
      [&](double& x, std::int64_t i, std::int64_t j) { x = static_cast<double>(std::max(i, j) + n * std::min(i, j)); });
  xredist_operation operation{.m = n, .n = n, .type = 'D'};
  if (mirrored) operation.uplo = 'L', operation.mirror = 'S';
  xredist_plan* plan = nullptr;
  largest_allocation();
  ASSERT_EQ(create_plan(MPI_COMM_WORLD, from, to, operation, &plan), 0);
  const long created = largest_allocation();
  xredist_plan_info info{};
  ASSERT_EQ(xredist_plan_query(plan, &info), 0);
  if (info.buffer_bytes > std::max(reserved, max_other)) {
    EXPECT_EQ(created, info.buffer_bytes);
    reserved = info.buffer_bytes;
  } else {
    EXPECT_LE(created, max_other);
  }
  largest_allocation();
  EXPECT_EQ(execute_job({.plan = plan, .a = a.data.data(), .lda = a.ld, .b = b.data.data(), .ldb = b.ld}), 0);
  EXPECT_LE(largest_allocation(), max_other);
  long wrong = 0;
  b.each([&](double& x, std::int64_t i, std::int64_t j) {
    wrong += x != static_cast<double>(std::max(i, j) + n * std::min(i, j));
  });
  EXPECT_EQ(wrong, 0);
  xredist_plan_destroy(plan);
}

// From small to large plans, so that most of them allocate.
TEST(Buffers, AreThoseOfThePlan) {
  for (const std::int64_t n : {200, 400, 600, 1000})
    for (const bool mirrored : {false, true}) {
      expect_buffers({1, size(), n, 7}, {size(), 1, 19, n}, n, mirrored);
      expect_buffers({1, 1, 32, 32}, {size(), 1, 19, 19}, n, mirrored);
    }
  EXPECT_TRUE(size() == 1 || reserved > 1'000'000) << reserved;
}

}  // namespace
}  // namespace xredist::testing
