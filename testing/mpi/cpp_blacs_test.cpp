// SPDX-License-Identifier: BSD-3-Clause
// Plans of C++ from BLACS contexts and array descriptors, compiled as C++17.
#include <gtest/gtest.h>

#include "grid.hpp"
#include "ranks.hpp"
#include "xredist/blacs.hpp"

namespace xredist::testing {
namespace {

// From one column for each process to one row for each process.
struct Case {
  int n = size();
  Context columns{row_major(1, size())}, rows{row_major(size(), 1)};
  xredist_int desca[9] = {1, columns.handle(), n, n, n, 1, 0, 0, n};
  xredist_int descb[9] = {1, rows.handle(), n, n, 1, n, 0, 0, 1};
  Operation copy;

  Case() { copy.m = copy.n = n; }
};

std::vector<double> column(int n) {
  std::vector<double> a;
  for (int i = 0; i < n; ++i) a.push_back(100 * i + rank());
  return a;
}

std::vector<double> row(int n, int i) {
  std::vector<double> b;
  for (int j = 0; j < n; ++j) b.push_back(100 * i + j);
  return b;
}

TEST(CppBlacs, TypedAndUntyped) {
  Case c;
  const auto plan = make_plan<double>(c.columns.handle(), c.desca, c.descb, c.copy);
  c.copy.type = 'D';
  const auto untyped = make_plan(c.columns.handle(), c.desca, c.descb, c.copy);
  std::vector<double> b(row(c.n, 0).size());
  plan.execute(column(c.n), b);
  EXPECT_EQ(b, row(c.n, rank()));
  untyped.execute(column(c.n), b, 1, -1);
  EXPECT_EQ(b, std::vector<double>(b.size(), 0));
}

TEST(CppBlacs, IntegersAndPartitions) {
  const Case c;
  Partitions reversed;
  reversed.rows_b = Partition{{0}, {}};
  for (int i = 0; i < c.n; ++i)
    reversed.rows_b->bounds.push_back(i + 1), reversed.rows_b->owners.push_back(c.n - 1 - i);
  const auto plan = make_plan<xredist_int>(c.columns.handle(), c.desca, c.descb, c.copy, reversed);
  const auto a = column(c.n), expected = row(c.n, c.n - 1 - rank());
  std::vector<xredist_int> b(expected.size());
  plan.execute(std::vector<xredist_int>(a.begin(), a.end()), b, 2);
  for (std::size_t j = 0; j < b.size(); ++j) EXPECT_EQ(b[j], 2 * static_cast<int>(expected[j]));
}

TEST(CppBlacs, Mistakes) {
  Case c;
  c.desca[4] = 0;
  try {
    make_plan<double>(c.columns.handle(), c.desca, c.descb, c.copy);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), XREDIST_INVALID_ARGUMENT);
    EXPECT_NE(std::string(error.what()).find("MB_"), std::string::npos) << error.what();
  }
}

TEST(CppBlacs, MistakesOfOneProcessReachTheOthers) {
  const Case c;
  const bool last = rank() == size() - 1;
  Partitions partitions;
  if (last) partitions.rows_a = Partition{};
  Operation other = c.copy;
  if (last) other.type = 'S';
  EXPECT_THROW(make_plan<double>(c.columns.handle(), c.desca, c.descb, c.copy, partitions), Error);
  EXPECT_THROW(make_plan<double>(c.columns.handle(), c.desca, c.descb, other), Error);
}

}  // namespace
}  // namespace xredist::testing
