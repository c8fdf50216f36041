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
  EXPECT_EQ(total(info.bytes_sent), total(info.bytes_received));
  if (info.rounds == 1) {
    EXPECT_EQ(total(info.bytes_sent) + total(info.bytes_kept), 4 * 50 * 70);
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
      EXPECT_EQ(total(info.bytes_sent) + total(info.bytes_kept), 8 * elements);
      EXPECT_EQ(total(info.bytes_received), total(info.bytes_sent));
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

// Each process has more than 2 MB, in short runs.
TEST(Describe, CountsPanels) {
  ASSERT_EQ(xredist_set_option(MPI_COMM_WORLD, "route", "direct"), 0);
  Move move(MPI_COMM_WORLD, {size(), 1, 7, 7}, {size(), 1, 5, 5}, 1300, 1300);
  ASSERT_EQ(move.code, 0);
  char text[512];
  ASSERT_EQ(xredist_plan_describe(move.plan, text, sizeof text), 0);
  const int panels = 1300 * 1300 * 8 / size() / (512 << 10);
  const std::string part = ", in " + std::to_string(panels) + " panels";
  EXPECT_EQ(std::string(text).find(part) != std::string::npos, size() > 1) << text;
  for (int execution = 0; execution < 2; ++execution) {
    ASSERT_EQ(execute_job(move.job()), 0);
    EXPECT_EQ(move.wrong(), 0);
  }
  ASSERT_EQ(xredist_set_option(MPI_COMM_WORLD, "route", "by-cost"), 0);
}

// A layout with arrays of its own: blocks or intervals of rows, in a grid of any ranks, and the size of a matrix.
struct AnyLayout {
  AnyLayout(Random& random, int number) {
    const auto below = [&](int limit) { return random.in(0, limit - 1); };
    layout = {.nprow = 1 + below(5), .npcol = 1 + below(5), .mb = 1 + below(9), .nb = 1 + below(90)};
    layout.rsrc = below(layout.nprow), layout.csrc = below(layout.npcol);
    ranks.resize(static_cast<std::size_t>(layout.nprow * layout.npcol));
    std::iota(ranks.begin(), ranks.end(), 3);
    random.shuffle(ranks);
    for (int i = 0; i < 12; ++i) {
      bounds.push_back(bounds.back() + below(6));
      owners.push_back(below(layout.nprow));
    }
    partition.bounds = bounds.data(), partition.owners = owners.data();
    places = random_places(random, bounds, owners);
    if (number % 6 == 3) partition.places = places.data();
    if (number % 2 == 0) layout.ranks = ranks.data();
    if (number % 3 == 0) layout.rows = &partition;
    m = number % 3 == 0 ? std::max<std::int64_t>(0, bounds.back() - number % 4) : below(200), n = below(200);
  }
  AnyLayout(const AnyLayout&) = delete;
  AnyLayout& operator=(const AnyLayout&) = delete;

  std::vector<int> ranks, owners;
  std::vector<std::int64_t> bounds{0}, places;
  xredist_partition partition{12, nullptr, nullptr};
  xredist_layout layout;
  std::int64_t m, n;
};

// The number of elements that each process holds, in blocks or in intervals, with the gaps between their places.
TEST(LocalSize, CountsElements) {
  Random random(5);
  for (int k = 0; k < 300; ++k) {
    const AnyLayout any(random, k);
    std::int64_t rows = -1, cols = -1;
    for (int process = -1; process < 30; ++process) {
      const Part held(any.layout, any.m, any.n, process);
      ASSERT_EQ(xredist_local_size(&any.layout, any.m, any.n, process, &rows, &cols), 0);
      EXPECT_EQ(rows, std::ssize(held.rows)) << "case " << k;
      EXPECT_EQ(cols, std::ssize(held.cols)) << "case " << k;
    }
    if (k % 3 == 0) {
      const std::int64_t end = any.bounds.back();
      EXPECT_EQ(outcome(xredist_local_size(&any.layout, end + 1, 9, 0, &rows, &cols)),
                "invalid: m is " + std::to_string(end + 1) + ": the partition ends at " + std::to_string(end));
    }
  }
}

// Each element is found where brute force finds it, and the lists of all processes have all elements. Processes outside
// the grid, and those without a row or a column, have empty lists. Gaps have the index 0.
TEST(Indices, MapElementsThereAndBack) {
  Random random(6);
  for (int k = 0; k < 300 && !HasFailure(); ++k) {
    const AnyLayout any(random, k);
    SCOPED_TRACE("case " + std::to_string(k));
    std::int64_t found = 0;
    for (int process = -1; process < 30; ++process) {
      const Part held(any.layout, any.m, any.n, process);
      std::vector<std::int64_t> rows(held.rows.size() + 1, -1), cols(held.cols.size() + 1, -1);
      ASSERT_EQ(xredist_local_to_global(&any.layout, any.m, any.n, process, rows.data(), cols.data()), 0);
      EXPECT_TRUE(rows.back() == -1 && cols.back() == -1);  // not set
      std::vector<std::int64_t> i, j, local_i, local_j, expected_i, expected_j;
      for (std::size_t c = 0; c < held.cols.size(); ++c)
        for (std::size_t r = 0; r < held.rows.size(); ++r) {
          EXPECT_TRUE(rows[r] == held.rows[r] + 1 && cols[c] == held.cols[c] + 1);
          if (rows[r] == 0) continue;
          i.push_back(rows[r]), j.push_back(cols[c]);
          expected_i.push_back(static_cast<std::int64_t>(r) + 1),
              expected_j.push_back(static_cast<std::int64_t>(c) + 1);
        }
      local_i.resize(i.size()), local_j.resize(i.size());
      std::vector<int> ranks(i.size());
      ASSERT_EQ(xredist_global_to_local(&any.layout, std::ssize(i), i.data(), j.data(), ranks.data(), local_i.data(),
                                        local_j.data()),
                0);
      EXPECT_EQ(local_i, expected_i);
      EXPECT_EQ(local_j, expected_j);
      EXPECT_EQ(ranks, std::vector<int>(i.size(), process));
      found += std::ssize(i);
    }
    EXPECT_EQ(found, any.m * any.n);
  }
}

TEST(Indices, SetOnlyTheArraysThatArePassed) {
  const xredist_layout layout{2, 2, 3, 4};
  std::int64_t rows[3] = {}, cols[4] = {}, row = 5, col = 9, local = 0;
  int owner = -1;
  ASSERT_EQ(xredist_local_to_global(&layout, 6, 8, 3, rows, nullptr), 0);
  ASSERT_EQ(xredist_local_to_global(&layout, 6, 8, 3, nullptr, cols), 0);
  EXPECT_TRUE(rows[0] == 4 && rows[2] == 6 && cols[0] == 5 && cols[3] == 8);
  ASSERT_EQ(xredist_global_to_local(&layout, 1, &row, &col, &owner, nullptr, nullptr), 0);
  EXPECT_EQ(owner, 2);
  ASSERT_EQ(xredist_global_to_local(&layout, 1, &row, &col, nullptr, &local, nullptr), 0);
  EXPECT_EQ(local, 2);
  ASSERT_EQ(xredist_global_to_local(&layout, 1, &row, &col, nullptr, nullptr, &local), 0);
  EXPECT_EQ(local, 5);
  EXPECT_EQ(xredist_global_to_local(&layout, 0, nullptr, nullptr, nullptr, nullptr, nullptr), 0);
}

TEST(Indices, OfGridsWithoutCommunicator) {
  constexpr int largest = std::numeric_limits<int>::max();
  const xredist_layout huge{largest, largest, 3, std::int64_t{1} << 40};
  std::int64_t rows[3], cols[10];
  ASSERT_EQ(xredist_local_to_global(&huge, 2, 10, 0, rows, cols), 0);
  EXPECT_TRUE(rows[1] == 2 && cols[9] == 10);
}

TEST(Indices, NameTheInvalidArgument) {
  const std::int64_t bounds[] = {0, 3, 5}, one[] = {1, 1}, rows[] = {5, 6}, below[] = {1, 0};
  const xredist_partition partition{2, bounds, nullptr};
  const xredist_layout good{2, 2, 4, 4, 0, 0, nullptr, &partition, nullptr}, bad{2, 2, 0, 4};
  std::int64_t i[] = {-1, -1};
  int owners[] = {-1, -1};
  const auto to_global = [&](const xredist_layout* layout, std::int64_t m, std::int64_t n) {
    return outcome(xredist_local_to_global(layout, m, n, 0, i, i));
  };
  const auto to_local = [&](const xredist_layout* layout, std::int64_t count, const std::int64_t* row,
                            const std::int64_t* col) {
    return outcome(xredist_global_to_local(layout, count, row, col, owners, i, i));
  };
  EXPECT_EQ(to_global(nullptr, 1, 1), "invalid: layout is NULL");
  EXPECT_EQ(to_global(&bad, 1, 1), "invalid: layout.mb is 0, must be at least 1");
  EXPECT_EQ(to_global(&good, -1, 1), "invalid: m is -1, must be at least 0");
  EXPECT_EQ(to_global(&good, 6, 1), "invalid: m is 6: the partition ends at 5");
  EXPECT_EQ(to_local(nullptr, 1, one, one), "invalid: layout is NULL");
  EXPECT_EQ(to_local(&bad, 1, one, one), "invalid: layout.mb is 0, must be at least 1");
  EXPECT_EQ(to_local(&good, -1, one, one), "invalid: count is -1, must be at least 0");
  EXPECT_EQ(to_local(&good, 1, nullptr, one), "invalid: rows is NULL");
  EXPECT_EQ(to_local(&good, 1, one, nullptr), "invalid: cols is NULL");
  EXPECT_EQ(to_local(&good, 2, rows, one), "invalid: rows[1] is 6: the partition ends at 5");
  EXPECT_EQ(to_local(&good, 2, one, below), "invalid: cols[1] is 0, must be at least 1");
  EXPECT_EQ(owners[0], -1);  // after an error, no entry is set
  EXPECT_EQ(i[0], -1);
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
