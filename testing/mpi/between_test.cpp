// SPDX-License-Identifier: BSD-3-Clause
// Calls of the library between start and wait: some processes make them before they wait, others after.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <string>
#include <vector>

#include "plans.hpp"
#include "ranks.hpp"
#include "xredist/xredist.hpp"

namespace xredist::testing {
namespace {

// A matrix of ones, from blocks of 3 rows to columns; large enough that start cannot complete it.
struct Move {
  std::int64_t n;
  xredist_layout from{size(), 1, 3, 3}, to{1, size(), 3, 3};
  Plan<double> plan;
  std::vector<double> a, b;

  explicit Move(MPI_Comm comm, std::int64_t order = 1500)
      : n(order), plan(comm, from, to, {.m = n, .n = n}), a(static_cast<std::size_t>(n * n), 1.0), b(a.size(), 0.0) {}
  Request start() { return plan.start({a.data(), n}, {b.data(), n}); }
  void expect_moved() const {
    std::size_t moved = 0, expected = 0;
    for (std::int64_t j = 0; j < n; ++j) expected += j / 3 % size() == rank() ? static_cast<std::size_t>(n) : 0;
    for (const double x : b) moved += x == 1.0;
    EXPECT_EQ(moved, expected);
  }
};

// Process 0 does what comes between before it waits, the others after.
template <class Between>
void between(Move& x, Between what) {
  Request request = x.start();
  if (rank() != 0) request.wait();
  what();
  if (rank() == 0) request.wait();
  x.expect_moved();
}

TEST(Between, StartAndWaitAPlanForAnotherCommunicator) {
  Move x(MPI_COMM_WORLD);
  MPI_Comm other;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  between(x, [&] {
    Move y(other, 60);
    y.start().wait();
    y.expect_moved();
  });
  MPI_Comm_free(&other);
}

TEST(Between, StartAndWaitOptionsOfAnotherCommunicator) {
  Move x(MPI_COMM_WORLD);
  MPI_Comm other;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  between(x, [&] { EXPECT_EQ(xredist_set_option(other, "buffer", "2M"), 0); });
  MPI_Comm_free(&other);
}

TEST(Between, StartAndWaitTheCommunicatorMayBeFreed) {
  MPI_Comm other;
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  Move x(other);
  between(x, [&] { MPI_Comm_free(&other); });
}

// An exchange of all processes is under way. Two of them plan and move matrices between themselves, while the others
// are outside of the library, so that the first exchange cannot be completed before.
TEST(Between, StartAndWaitOthersMayBeElsewhere) {
  if (size() < 3) GTEST_SKIP() << "needs 3 processes";
  Move x(MPI_COMM_WORLD);
  const xredist_layout from{2, 1, 3, 3}, to{1, 2, 5, 5};
  constexpr std::int64_t n = 900;
  const std::vector<double> a(static_cast<std::size_t>(n * n), 1.0);
  Plan<double> known(MPI_COMM_WORLD, from, to, {.m = n, .n = n});
  MPI_Comm pair;
  MPI_Comm_split(MPI_COMM_WORLD, rank() < 2 ? 0 : MPI_UNDEFINED, rank(), &pair);
  Request request = x.start();
  if (rank() < 2) {
    std::vector<double> b(a.size(), 0.0), c(a.size(), 0.0), d(a.size(), 0.0);
    known.execute({a.data(), n}, {b.data(), n});
    const Plan<double> plan(pair, from, to, {.m = n, .n = n});
    plan.execute({a.data(), n}, {c.data(), n});
    Request tested = plan.start({a.data(), n}, {d.data(), n});
    while (!tested.test()) {
    }
    EXPECT_EQ(b, c);
    EXPECT_EQ(b, d);
    EXPECT_GE(std::count(b.begin(), b.end(), 1.0), n * n / 2 - 5 * n);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  request.wait();
  x.expect_moved();
  if (pair != MPI_COMM_NULL) MPI_Comm_free(&pair);
}

// Process 1 starts an exchange with process 2, which is outside of the library, then several with process 0, and waits
// for the last of these. However it waits, it has to begin the others too, because process 0 waits for the first.
class Behind : public ::testing::TestWithParam<const char*> {};

TEST_P(Behind, OneThatIsElsewhere) {
  if (size() < 3) GTEST_SKIP() << "needs 3 processes";
  const std::string how = GetParam();
  const auto pair_of = [](bool member) {
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, member ? 0 : MPI_UNDEFINED, rank(), &comm);
    return comm;
  };
  MPI_Comm low = pair_of(rank() < 2), high = pair_of(rank() == 1 || rank() == 2), other = pair_of(rank() < 2);
  const xredist_layout from{2, 1, 3, 3}, to{1, 2, 5, 5};
  constexpr std::int64_t n = 900;
  constexpr std::size_t many = 6;
  const std::vector<double> a(static_cast<std::size_t>(n * n), 1.0);
  std::vector<std::vector<double>> b(many + 1, std::vector<double>(a.size(), 0.0));
  std::vector<xredist_request*> requests(many + 1, nullptr);
  std::vector<Plan<double>> plans;
  if (high != MPI_COMM_NULL) plans.emplace_back(high, from, to, Operation{.m = n, .n = n});
  if (low != MPI_COMM_NULL) plans.emplace_back(low, from, to, Operation{.m = n, .n = n});
  if (high != MPI_COMM_NULL) {
    ASSERT_EQ(start_job({plans.front().get(), a.data(), n, b[many].data(), n}, &requests[many]), 0);
  }
  if (low != MPI_COMM_NULL) {
    for (std::size_t k = 0; k < many; ++k)
      ASSERT_EQ(start_job({plans.back().get(), a.data(), n, b[k].data(), n}, &requests[k]), 0);
    if (rank() == 0) {
      EXPECT_EQ(xredist_wait(&requests[0]), 0);
    }
    if (how == "wait") {
      EXPECT_EQ(xredist_wait(&requests[many - 1]), 0);
    }
    for (int done = how != "test"; !done;) ASSERT_EQ(xredist_test(&requests[many - 1], &done), 0);
    if (how == "plan") {
      const Plan<double> plan(other, from, to, {.m = n, .n = n});
    }
    if (how == "free") MPI_Comm_free(&low);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (xredist_request*& request : requests) EXPECT_EQ(xredist_wait(&request), 0);
  if (low != MPI_COMM_NULL || rank() < 2) {
    EXPECT_GE(std::count(b[0].begin(), b[0].end(), 1.0), n * n / 2 - 5 * n);
  }
  for (MPI_Comm* comm : {&low, &high, &other})
    if (*comm != MPI_COMM_NULL) MPI_Comm_free(comm);
}
INSTANTIATE_TEST_SUITE_P(In, Behind, ::testing::Values("wait", "test", "plan", "free"));

// Pairs of neighbours in a ring, each with its own communicator, started in one order and waited for in another.
TEST(Between, OverlappingCommunicators) {
  if (size() < 3) GTEST_SKIP() << "needs 3 processes";
  std::vector<MPI_Comm> comms(static_cast<std::size_t>(size()));
  for (int k = 0; k < size(); ++k)
    MPI_Comm_split(MPI_COMM_WORLD, rank() == k || rank() == (k + 1) % size() ? 0 : MPI_UNDEFINED, rank(),
                   &comms[static_cast<std::size_t>(k)]);
  constexpr std::int64_t n = 700;
  std::vector<std::vector<double>> targets;
  std::vector<Plan<double>> plans;
  std::vector<Request> requests;
  const xredist_layout from{2, 1, 3, 3}, to{1, 2, 5, 5};
  const std::vector<double> a(static_cast<std::size_t>(n * n), 1.0);
  for (const MPI_Comm comm : comms) {
    if (comm == MPI_COMM_NULL) continue;
    plans.emplace_back(comm, from, to, Operation{.m = n, .n = n});
    targets.emplace_back(static_cast<std::size_t>(n * n), 0.0);
  }
  for (std::size_t k = 0; k < plans.size(); ++k)
    requests.push_back(plans[k].start({a.data(), n}, {targets[k].data(), n}));
  if (rank() % 2 == 0) std::swap(requests.front(), requests.back());
  for (Request& request : requests) request.wait();
  for (const auto& target : targets) EXPECT_GE(std::ranges::count(target, 1.0), n * n / 2 - 5 * n);
  for (MPI_Comm& comm : comms)
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
}

}  // namespace
}  // namespace xredist::testing
