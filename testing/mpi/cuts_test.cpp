// SPDX-License-Identifier: BSD-3-Clause
// Dimensions in intervals, in the C interface: what is wrong with them, how they compare with CYCLIC, and their limits.
// That any intervals are moved right is operation_test's matter.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "ranks.hpp"
#include "xredist/log.h"
#include "xredist/relabel.hpp"
#include "xredist/xredist.hpp"

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
  return {size(), 1, nullptr, block, 1, 0, 0, rows, nullptr};
}

int planned(std::int64_t m, const xredist_layout& a, std::int64_t ia, const xredist_layout& b, std::int64_t ib) {
  xredist_plan* plan = nullptr;
  const int error = xredist_plan_create(MPI_COMM_WORLD, m, 1, 8, &a, ia, 1, &b, ib, 1, &plan);
  EXPECT_EQ(plan != nullptr, error == 0);
  xredist_plan_destroy(plan);
  return error;
}

TEST(Cuts, NameTheWrongArgument) {
  const auto wrong = [&](const Intervals& intervals) {
    const xredist_partition rows = intervals.told();
    const xredist_layout cut = column(&rows), cyclic = column(nullptr);
    EXPECT_EQ(planned(4, cyclic, 1, cut, 1), -8);
    return planned(4, cut, 1, cyclic, 1);
  };
  EXPECT_EQ(wrong({{1, 4}, {0}}), -5);
  EXPECT_EQ(wrong({{0, 5, 4}, {0, 0}}), -5);
  EXPECT_EQ(wrong({{0, 4}, {size()}}), -5);
  EXPECT_EQ(wrong({{0, 4}, {-1}}), -5);
  EXPECT_EQ(wrong({{0, (std::int64_t{1} << 40) + 1}, {0}}), -5);
  EXPECT_EQ(wrong({std::vector<std::int64_t>(static_cast<std::size_t>(size()) + 2, 0), {}}), -5);
  const xredist_partition missing{1, nullptr, nullptr}, negative{-1, nullptr, nullptr};
  EXPECT_EQ(planned(0, column(&missing), 1, column(nullptr), 1), -5);
  EXPECT_EQ(planned(0, column(&negative), 1, column(nullptr), 1), -5);
}

TEST(Cuts, EndTheMatrix) {
  const Intervals ten{{0, 4, 10}, {0, size() - 1}};
  const xredist_partition rows = ten.told();
  const xredist_layout cut = column(&rows), cyclic = column(nullptr);
  EXPECT_EQ(planned(10, cut, 1, cut, 1), 0);
  EXPECT_EQ(planned(10, cut, 2, cyclic, 1), -6);
  EXPECT_EQ(planned(9, cyclic, 1, cut, 3), -9);
  EXPECT_EQ(planned(0, cut, 11, cyclic, 1), 0);
  EXPECT_EQ(planned(0, cut, 12, cyclic, 1), -6);
  const xredist_layout across{1, size(), nullptr, 1, 1, 0, 0, nullptr, &rows};
  xredist_plan* plan = nullptr;
  EXPECT_EQ(xredist_plan_create(MPI_COMM_WORLD, 1, 9, 8, &across, 1, 3, &cyclic, 1, 1, &plan), -7);
  EXPECT_EQ(xredist_plan_create(MPI_COMM_WORLD, 1, 9, 8, &cyclic, 1, 1, &across, 1, 3, &plan), -10);
  const xredist_operation transposed{'D', 'D', 'T', 'A', 'N', 'N'};
  EXPECT_EQ(xredist_plan_operation(MPI_COMM_WORLD, &transposed, 1, 10, &cut, 1, 1, &cyclic, 1, 1, &plan), 0);
  xredist_plan_destroy(plan);
  EXPECT_EQ(xredist_plan_operation(MPI_COMM_WORLD, &transposed, 10, 1, &cut, 2, 1, &cyclic, 1, 1, &plan), 0);
  xredist_plan_destroy(plan);
  EXPECT_EQ(xredist_plan_operation(MPI_COMM_WORLD, &transposed, 1, 10, &cut, 2, 1, &cyclic, 1, 1, &plan), -6);
  std::vector<int> ranks(static_cast<std::size_t>(size()));
  EXPECT_EQ(xredist_relabel(MPI_COMM_WORLD, 10, 1, &cyclic, 1, 1, &cut, 2, 1, ranks.data(), nullptr), -8);
}

TEST(Cuts, AreComparedWhereAsked) {
  const Intervals here{{0, 4, 10}, {0, rank() == 0 ? 0 : size() - 1}}, same{{0, 10}, {0}};
  const xredist_partition rows = here.told(), others = same.told();
  ASSERT_EQ(xredist_set_option(MPI_COMM_WORLD, "check", "1"), 0);
  EXPECT_EQ(planned(10, column(&rows), 1, column(nullptr), 1), size() > 1 ? -5 : 0);
  EXPECT_EQ(planned(10, column(nullptr), 1, column(&rows), 1), size() > 1 ? -8 : 0);
  EXPECT_EQ(planned(rank() == 0 ? -1 : 10, column(&rows), 1, column(nullptr), 1), -2) << "an error of one process";
  EXPECT_EQ(planned(10, column(&others), 1, column(&others), 1), 0);
  ASSERT_EQ(xredist_set_option(MPI_COMM_WORLD, "check", "0"), 0);
}

