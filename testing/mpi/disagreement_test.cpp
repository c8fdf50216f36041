// SPDX-License-Identifier: BSD-3-Clause
// One process passes another size than the others. Each process that should receive elements returns
// XREDIST_DISAGREEMENT, or it has received exactly the elements that its own arguments describe.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "move.hpp"
#include "xredist/array.h"

namespace xredist::testing {
namespace {

using Index = std::int64_t;

double element(Index i, Index j) { return static_cast<double>(1 + i + 1'000'000 * j); }

bool moves(char uplo, Index i, Index j) { return uplo == 'A' || (uplo == 'U' ? i <= j : i >= j); }

// The rows and columns that a process passes.
struct Extents {
  Index m, n;
};

// Moves a matrix from `a` to `b`. Process `odd` passes the shape `other`, all others `usual`.
void check(const xredist_layout& a, const xredist_layout& b, char uplo, int odd, Extents usual, Extents other) {
  const Extents shape = rank() == odd ? other : usual;
  const Index m = shape.m, n = shape.n;
  const Index extent = std::max({usual.m, usual.n, other.m, other.n});
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  Part from(a, extent, extent), to(b, extent, extent);
  from.each([](double& x, Index i, Index j) { x = element(i, j); });
  xredist_plan* plan = nullptr;
  ASSERT_EQ(create_plan(comm, a, b, {.m = m, .n = n, .type = 'D', .uplo = uplo}, &plan), 0);
  const int result = execute_job({plan, from.data.data(), from.ld, to.data.data(), to.ld});
  xredist_plan_destroy(plan);
  EXPECT_TRUE(result == 0 || result == XREDIST_DISAGREEMENT) << result;
  Index wrong = 0, beyond = 0;
  to.each([&](double x, Index i, Index j) {
    const bool part = i < m && j < n && moves(uplo, i, j);
    wrong += part && x != element(i, j);
    beyond += !part && x != -1;
  });
  EXPECT_TRUE(result != 0 || wrong == 0) << wrong << " elements are wrong, but the result is 0";
  EXPECT_EQ(beyond, 0) << "elements outside the submatrix have changed";
  EXPECT_TRUE(anywhere(result == XREDIST_DISAGREEMENT)) << "nobody has noticed";
  MPI_Comm_free(&comm);
}

bool uses_permits() {
  const char* permits = getenv("XREDIST_PERMITS");
  return permits != nullptr && std::string_view(permits) == "2";
}

class Disagreement : public ::testing::TestWithParam<std::tuple<const char*, char>> {  // route and part of the matrix
 protected:
  void SetUp() override {
    if (size() == 1) GTEST_SKIP() << "needs 2 processes";
    // New communicators take the options of the environment.
    setenv("XREDIST_ROUTE", std::get<0>(GetParam()), 1);
    if (!uses_permits()) setenv("XREDIST_PERMITS", "0", 1);  // also on networks that are measured as slow
    all_.resize(static_cast<std::size_t>(size()));
    std::iota(all_.begin(), all_.end(), 0);
    others_.assign(all_.begin() + 1, all_.end());
  }
  void TearDown() override {
    restore("XREDIST_ROUTE", route_);
    restore("XREDIST_PERMITS", permits_);
  }

  // Process 0, 1 or the last one is odd, with smaller and with larger matrices.
  void check_all(const xredist_layout& a, const xredist_layout& b, Index n, Index large_difference) {
    const char uplo = std::get<1>(GetParam());
    std::vector<Index> differences{-8, 8};
    // If a packet needs a permit by the size of one process and none by the size of the other, both wait for ever.
    if (!uses_permits()) differences.insert(differences.end(), {-large_difference, large_difference});
    for (const int odd : std::set{0, 1, size() - 1})
      for (const Index difference : differences) {
        const Index other = n + difference;
        SCOPED_TRACE("process " + std::to_string(odd) + " passes " + std::to_string(other) + " instead of " +
                     std::to_string(n));
        check(a, b, uplo, odd, {n, n}, {other, other});
        if (uplo == 'A') {
          check(a, b, uplo, odd, {n, n}, {other, n});
          check(a, b, uplo, odd, {n, n}, {n, other});
        }
        if (anywhere(HasFailure())) return;
      }
  }

  static std::string value_of(const char* name) { return getenv(name) != nullptr ? getenv(name) : ""; }
  static void restore(const char* name, const std::string& value) {
    value.empty() ? unsetenv(name) : setenv(name, value.c_str(), 1);
  }

