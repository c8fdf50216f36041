// SPDX-License-Identifier: BSD-3-Clause
// Partitions in the C interface: their limits. operation_test moves matrices between random partitions,
// arguments_test has the errors, drivers_intervals relabels them.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <vector>

#include "plans.hpp"
#include "ranks.hpp"

namespace xredist::testing {
namespace {

struct Intervals {
  std::vector<std::int64_t> cuts;
  std::vector<int> owners;
  xredist_partition told() const {
    return {std::ssize(cuts) - 1, cuts.data(), owners.empty() ? nullptr : owners.data()};
  }
};

// All processes in one column.
xredist_layout column(const xredist_partition* rows, std::int64_t block = 1) {
  return {.nprow = size(), .npcol = 1, .mb = block, .nb = 1, .rows = rows};
}

// Moves a column of `m` elements from row `first` on. Returns the local elements of B, `rows` of them.
std::vector<double> moved(std::int64_t m, std::int64_t first, const xredist_layout& from, const std::vector<double>& a,
                          const xredist_layout& to, std::size_t rows) {
  xredist_plan* plan = nullptr;
  EXPECT_EQ(create_plan(MPI_COMM_WORLD, from, to, {.m = m, .n = 1, .ia = first, .ib = first, .bytes = 8}, &plan), 0);
  std::vector<double> b(rows, -1.0);
  EXPECT_EQ(execute_job({plan, a.data(), 0, b.data(), 0}), 0);
  xredist_plan_destroy(plan);
  return b;
}

// The last 100 of 2^40 rows, of which each process has a few and one has all others.
TEST(Cuts, BeyondTheRangeOf32Bits) {
  const std::int64_t m = std::int64_t{1} << 40, first = m - 100;
  Intervals from{{0, first}, {size() - 1}}, to{{0, first}, {0}};
  for (std::int64_t k = first; k < m; k += 10) {
    from.cuts.push_back(k + 3), from.cuts.push_back(k + 10);
    from.owners.push_back(0), from.owners.push_back(size() / 2);
    to.cuts.push_back(k + 10);
    to.owners.push_back(size() - 1);
  }
  const xredist_partition rows_a = from.told(), rows_b = to.told();
  const xredist_layout a = column(&rows_a), b = column(&rows_b);
  if (size() < 3) {  // a process has more rows than memory
    xredist_plan* plan = nullptr;
    EXPECT_EQ(
        create_plan(MPI_COMM_WORLD, a, b, {.m = 100, .n = 1, .ia = first + 1, .ib = first + 1, .bytes = 8}, &plan), 0);
    xredist_plan_destroy(plan);
    return;
  }
  std::vector<double> values;
  for (std::int64_t k = 0; k < 100; ++k)
    if (rank() == (k % 10 < 3 ? 0 : size() / 2)) values.push_back(static_cast<double>(k));
  const std::size_t rows = rank() == size() - 1 ? 100 : 0;
  const std::vector<double> result = moved(100, first + 1, a, values, b, rows);
  for (std::size_t k = 0; k < rows; ++k) EXPECT_EQ(result[k], static_cast<double>(k));
}

}  // namespace
}  // namespace xredist::testing