TEST(Cuts, WhatIsWrongIsLogged) {
  const std::string file = "cuts_test." + std::to_string(size()) + "." + std::to_string(rank()) + ".log";
  std::remove(file.c_str());
  ASSERT_EQ(xredist_set_log(file.c_str()), 0);
  ASSERT_EQ(xredist_set_option(MPI_COMM_WORLD, "verbose", "1"), 0);
  const Intervals falling{{0, 5, 4}, {0, 0}};
  const xredist_partition rows = falling.told();
  EXPECT_EQ(planned(4, column(&rows), 1, column(nullptr), 1), -5);
  ASSERT_EQ(xredist_set_option(MPI_COMM_WORLD, "verbose", "0"), 0);
  xredist_set_log("stderr");
  std::ifstream in(file);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(text, "xredist: xredist_plan_create: argument 5, rows: bounds[2] is 4, less than the one before\n");
  std::remove(file.c_str());
}

// Processes in one column; the value of an element tells its row.
std::vector<double> moved(std::int64_t m, const xredist_layout& from, const std::vector<double>& a,
                          const xredist_layout& to, std::size_t rows) {
  const Plan<double> plan(MPI_COMM_WORLD, m, 1, from, 1, 1, to, 1, 1);
  std::vector<double> b(rows, -1.0);
  plan.execute(a.data(), std::max<std::int64_t>(1, std::ssize(a)), b.data(), std::max<std::int64_t>(1, std::ssize(b)));
  return b;
}

Intervals cyclic(std::int64_t m, std::int64_t block) {
  Intervals its{{0}, {}};
  while (its.cuts.back() < m) {
    its.owners.push_back(static_cast<int>(its.owners.size()) % size());
    its.cuts.push_back(std::min(m, its.cuts.back() + block));
  }
  return its;
}

std::vector<double> held(const Intervals& its) {
  std::vector<double> values;
  for (std::size_t i = 0; i < its.owners.size(); ++i)
    for (std::int64_t k = its.cuts[i]; k < its.cuts[i + 1]; ++k)
      if (its.owners[i] == rank()) values.push_back(static_cast<double>(k));
  return values;
}

// CYCLIC and the same in intervals, on either side.
TEST(Cuts, SayCyclicToo) {
  for (const std::int64_t m : {1, 7, 100, 3000})
    for (const std::int64_t block : {1, 3, 64}) {
      const Intervals a = cyclic(m, block), b = cyclic(m, block + 2);
      const xredist_partition rows_a = a.told(), rows_b = b.told();
      const std::vector<double> from = held(a), to = held(b);
      for (const xredist_partition* its_a : {&rows_a, static_cast<const xredist_partition*>(nullptr)})
        for (const xredist_partition* its_b : {&rows_b, static_cast<const xredist_partition*>(nullptr)})
          EXPECT_EQ(moved(m, column(its_a, block), from, column(its_b, block + 2), to.size()), to) << m << " " << block;
    }
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
  if (size() < 3) {
    EXPECT_EQ(planned(100, a, first + 1, b, first + 1), 0);
    return;
  }
  const Plan<double> plan(MPI_COMM_WORLD, 100, 1, a, first + 1, 1, b, first + 1, 1);
  std::vector<double> values, result(100, -1.0);
  for (std::int64_t k = 0; k < 100; ++k)
    if (rank() == (k % 10 < 3 ? 0 : size() / 2)) values.push_back(static_cast<double>(k));
  plan.execute(values.data(), 100, result.data(), 100);
  if (rank() != size() - 1) return;
  for (std::size_t k = 0; k < 100; ++k) EXPECT_EQ(result[k], static_cast<double>(k));
}

// The map that keeps the most: B's intervals are A's with the owners in the opposite order.
TEST(Cuts, AreRelabelled) {
  Intervals a{{0}, {}}, b{{0}, {}};
  for (int p = 0; p < size(); ++p) {
    for (Intervals* x : {&a, &b}) x->cuts.push_back(x->cuts.back() + 5 + p);
    a.owners.push_back(p);
    b.owners.push_back(size() - 1 - p);
  }
  const xredist_partition rows_a = a.told(), rows_b = b.told();
  const auto best = relabelled(MPI_COMM_WORLD, a.cuts.back(), 1, column(&rows_a), 1, 1, column(&rows_b), 1, 1);
  EXPECT_EQ(best.kept, 1.0);
  for (int p = 0; p < size(); ++p) EXPECT_EQ(best.ranks[static_cast<std::size_t>(p)], size() - 1 - p);
}

}  // namespace
}  // namespace xredist::testing
