// SPDX-License-Identifier: BSD-3-Clause
// Plans of C++ from BLACS contexts and array descriptors, compiled as C++17.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

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

TEST(CppBlacs, TunesPlans) {
  const Case c;
  auto plan = make_plan<double>(c.columns.handle(), c.desca, c.descb, c.copy);
  std::vector<double> b(row(c.n, 0).size());
  plan.tune(column(c.n), b, 3.0);
  std::vector<double> expected = row(c.n, rank());
  for (double& x : expected) x *= 3;
  EXPECT_EQ(b, expected);
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

TEST(CppBlacs, FitsAndTells) {
  const Case c;
  Rules rules;
  rules.processes = 1;
  const FittedMatrix b = fit(c.columns.handle(), c.n, c.n, c.desca, rules);
  EXPECT_EQ(b.elements(), b.member() ? static_cast<std::size_t>(c.n * c.n) : 0);
  const auto there = make_plan<double>(c.columns.handle(), c.desca, b.desc.data(), c.copy);
  std::vector<double> whole(b.elements());
  there.execute(column(c.n), whole);
  double last = b.member() ? whole.back() : -1;
  tell(c.columns.handle(), b.desc.data(), &last, 1);
  EXPECT_EQ(last, 101 * (c.n - 1));
  check(xredist_fit_free(c.columns.handle()));
}

// A grid of which the last process is no member writes the matrix, and a grid of all processes reads the file.
TEST(CppBlacs, Files) {
  const Case c;
  const int used = std::max(1, size() - 1);
  const Context some(row_major(1, used));
  const bool member = some.member();
  const xredist_int desca[9] = {1, member ? some.handle() : -1, c.n, c.n, c.n, 1, 0, 0, c.n};
  std::vector<double> a, b(row(c.n, 0).size());
  for (int j = rank(); member && j < c.n; j += used)
    for (int i = 0; i < c.n; ++i) a.push_back(100 * i + j);
  const std::string name = "cpp_blacs_file." + std::to_string(size()) + ".npy";
  xredist_file file{};
  file.name = name.c_str();
  file.m = file.n = c.n;
  file.type = 'D';
  const xredist_int ctxt = c.columns.handle();
  EXPECT_EQ(xredist_write_blacs(ctxt, desca, nullptr, a.data(), &file), 0) << xredist_error();
  EXPECT_EQ(xredist_read_blacs(ctxt, c.descb, nullptr, b.data(), &file), 0) << xredist_error();
  EXPECT_EQ(b, row(c.n, rank()));
  file.m = c.n + 1;
  EXPECT_EQ(xredist_read_blacs(ctxt, c.descb, nullptr, b.data(), &file), XREDIST_INVALID_ARGUMENT);
  EXPECT_NE(std::string(xredist_error()).find("it reaches beyond desc, entry 3 (M_)"), std::string::npos)
      << xredist_error();
  EXPECT_EQ(xredist_read_blacs(ctxt, nullptr, nullptr, b.data(), &file), XREDIST_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(xredist_error()), "desc is NULL");
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank() == 0) std::remove(name.c_str());
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
  EXPECT_THROW(fit(c.columns.handle(), c.n, c.n, c.desca, Rules(), partitions), Error);
}

}  // namespace
}  // namespace xredist::testing
