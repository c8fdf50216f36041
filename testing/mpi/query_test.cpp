// SPDX-License-Identifier: BSD-3-Clause
// Queries of plans and layouts: traffic, leading dimensions, descriptions and local sizes.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "move.hpp"
#include "random.hpp"

namespace xredist::testing {
namespace {

std::int64_t sum(std::int64_t here) {
  MPI_Allreduce(MPI_IN_PLACE, &here, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  return here;
}

// A process that has rows 1 to 60 of 60 x 60 doubles keeps 1 / p of its rows, and B's columns come from all.
TEST(Query, CountsBytes) {
  ASSERT_EQ(xredist_set_option(MPI_COMM_WORLD, "route", "direct"), 0);
  constexpr std::int64_t n = 60;
  const std::int64_t p = size();
  xredist_plan* plan = nullptr;
  ASSERT_EQ(create_plan(MPI_COMM_WORLD, {size(), 1, 1, n}, {1, size(), n, 1}, {.m = n, .n = n, .type = 'D'}, &plan), 0);
  xredist_plan_info info{};
  ASSERT_EQ(xredist_plan_query(plan, &info), 0);
  const std::int64_t rows = n / p + (rank() < n % p ? 1 : 0), cols = rows;
  EXPECT_EQ(info.bytes_kept, 8 * rows * cols);
  EXPECT_EQ(info.bytes_sent, 8 * rows * (n - cols));
  EXPECT_EQ(info.bytes_received, 8 * (n - rows) * cols);
  EXPECT_EQ(info.rows_a, rows);
  EXPECT_EQ(info.rows_b, n);
  EXPECT_EQ(info.rounds, 1);
  EXPECT_GE(info.steps, p - 1);
  EXPECT_TRUE(p == 1 || info.buffer_bytes > 0);
  xredist_plan_destroy(plan);
  ASSERT_EQ(xredist_set_option(MPI_COMM_WORLD, "route", "by-cost"), 0);
}

// Messages carry the smaller type. With two rounds, forwarded messages count twice; with any, all that is sent arrives.
TEST(Query, CountsTheSmallerType) {
  xredist_plan* plan = nullptr;
  ASSERT_EQ(create_plan(MPI_COMM_WORLD, {size(), 1, 3, 3}, {1, size(), 4, 4},
                        {.m = 50, .n = 70, .type = 'D', .type_b = 'S', .trans = 'T'}, &plan),
            0);
  xredist_plan_info info{};
  ASSERT_EQ(xredist_plan_query(plan, &info), 0);
  EXPECT_EQ(sum(info.bytes_sent), sum(info.bytes_received));
  if (info.rounds == 1) {
    EXPECT_EQ(sum(info.bytes_sent) + sum(info.bytes_kept), 4 * 50 * 70);
  }
  xredist_plan_destroy(plan);
}

// Elements outside of a trapezoid do not count. Both triangles of a mirrored matrix travel in the same round.
TEST(Query, CountsTrapezoids) {
  ASSERT_EQ(xredist_set_option(MPI_COMM_WORLD, "route", "direct"), 0);
  const auto expect_elements = [](const xredist_operation& operation, std::int64_t elements) {
    for (const xredist_layout& to : {xredist_layout{1, size(), 60, 4}, {size(), 1, 1, 1}, {1, 1, 7, 60}}) {
      xredist_plan* plan = nullptr;
      ASSERT_EQ(create_plan(MPI_COMM_WORLD, {size(), 1, 3, 60}, to, operation, &plan), 0);
      xredist_plan_info info{};
      ASSERT_EQ(xredist_plan_query(plan, &info), 0);
      EXPECT_EQ(info.rounds, 1);
      EXPECT_EQ(sum(info.bytes_sent) + sum(info.bytes_kept), 8 * elements);
      EXPECT_EQ(sum(info.bytes_received), sum(info.bytes_sent));
      xredist_plan_destroy(plan);
    }
  };
  expect_elements({.m = 60, .n = 60, .type = 'D', .uplo = 'L'}, 60 * 61 / 2);
  expect_elements({.m = 60, .n = 60, .type = 'D', .uplo = 'U', .diag = 'U'}, 60 * 59 / 2);
  expect_elements({.m = 40, .n = 60, .type = 'D', .trans = 'T', .uplo = 'U'}, 40 * 60 - 40 * 39 / 2);
  expect_elements({.m = 60, .n = 60, .type = 'D', .uplo = 'L', .mirror = 'S'}, 60 * 60);
  ASSERT_EQ(xredist_set_option(MPI_COMM_WORLD, "route", "by-cost"), 0);
}

TEST(Query, OfNothing) {
  xredist_plan* plan = nullptr;
  ASSERT_EQ(create_plan(MPI_COMM_WORLD, {1, 1, 4, 4}, {1, 1, 4, 4}, {.type = 'D'}, &plan), 0);
  xredist_plan_info info{};
  ASSERT_EQ(xredist_plan_query(plan, &info), 0);
  EXPECT_EQ(info.bytes_sent + info.bytes_received + info.bytes_kept + info.rows_a + info.rows_b, 0);
  EXPECT_EQ(outcome(xredist_plan_query(nullptr, &info)), "invalid: plan is NULL");
  EXPECT_EQ(outcome(xredist_plan_query(plan, nullptr)), "invalid: info is NULL");
  xredist_plan_destroy(plan);
}

TEST(Describe, CutsTheTextOff) {
  xredist_plan* plan = nullptr;
  ASSERT_EQ(create_plan(MPI_COMM_WORLD, {1, size(), 4, 5}, {size(), 1, 6, 7}, {.m = 30, .n = 20, .bytes = 8}, &plan),
            0);
  char text[512], start[11], one = 'x';
  ASSERT_EQ(xredist_plan_describe(plan, text, sizeof text), 0);
  const std::string all = text, procs = std::to_string(size());
  for (const std::string& part :
       {std::string("30x20 elements of 8 bytes, 1x") + procs + " grid of ", " -> " + procs + "x1 grid of "})
    EXPECT_NE(all.find(part), all.npos) << part << " is missing: " << all;
  ASSERT_EQ(xredist_plan_describe(plan, start, sizeof start), 0);
  EXPECT_EQ(std::string(start), all.substr(0, 10));
  ASSERT_EQ(xredist_plan_describe(plan, &one, 1), 0);
  EXPECT_EQ(one, '\0');
  EXPECT_EQ(outcome(xredist_plan_describe(plan, text, 0)), "invalid: size is 0, must be at least 1");
  EXPECT_EQ(outcome(xredist_plan_describe(plan, nullptr, 9)), "invalid: text is NULL");
  EXPECT_EQ(outcome(xredist_plan_describe(nullptr, text, 9)), "invalid: plan is NULL");
  xredist_plan_destroy(plan);
}

// The number of elements that each process holds, in blocks or in intervals.
TEST(LocalSize, CountsElements) {
  Random random(5);
  const auto below = [&](int n) { return random.in(0, n - 1); };
  for (int k = 0; k < 300; ++k) {
    xredist_layout x{.nprow = 1 + below(5), .npcol = 1 + below(5), .mb = 1 + below(9), .nb = 1 + below(90)};
    x.rsrc = below(x.nprow), x.csrc = below(x.npcol);
    std::vector<int> ranks(static_cast<std::size_t>(x.nprow * x.npcol)), owners;
    std::iota(ranks.begin(), ranks.end(), 3);
    random.shuffle(ranks);
    if (k % 2 == 0) x.ranks = ranks.data();
    std::vector<std::int64_t> bounds{0};
    for (int i = 0; i < 12; ++i) {
      bounds.push_back(bounds.back() + below(6));
      owners.push_back(below(x.nprow));
    }
    const xredist_partition partition{12, bounds.data(), owners.data()};
    if (k % 3 == 0) x.rows = &partition;
    const std::int64_t m = k % 3 == 0 ? std::max<std::int64_t>(0, bounds.back() - k % 4) : below(200), n = below(200);
    std::int64_t rows = -1, cols = -1;
    for (int process = -1; process < 30; ++process) {
      const Part held(x, m, n, process);
      ASSERT_EQ(xredist_local_size(&x, m, n, process, &rows, &cols), 0);
      EXPECT_EQ(rows, std::ssize(held.rows)) << "case " << k;
      EXPECT_EQ(cols, std::ssize(held.cols)) << "case " << k;
    }
    if (k % 3 == 0) {
      const std::string end = std::to_string(bounds.back());
      EXPECT_EQ(outcome(xredist_local_size(&x, bounds.back() + 1, 9, 0, &rows, &cols)),
                "invalid: m is " + std::to_string(bounds.back() + 1) + ": the partition ends at " + end);
    }
  }
}

TEST(LocalSize, OfGridsWithoutCommunicator) {
  constexpr int largest = std::numeric_limits<int>::max();
  const xredist_layout huge{largest, largest, 3, 4};
  std::int64_t rows, cols;
  ASSERT_EQ(outcome(xredist_local_size(&huge, 2, 10, 2, &rows, &cols)), "");
  EXPECT_EQ(rows, 2);
  EXPECT_EQ(cols, 2);
}

TEST(LocalSize, NamesTheInvalidArgument) {
  const xredist_layout good{2, 2, 4, 4}, bad{2, 2, 0, 4};
  std::int64_t rows, cols;
  EXPECT_EQ(outcome(xredist_local_size(nullptr, 1, 1, 0, &rows, &cols)), "invalid: layout is NULL");
  EXPECT_EQ(outcome(xredist_local_size(&bad, 1, 1, 0, &rows, &cols)), "invalid: layout.mb is 0, must be at least 1");
  EXPECT_EQ(outcome(xredist_local_size(&good, -1, 1, 0, &rows, &cols)), "invalid: m is -1, must be at least 0");
  EXPECT_EQ(outcome(xredist_local_size(&good, 1, -1, 0, &rows, &cols)), "invalid: n is -1, must be at least 0");
  EXPECT_EQ(outcome(xredist_local_size(&good, 1, 1, 0, nullptr, &cols)), "invalid: rows is NULL");
  EXPECT_EQ(outcome(xredist_local_size(&good, 1, 1, 0, &rows, nullptr)), "invalid: cols is NULL");
}

}  // namespace
}  // namespace xredist::testing
