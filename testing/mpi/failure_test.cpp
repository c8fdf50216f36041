// SPDX-License-Identifier: BSD-3-Clause
// Failures leave the library usable: every allocation of a call fails once, on all processes or on one.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <vector>

#include "allocations.hpp"
#include "plans.hpp"
#include "ranks.hpp"
#include "xredist/xredist.h"

namespace {
int polls = 0;  // of MPI requests
}

// Replaces MPI's function, to count how often the library polls.
extern "C" [[gnu::visibility("default")]] int MPI_Testsome(int count, MPI_Request requests[], int* completed,
                                                           int indices[], MPI_Status statuses[]) {
  ++polls;
  return PMPI_Testsome(count, requests, completed, indices, statuses);
}

namespace xredist::testing {
namespace {

constexpr std::int64_t n = 200;
constexpr std::size_t elements = n * n;

xredist_layout rows(std::int64_t block) { return {size(), 1, block, block}; }
xredist_layout cols(std::int64_t block) { return {1, size(), block, block}; }

xredist_plan* new_plan(MPI_Comm comm, std::int64_t block, int* error = nullptr) {
  const xredist_layout from = rows(block), to = cols(block + 1);
  xredist_plan* plan = nullptr;
  const int result = create_plan(comm, from, to, {.m = n, .n = n, .bytes = 8}, &plan);
  if (error != nullptr) *error = result;
  return plan;
}

struct Matrix {
  std::vector<double> a, b = std::vector<double>(elements, 0.0);
  explicit Matrix(double value) : a(elements, value) {}
  bool moved(std::int64_t block) const {
    std::int64_t mine = 0;
    for (std::int64_t j = 0; j < n; ++j) mine += j / block % size() == rank();
    return std::count(b.begin(), b.begin() + mine * n, a[0]) == mine * n;
  }
};

xredist_job job_of(const xredist_plan* plan, Matrix& x) { return {plan, x.a.data(), n, x.b.data(), n}; }
int start(const xredist_plan* plan, Matrix& x, xredist_request** request) {
  return start_job(job_of(plan, x), request);
}
int execute(const xredist_plan* plan, Matrix& x) { return execute_job(job_of(plan, x)); }

bool anywhere(bool here) {
  int any = here;
  MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return any != 0;
}

// Returns the processes that lack memory, one case each: -1 for all, or a rank.
std::vector<int> victims() { return size() == 1 ? std::vector{-1} : std::vector{-1, 0, size() - 1}; }
bool hits(int victim) { return victim < 0 || victim == rank(); }

// Repeats `call`, each time with a later allocation that fails, until the call has no more allocations. Passes to
// judge(): whether the call lacked memory here, whether it did anywhere, and its result.
template <class Prepare, class Call, class Judge>
void fail_each_allocation(int victim, Prepare prepare, Call call, Judge judge) {
  for (long k = 1; k < 2000; ++k) {
    prepare();
    if (hits(victim)) fail_allocation(k);
    const int result = call();
    const bool one_failed = stop_failing(), more = anywhere(one_failed);  // a call can do without some of them
    const bool here = result == XREDIST_NO_MEMORY, any = anywhere(here);
    EXPECT_TRUE(result == 0 || more) << result << " at allocation " << k;
    judge(here, any, result);
    if (::testing::Test::HasFailure()) break;
    if (!more) return;
  }
  EXPECT_TRUE(!anywhere(::testing::Test::HasFailure())) << "on some process";
}

class Start : public ::testing::TestWithParam<bool> {};  // true: another exchange is under way

// The failed exchange has failed on all processes; the one before it and the next one move their matrices.
TEST_P(Start, FailsAlone) {
  xredist_plan *px = new_plan(MPI_COMM_WORLD, 3), *py = new_plan(MPI_COMM_WORLD, 5);
  Matrix x(1), y(2);
  xredist_request *first = nullptr, *second = nullptr;
  for (const int victim : victims())
    fail_each_allocation(
        victim,
        [&] {
          std::ranges::fill(x.b, 0.0);
          if (GetParam()) {
            EXPECT_EQ(start(px, x, &first), 0);
          }
        },
        [&] { return start(py, y, &second); },
        [&](bool here, bool any, int result) {
          EXPECT_EQ(xredist_wait(&first), 0);
          if (GetParam()) {
            EXPECT_TRUE(x.moved(4));
          }
          // start may already know that another process has failed.
          EXPECT_EQ(result != 0 ? result : xredist_wait(&second), here  ? XREDIST_NO_MEMORY
                                                                  : any ? XREDIST_PEER_FAILED
                                                                        : 0);
          EXPECT_EQ(second, nullptr);
          std::ranges::fill(y.b, 0.0);
          EXPECT_EQ(execute(py, y), 0);
          EXPECT_TRUE(y.moved(6));
        });
  xredist_plan_destroy(px);
  xredist_plan_destroy(py);
}

// The plan and the arrays of an exchange that was not started may be freed at once.
TEST_P(Start, LeavesNothingBehind) {
  xredist_plan* px = new_plan(MPI_COMM_WORLD, 3);
  Matrix x(1);
  xredist_request *first = nullptr, *second = nullptr;
  for (const int victim : victims()) {
    xredist_plan* py = nullptr;
    auto y = std::make_unique<Matrix>(2);
    fail_each_allocation(
        victim,
        [&] {
          py = new_plan(MPI_COMM_WORLD, 5);
          y = std::make_unique<Matrix>(2);
          if (GetParam()) {
            EXPECT_EQ(start(px, x, &first), 0);
          }
        },
        [&] {
          const xredist_job jobs[] = {job_of(py, *y), job_of(px, x)};
          return xredist_start(GetParam() ? 1 : 2, jobs, &second);
        },
        [&](bool here, bool any, int result) {
          EXPECT_EQ(result != 0 ? result : xredist_wait(&second), here  ? XREDIST_NO_MEMORY
                                                                  : any ? XREDIST_PEER_FAILED
                                                                        : 0);
          xredist_plan_destroy(py);
          y.reset();
          EXPECT_EQ(xredist_wait(&first), 0);
          std::ranges::fill(x.b, 0.0);
          EXPECT_EQ(execute(px, x), 0);
          EXPECT_TRUE(x.moved(4));
        });
  }
  xredist_plan_destroy(px);
}
INSTANTIATE_TEST_SUITE_P(Alone, Start, ::testing::Values(false));
INSTANTIATE_TEST_SUITE_P(BehindAnother, Start, ::testing::Values(true));

// All members of a failed batch return its error. The wait for the batch returns the error as well, and frees the
// request.
TEST(Member, FailsWithItsBatch) {
  xredist_plan *px = new_plan(MPI_COMM_WORLD, 3), *py = new_plan(MPI_COMM_WORLD, 5);
  Matrix x(1), y(2);
  for (const int victim : victims()) {
    xredist_request* request = nullptr;
    int members[2] = {0, 0};
    fail_each_allocation(
        victim,
        [&] {
          members[0] = members[1] = 0;
          std::ranges::fill(x.b, 0.0);
          std::ranges::fill(y.b, 0.0);
        },
        [&] {
          const xredist_job jobs[] = {job_of(px, x), job_of(py, y)};
          if (const int error = xredist_start(2, jobs, &request); error != 0) return error;
          for (const int k : {1, 0}) members[k] = xredist_wait_member(request, k);
          int done = 0;
          for (const int k : {1, 0})
            if (members[k] != 0) {
              EXPECT_EQ(xredist_test_member(request, k, &done), members[k]);
              EXPECT_EQ(done, 1);
            }
          EXPECT_NE(request, nullptr);
          return xredist_wait(&request);
        },
        [&](bool here, bool any, int result) {
          // Over a mesh, a process that fails in the second round may have no more messages for this process.
          const bool moved = result == 0 && x.moved(4) && y.moved(6);
          EXPECT_TRUE(here ? result == XREDIST_NO_MEMORY : moved || (any && result == XREDIST_PEER_FAILED)) << result;
          for (const int member : members) EXPECT_TRUE(member == 0 || member == result);
          EXPECT_EQ(request, nullptr);
          std::ranges::fill(x.b, 0.0);
          EXPECT_EQ(execute(px, x), 0);
          EXPECT_TRUE(x.moved(4));
        });
  }
  xredist_plan_destroy(px);
  xredist_plan_destroy(py);
}

// An exchange may find no memory when it begins. Its own wait returns the error, not the wait for an earlier exchange.
TEST(Wait, OfAnotherExchangeSucceeds) {
  xredist_plan* px = new_plan(MPI_COMM_WORLD, 3);
  Matrix x(1), y(2);
  for (const int victim : victims()) {
    xredist_plan* py = nullptr;
    xredist_request *first = nullptr, *second = nullptr;
    fail_each_allocation(
        victim,
        [&] {
          EXPECT_EQ(xredist_set_option(MPI_COMM_WORLD, "buffer", "1M"), 0);
          py = new_plan(MPI_COMM_WORLD, 1);
          EXPECT_EQ(xredist_set_option(MPI_COMM_WORLD, "buffer", "16M"), 0);
          EXPECT_EQ(start(px, x, &first), 0);
          EXPECT_EQ(start(py, y, &second), 0);
          EXPECT_EQ(xredist_wait(&first), 0);
        },
        [&] { return xredist_wait(&second); },
        [&](bool here, bool any, int result) {
          if (!here && !any) {
            EXPECT_EQ(result, 0);
          }
          if (!here && any) {
            EXPECT_TRUE(result == 0 || result == XREDIST_PEER_FAILED) << result;
          }
          if (result == 0) {
            EXPECT_TRUE(y.moved(2));
          }
          EXPECT_EQ(second, nullptr);
          xredist_plan_destroy(py);
          std::ranges::fill(x.b, 0.0);
          EXPECT_EQ(execute(px, x), 0);
          EXPECT_TRUE(x.moved(4));
        });
  }
  xredist_plan_destroy(px);
}

// Process 0 refuses `first` and `second`, and carries out `third`. Process 1 may hear of the second refusal in the
// course of the third exchange, whose end leaves the second as the only one.
TEST(Withdrawal, IsHeededIfAnotherExchangeHearsOfIt) {
  if (size() == 1) GTEST_SKIP() << "needs 2 processes";
  const int zero = 0, one = 1;
  const xredist_layout on_0{1, 1, n, n, 0, 0, &zero}, on_1{1, 1, n, n, 0, 0, &one};
  const std::int64_t small = 4;
  xredist_plan *back = nullptr, *forth = nullptr;
  ASSERT_EQ(create_plan(MPI_COMM_WORLD, on_1, on_0, {.m = small, .n = small, .bytes = 8}, &back), 0);
  ASSERT_EQ(create_plan(MPI_COMM_WORLD, on_0, on_1, {.m = small, .n = small, .bytes = 8}, &forth), 0);
  Matrix x(1), y(2), z(3);
  xredist_request *second = nullptr, *third = nullptr;
  const auto start_without_memory = [](const xredist_plan* plan, Matrix& matrix) {
    xredist_request* request = nullptr;
    fail_allocation(1);
    const int result = start(plan, matrix, &request);
    EXPECT_TRUE(stop_failing());
    return result;
  };
  if (rank() == 0) {
    EXPECT_EQ(start_without_memory(back, x), XREDIST_NO_MEMORY);
  }
  if (rank() == 1) {
    const int result = execute(back, x);
    EXPECT_TRUE(result == 0 || result == XREDIST_PEER_FAILED) << result;  // its small message may have left at once
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank() == 1) {
    EXPECT_EQ(start(forth, y, &second), 0);
    EXPECT_EQ(start(forth, z, &third), 0);
    int done = 0;
    EXPECT_EQ(xredist_test(&third, &done), 0);
    EXPECT_EQ(done, 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank() == 0) {
    EXPECT_EQ(start_without_memory(forth, y), XREDIST_NO_MEMORY);
    EXPECT_EQ(execute(forth, z), 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank() == 1) {
    EXPECT_EQ(xredist_wait(&third), 0);
    for (std::int64_t j = 0; j < small; ++j)
      EXPECT_EQ(std::count(z.b.data() + j * n, z.b.data() + j * n + small, 3.0), small);
    EXPECT_EQ(xredist_wait(&second), XREDIST_PEER_FAILED);
  }
  xredist_plan_destroy(back);
  xredist_plan_destroy(forth);
}

// Process 0 has no memory for 100 exchanges. Messages to it that nobody receives stay under way, but later calls poll
// few of them.
TEST(FailedExchanges, LeaveLaterCallsAsFast) {
  if (size() == 1) GTEST_SKIP() << "needs 2 processes";
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  EXPECT_EQ(xredist_set_option(comm, "shared", "0"), 0);
  xredist_plan* plan = new_plan(comm, 3);
  Matrix x(1);
  constexpr int tests = 100;
  // Counts the polls of `tests` tests, while the other processes wait for process 0.
  const auto polls_of_tests = [&] {
    xredist_request* request = nullptr;
    int count = 0;
    if (rank() != 0) {
      EXPECT_EQ(start(plan, x, &request), 0);
      const int before = polls;
      for (int k = 0; k < tests; ++k) {
        int done = 0;
        EXPECT_EQ(xredist_test(&request, &done), 0);
        EXPECT_EQ(done, 0);
      }
      count = polls - before;
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank() == 0) {
      EXPECT_EQ(start(plan, x, &request), 0);
    }
    EXPECT_EQ(xredist_wait(&request), 0);
    EXPECT_TRUE(x.moved(4));
    return count;
  };
  const int before = polls_of_tests();
  for (int k = 0; k < 100; ++k) {
    xredist_request* request = nullptr;
    if (rank() == 0) fail_allocation(1);
    int result = start(plan, x, &request);
    if (rank() == 0) {
      EXPECT_TRUE(stop_failing());
    }
    if (result == 0) result = xredist_wait(&request);
    EXPECT_EQ(result, rank() == 0 ? XREDIST_NO_MEMORY : XREDIST_PEER_FAILED);
  }
  std::ranges::fill(x.b, 0.0);
  const int after = polls_of_tests();
  RecordProperty("polls_before", before);
  RecordProperty("polls_after", after);
  EXPECT_LE(after, 3 * before);
  EXPECT_LE(after, 3 * tests);
  xredist_plan_destroy(plan);
  MPI_Comm_free(&comm);
}

// On a communicator that is new to the library, making a plan is collective. It fails on all processes, or on those
// that lack memory for their plan, and never hangs.
TEST(PlanCreate, FailsInOrder) {
  for (const int victim : victims()) {
    MPI_Comm comm = MPI_COMM_NULL;
    xredist_plan* plan = nullptr;
    fail_each_allocation(
        victim, [&] { MPI_Comm_dup(MPI_COMM_WORLD, &comm); },
        [&] {
          int error = 0;
          plan = new_plan(comm, 3, &error);
          return error;
        },
        [&](bool, bool any, int result) {
          EXPECT_TRUE(result == 0 || (any && result == XREDIST_NO_MEMORY)) << result;
          EXPECT_EQ(plan == nullptr, result != 0);
          if (plan == nullptr) plan = new_plan(comm, 3);
          Matrix x(3);
          EXPECT_EQ(execute(plan, x), 0);
          EXPECT_TRUE(x.moved(4));
          xredist_plan_destroy(plan);
          MPI_Comm_free(&comm);
        });
  }
}

// The first exchange of a process allocates all that later ones use again. XREDIST_TEST_ALLOCATION is the number of the
// allocation that fails.
TEST(First, ExchangeFailsAlone) {
  const char* k = std::getenv("XREDIST_TEST_ALLOCATION");
  if (k == nullptr) GTEST_SKIP() << "XREDIST_TEST_ALLOCATION is not set";
  xredist_plan* plan = new_plan(MPI_COMM_WORLD, 3);
  Matrix x(1);
  xredist_request* request = nullptr;
  if (rank() == 0) fail_allocation(std::atol(k));
  int result = start(plan, x, &request);
  if (result == 0) result = xredist_wait(&request);
  stop_failing();
  const bool here = result == XREDIST_NO_MEMORY;
  EXPECT_TRUE(here || result == 0 || result == XREDIST_PEER_FAILED) << result;
  EXPECT_EQ(execute(plan, x), 0);
  EXPECT_TRUE(x.moved(4));
  xredist_plan_destroy(plan);
}

// Communicators come and go; a failure on one is not reported on the next.
TEST(Disagreement, StaysOnItsCommunicator) {
  if (size() == 1) GTEST_SKIP() << "needs 2 processes";
  for (int round = 0; round < 60 && !anywhere(HasFailure()); ++round) {
    Matrix x(1);
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    const xredist_layout from = rows(4), to = cols(4);
    xredist_plan* plan = nullptr;
    ASSERT_EQ(create_plan(comm, from, to, {.m = rank() == round % size() ? n - 8 : n, .n = n, .bytes = 8}, &plan), 0);
    const int result = execute(plan, x);
    // 0: a process may have received everything before it hears of the disagreement.
    EXPECT_TRUE(result == XREDIST_DISAGREEMENT || result == 0) << result;
    EXPECT_TRUE(anywhere(result == XREDIST_DISAGREEMENT));
    xredist_plan_destroy(plan);
    MPI_Comm_free(&comm);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    plan = new_plan(comm, 3);
    EXPECT_EQ(execute(plan, x), 0);
    EXPECT_TRUE(x.moved(4));
    xredist_plan_destroy(plan);
    MPI_Comm_free(&comm);
  }
}

// Processes pass different sizes: all processes that wait return XREDIST_DISAGREEMENT, also from later exchanges on
// this communicator. Exchanges on other communicators succeed.
TEST(Disagreement, EndsOneCommunicator) {
  if (size() == 1) GTEST_SKIP() << "needs 2 processes";
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  xredist_plan* other = new_plan(MPI_COMM_WORLD, 3);
  Matrix x(1), y(2);
  const std::int64_t m = rank() == 0 ? n - 8 : n;
  const xredist_layout from = rows(4), to = cols(4);
  xredist_plan* plan = nullptr;
  ASSERT_EQ(create_plan(comm, from, to, {.m = m, .n = n, .bytes = 8}, &plan), 0);
  EXPECT_EQ(execute(plan, x), XREDIST_DISAGREEMENT);
  EXPECT_EQ(execute(plan, x), XREDIST_DISAGREEMENT);
  EXPECT_EQ(execute(other, y), 0);
  EXPECT_TRUE(y.moved(4));
  xredist_plan_destroy(plan);
  xredist_plan_destroy(other);
  MPI_Comm_free(&comm);
}

}  // namespace
}  // namespace xredist::testing