  const std::string route_ = value_of("XREDIST_ROUTE"), permits_ = value_of("XREDIST_PERMITS");
  std::vector<int> all_, others_;
};

// Process 0 has all of A, and only sends.
TEST_P(Disagreement, OfOneSender) {
  const int none = 0;
  const xredist_layout a{1, 1, 1, 1, 0, 0, &none}, b{1, size() - 1, 1, 1, 0, 0, others_.data()};
  check_all(a, b, 120, 60);
}

// Process 0 gets all of B, and only receives.
TEST_P(Disagreement, OfOneReceiver) {
  const int none = 0;
  const xredist_layout a{size() - 1, 1, 1, 1, 0, 0, others_.data()}, b{1, 1, 1, 1, 0, 0, &none};
  check_all(a, b, 120, 60);
}

TEST_P(Disagreement, OfAllToAll) {
  const xredist_layout a{size(), 1, 3, 3, 0, 0, all_.data()}, b{1, size(), 2, 2, 0, 0, all_.data()};
  check_all(a, b, 104, 40);
}

// Messages of several packets.
TEST_P(Disagreement, OfLongMessages) {
  const xredist_layout a{size(), 1, 3, 3, 0, 0, all_.data()}, b{1, size(), 2, 2, 0, 0, all_.data()};
  check_all(a, b, 700, 90);
}

// MPICH calls the error handler of MPI_COMM_WORLD for a message that is longer than its receive. Open MPI calls the one
// of the communicator, which is the library's.
class LongMessage : public ::testing::Test {
 protected:
  void SetUp() override {
#ifdef MPICH_VERSION
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
#endif
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
  }
  // All have heard that a process gives up before any of them frees the communicator.
  void TearDown() override {
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_free(&comm_);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
};

// Process 0 receives a row of every other process; with 33 others and more, it has small slots for all of them. The
// last process passes more columns.
TEST_F(LongMessage, IsADisagreementThatTheReceiverNames) {
  if (size() < 34) GTEST_SKIP() << "needs 34 processes";
  std::vector<int> others(static_cast<std::size_t>(size()) - 1);
  std::iota(others.begin(), others.end(), 1);
  const int none = 0;
  for (const auto& [name, value] : {std::pair{"buffer", "1M"}, {"shared", "0"}, {"route", "direct"}})
    ASSERT_EQ(xredist_set_option(comm_, name, value), 0);
  const Index m = size() - 1, n = rank() == m ? 10'000 : 10;
  Move move(comm_, {size() - 1, 1, 1, n, 0, 0, others.data()}, {1, 1, m, n, 0, 0, &none}, m, n);
  ASSERT_EQ(move.code, 0);
  const std::string result = outcome(execute_job(move.job()));
  const Index slot = (Index{1} << 19) / m;
  const std::string sentence = "disagreement: process " + std::to_string(m) + " of the context sends at least " +
                               std::to_string(slot + 1) + " bytes, but 80 were expected: do all processes pass";
  if (rank() == 0)
    EXPECT_TRUE(result.starts_with(sentence)) << result;
  else  // a message that has left before is no failure
    EXPECT_TRUE(result.empty() || result.starts_with("disagreement: process 0 of the context has given up")) << result;
}

// The receiver's plan has an option of its own.
TEST_F(LongMessage, ThatFollowsFromAnOptionOfOnePlan) {
  if (size() != 2) GTEST_SKIP() << "needs 2 processes";
  ASSERT_EQ(xredist_set_option(comm_, "shared", "0"), 0);
  const int first = 0, second = 1;
  const xredist_layout from{1, 1, 100, 100, 0, 0, &first}, to{1, 1, 100, 100, 0, 0, &second};
  Part a(from, 100, 100), b(to, 100, 100);
  xredist_plan* plan = nullptr;
  ASSERT_EQ(create_plan(comm_, from, to,
                        {.m = 100, .n = 100, .type = 'D', .options = rank() == 1 ? "packet=4K" : nullptr}, &plan),
            0);
  const std::string result =
      outcome(execute_job({.plan = plan, .a = a.data.data(), .lda = 100, .b = b.data.data(), .ldb = 100}));
  xredist_plan_destroy(plan);
  if (rank() == 1)
    EXPECT_TRUE(result.starts_with("disagreement: process 0 of the context sends at least 4097 bytes, but ")) << result;
  else
    EXPECT_TRUE(result.empty() || result.starts_with("disagreement: process 1 of the context has given up")) << result;
}

// Only one process consumes A, in more panels than the other one. Nothing compares jobs.
TEST_F(LongMessage, ThatFollowsFromAnUnequalConsume) {
  if (size() != 2) GTEST_SKIP() << "needs 2 processes";
  ASSERT_EQ(xredist_set_option(comm_, "check", "reduction"), 0);
  std::array<xredist_axis, 3> rows{}, columns{};
  rows[0].procs = columns[2].procs = 2;
  const xredist_array_layout from{.dims = 3, .axes = rows.data()}, to{.dims = 3, .axes = columns.data()};
  const std::array<Index, 3> shape{256, 100, 120};
  const xredist_array_operation operation{.shape = shape.data(), .type = 'D'};
  xredist_plan* plan = nullptr;
  ASSERT_EQ(xredist_array_plan_create(comm_, &from, &to, &operation, &plan), 0);
  constexpr std::size_t bytes = std::size_t{256} * 100 * 60 * sizeof(double);
  void *a = xredist_alloc(bytes), *b = xredist_alloc(bytes);
  const std::string result = outcome(execute_job({.plan = plan, .a = a, .b = b, .consume = rank() == 0 ? 1 : 0}));
  xredist_free(a), xredist_free(b);
  xredist_plan_destroy(plan);
  const bool names_consume = result.find(", and the same `consume` in their jobs?") != std::string::npos;
  EXPECT_TRUE(names_consume || result.find("of the context has given up") != std::string::npos) << result;
  EXPECT_TRUE(anywhere(names_consume));
}

INSTANTIATE_TEST_SUITE_P(Routes, Disagreement,
                         ::testing::Combine(::testing::Values("direct", "two-hop", "2"),
                                            ::testing::Values('A', 'U', 'L')));

}  // namespace
}  // namespace xredist::testing
