// SPDX-License-Identifier: BSD-3-Clause
// Failures leave the library usable: every allocation of a call fails once, on all processes or on one.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "allocations.hpp"
#include "environment.hpp"
#include "failing.hpp"
#include "move.hpp"
#include "xredist/array.h"
#include "xredist/fit.h"

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

// From blocks of rows to blocks of columns that are one larger.
struct Exchange : Move {
  Exchange(MPI_Comm comm, int block, std::int64_t height = n)
      : Move(comm, {size(), 1, block, block}, {1, size(), block + 1, block + 1}, height, n, 1000.0 * block) {}
  void expect_moves() {
    wrong();  // sets B to -1
    EXPECT_EQ(execute_job(job()), 0);
    EXPECT_EQ(wrong(), 0);
  }
};

// Returns the processes that lack memory, one case each: -1 for all, or a rank.
std::vector<int> victims() { return size() == 1 ? std::vector{-1} : std::vector{-1, 0, size() - 1}; }

// Passes to judge(): whether the call lacked memory here, whether it did anywhere, and its result.
template <class Prepare, class Call, class Judge>
void fail_each(int victim, Prepare prepare, Call call, Judge judge) {
  fail_each_allocation(victim, prepare, call, [&](int result, bool more, long k) {
    const bool here = result == XREDIST_NO_MEMORY, any = anywhere(here);
    EXPECT_TRUE(result == 0 || more) << result << " at allocation " << k;
    judge(here, any, result);
  });
}

int code_of(bool here, bool any) { return here ? XREDIST_NO_MEMORY : any ? XREDIST_PEER_FAILED : 0; }

class Start : public ::testing::TestWithParam<bool> {};  // true: another exchange is under way

// The failed exchange has failed on all processes; the one before it and the next one move their matrices. The plan and
// the arrays of an exchange that was not started may be freed at once, or be used again.
TEST_P(Start, FailsAlone) {
  Exchange x(MPI_COMM_WORLD, 3);
  for (const int victim : victims())
    for (const bool again : {true, false}) {
      std::unique_ptr<Exchange> y;
      fail_each(
          victim,
          [&] {
            y = std::make_unique<Exchange>(MPI_COMM_WORLD, 5);
            if (GetParam()) {
              EXPECT_EQ(x.start(), 0);
            }
          },
          [&] {
            const xredist_job jobs[] = {y->job(), x.job()};
            return xredist_start(GetParam() || again ? 1 : 2, jobs, &y->request);
          },
          [&](bool here, bool any, int result) {
            // start may already know that another process has failed.
            const auto finish = [&] { EXPECT_EQ(result != 0 ? result : y->wait(), code_of(here, any)); };
            if (again) {
              EXPECT_EQ(x.wait(), 0);
              finish();
              EXPECT_EQ(y->request, nullptr);
              y->expect_moves();
            } else {
              finish();
              y.reset();
              EXPECT_EQ(x.wait(), 0);
            }
            if (GetParam()) {
              EXPECT_EQ(x.wrong(), 0);
            }
            x.expect_moves();
          });
    }
}
INSTANTIATE_TEST_SUITE_P(Alone, Start, ::testing::Values(false));
INSTANTIATE_TEST_SUITE_P(BehindAnother, Start, ::testing::Values(true));

// An exchange that consumes A may fail after pages of A have gone back: A and B are undefined, neighbours in the pages
// of A are as they were, and the next exchange moves its matrix.
TEST(Consume, FailureLeavesNeighbours) {
  Exchange x(MPI_COMM_WORLD, 3, std::int64_t{700} * size());
  const std::size_t elements = x.a.data.size();
  constexpr std::size_t around = 100;  // elements on either side: A begins and ends within a page
  std::vector<double> memory(elements + 2 * around, -3);
  xredist_job job = x.job();
  job.a = memory.data() + around, job.consume = 1;
  const auto fill = [&] { std::ranges::copy(x.a.data, memory.begin() + around); };
  const auto neighbours = [&] {
    return std::count(memory.begin(), memory.begin() + around, -3) +
           std::count(memory.end() - around, memory.end(), -3);
  };
  for (const int victim : victims())
    fail_each(
        victim, fill, [&] { return xredist_execute(&job); },
        [&](bool here, bool any, int result) {
          const bool moved = result == 0 && x.wrong() == 0;
          EXPECT_TRUE(here ? result == XREDIST_NO_MEMORY : moved || (any && result == XREDIST_PEER_FAILED)) << result;
          EXPECT_EQ(neighbours(), std::ptrdiff_t{2 * around});
          fill();
          EXPECT_EQ(xredist_execute(&job), 0);
          EXPECT_EQ(x.wrong(), 0);
          EXPECT_EQ(neighbours(), std::ptrdiff_t{2 * around});
        });
}

// All members of a failed batch return its error. The wait for the batch returns the error as well, and frees the
// request.
TEST(Member, FailsWithItsBatch) {
  Exchange x(MPI_COMM_WORLD, 3), y(MPI_COMM_WORLD, 5);
  for (const int victim : victims()) {
    xredist_request* request = nullptr;
    int members[2] = {0, 0};
    fail_each(
        victim, [&] { members[0] = members[1] = 0; },
        [&] {
          const xredist_job jobs[] = {x.job(), y.job()};
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
          const long wrong = x.wrong() + y.wrong();
          const bool moved = result == 0 && wrong == 0;
          EXPECT_TRUE(here ? result == XREDIST_NO_MEMORY : moved || (any && result == XREDIST_PEER_FAILED)) << result;
          for (const int member : members) EXPECT_TRUE(member == 0 || member == result);
          EXPECT_EQ(request, nullptr);
          x.expect_moves();
        });
  }
}

// An exchange may find no memory when it begins. Its own wait returns the error, not the wait for an earlier exchange.
TEST(Wait, OfAnotherExchangeSucceeds) {
  Exchange x(MPI_COMM_WORLD, 3);
  for (const int victim : victims()) {
    std::unique_ptr<Exchange> y;
    fail_each(
        victim,
        [&] {
          EXPECT_EQ(xredist_set_option(MPI_COMM_WORLD, "buffer", "1M"), 0);
          y = std::make_unique<Exchange>(MPI_COMM_WORLD, 1);
          EXPECT_EQ(xredist_set_option(MPI_COMM_WORLD, "buffer", "16M"), 0);
          EXPECT_EQ(x.start(), 0);
          EXPECT_EQ(y->start(), 0);
          EXPECT_EQ(x.wait(), 0);
        },
        [&] { return y->wait(); },
        [&](bool here, bool any, int result) {
          EXPECT_TRUE(here || result == 0 || (any && result == XREDIST_PEER_FAILED)) << result;
          if (result == 0) {
            EXPECT_EQ(y->wrong(), 0);
          }
          EXPECT_EQ(y->request, nullptr);
          y.reset();
          x.expect_moves();
        });
  }
}

// A duplicate of MPI_COMM_WORLD whose processes exchange messages only.
class WithoutSharedMemory {
 public:
  WithoutSharedMemory() {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    EXPECT_EQ(xredist_set_option(comm_, "shared", "0"), 0);
  }
  ~WithoutSharedMemory() { MPI_Comm_free(&comm_); }
  WithoutSharedMemory(const WithoutSharedMemory&) = delete;
  WithoutSharedMemory& operator=(const WithoutSharedMemory&) = delete;
  operator MPI_Comm() const { return comm_; }  // NOLINT(google-explicit-constructor)

 private:
  MPI_Comm comm_;
};

constexpr int zero = 0, one = 1;
constexpr xredist_layout on_0{1, 1, n, n, 0, 0, &zero}, on_1{1, 1, n, n, 0, 0, &one};

// Expects this process to refuse an exchange, which it does before it hears of any other process.
void expect_refusal(Move& move) {
  fail_allocation(1);
  EXPECT_EQ(move.start(), XREDIST_NO_MEMORY);
  EXPECT_TRUE(stop_failing());
}

// Both processes refuse many exchanges. Process 0 hears of it in the course of the next one, and lacks memory to record
// it. That exchange fails, and the one after it moves its matrix.
TEST(Withdrawal, IsRecordedLaterIfMemoryIsMissing) {
  if (size() == 1) GTEST_SKIP() << "needs 2 processes";
  const WithoutSharedMemory comm;
  Move x(comm, on_1, on_0, 4, 4);
  const auto refuse_many = [&] {
    for (int k = 0; k < 200; ++k) expect_refusal(x);
  };
  if (rank() == 0) {
    refuse_many();
    EXPECT_EQ(x.start(), 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank() == 1) refuse_many();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank() == 0) {
    fail_allocation(1);
    EXPECT_EQ(x.wait(), XREDIST_NO_MEMORY);
    EXPECT_TRUE(stop_failing());
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank() == 1) {
    EXPECT_EQ(execute_job(x.job()), XREDIST_PEER_FAILED);
  }
  EXPECT_EQ(execute_job(x.job()), 0);
  EXPECT_EQ(x.wrong(), 0);
}

// Process 0 refuses x and y, and carries out z, whose small message leaves before process 1 waits. Process 1 may hear
// of the second refusal in the course of the third exchange, whose end leaves the second as the only one.
TEST(Withdrawal, IsHeededIfAnotherExchangeHearsOfIt) {
  if (size() == 1) GTEST_SKIP() << "needs 2 processes";
  const WithoutSharedMemory comm;
  Move x(comm, on_1, on_0, 4, 4), y(comm, on_0, on_1, 4, 4), z(comm, on_0, on_1, 4, 4, 9);
  if (rank() == 0) expect_refusal(x);
  if (rank() == 1) {
    const int result = execute_job(x.job());
    EXPECT_TRUE(result == 0 || result == XREDIST_PEER_FAILED) << result;  // its small message may have left at once
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank() == 1) {
    EXPECT_EQ(y.start(), 0);
    EXPECT_EQ(z.start(), 0);
    int done = 0;
    EXPECT_EQ(xredist_test(&z.request, &done), 0);
    EXPECT_EQ(done, 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank() == 0) {
    expect_refusal(y);
    EXPECT_EQ(execute_job(z.job()), 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank() == 1) {
    EXPECT_EQ(z.wait(), 0);
    EXPECT_EQ(z.wrong(), 0);
    EXPECT_EQ(y.wait(), XREDIST_PEER_FAILED);
  }
}

// Process 0 has no memory for 100 exchanges. Messages to it that nobody receives stay under way, but later calls poll
// few of them.
TEST(FailedExchanges, LeaveLaterCallsAsFast) {
  if (size() == 1) GTEST_SKIP() << "needs 2 processes";
  const WithoutSharedMemory comm;
  Exchange x(comm, 3);
  constexpr int tests = 100;
  // Counts the polls of `tests` tests, while the other processes wait for process 0.
  const auto polls_of_tests = [&] {
    const int before = polls;
    if (rank() != 0) {
      EXPECT_EQ(x.start(), 0);
      for (int k = 0; k < tests; ++k) {
        int done = 0;
        EXPECT_EQ(xredist_test(&x.request, &done), 0);
        EXPECT_EQ(done, 0);
      }
    }
    const int count = polls - before;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank() == 0) {
      EXPECT_EQ(x.start(), 0);
    }
    EXPECT_EQ(x.wait(), 0);
    EXPECT_EQ(x.wrong(), 0);
    return count;
  };
  const int before = polls_of_tests();
  for (int k = 0; k < 100; ++k) {
    if (rank() == 0) fail_allocation(1);
    int result = x.start();
    if (rank() == 0) {
      EXPECT_TRUE(stop_failing());
    }
    if (result == 0) result = x.wait();
    EXPECT_EQ(result, code_of(rank() == 0, true));
  }
  x.wrong();  // some elements have arrived
  const int after = polls_of_tests();
  RecordProperty("polls_before", before);
  RecordProperty("polls_after", after);
  EXPECT_LE(after, 3 * before);
  EXPECT_LE(after, 3 * tests);
}

// All processes return one code, and then the plan works as before. With few ways, a call has few allocations.
TEST(Tune, FailsOnAllProcesses) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  EXPECT_EQ(xredist_set_option(comm, "route", "direct"), 0);
  EXPECT_EQ(xredist_set_option(comm, "permits", "0"), 0);
  {
    std::unique_ptr<Exchange> x;
    for (const int victim : victims())
      fail_each(
          victim, [&] { x = std::make_unique<Exchange>(comm, 3, 20); },
          [&] {
            const xredist_job job = x->job();
            return xredist_plan_tune(x->plan, &job);
          },
          [&](bool, bool any, int result) {
            int codes[] = {result, -result};
            MPI_Allreduce(MPI_IN_PLACE, codes, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
            EXPECT_EQ(codes[0], -codes[1]);
            EXPECT_EQ(result, any ? XREDIST_NO_MEMORY : 0);
            if (result == 0) {
              EXPECT_EQ(x->wrong(), 0);
            }
            x->expect_moves();
          });
  }
  MPI_Comm_free(&comm);
}

// On a communicator that is new to the library, making a plan is collective. It fails on all processes, or on those
// that lack memory for their plan, and never hangs. With the option "check" it fails on all processes.
TEST(PlanCreate, FailsInOrder) {
  std::vector<std::int64_t> bounds{0};
  std::vector<int> owners, ranks;
  for (int k = 0; k < size(); ++k) ranks.push_back(k);
  for (; bounds.back() < n; bounds.push_back(std::min(n, bounds.back() + 3)))
    owners.push_back(static_cast<int>(owners.size()) % size());
  const xredist_partition blocks{std::ssize(owners), bounds.data(), owners.data()};
  std::vector<std::int64_t> backwards(static_cast<std::size_t>(n));
  std::iota(backwards.rbegin(), backwards.rend(), 1);
  for (const int victim : victims())
    for (const bool compared : {false, true}) {  // partitions and lists, between the processes
      const xredist_layout rows{size(), 1, 3, 3, 0, 0, ranks.data(), compared ? &blocks : nullptr},
          columns{1, size(), 4, 4};
      MPI_Comm comm = MPI_COMM_NULL;
      xredist_plan* plan = nullptr;
      fail_each(
          victim,
          [&] {
            MPI_Comm_dup(MPI_COMM_WORLD, &comm);
            if (compared) {
              EXPECT_EQ(xredist_set_option(comm, "check", "1"), 0);
            }
          },
          [&] {
            xredist_operation operation{.m = n, .n = n, .bytes = 8};
            if (compared) operation.rows_a = operation.rows_b = backwards.data();
            return create_plan(comm, rows, columns, operation, &plan);
          },
          [&](bool, bool any, int result) {
            EXPECT_TRUE(result == 0 || (any && result == XREDIST_NO_MEMORY)) << result;
            if (compared) {
              EXPECT_EQ(result, any ? XREDIST_NO_MEMORY : 0);
            }
            EXPECT_EQ(plan == nullptr, result != 0);
            Exchange x(comm, 3);
            if (plan != nullptr) std::swap(x.plan, plan);
            x.expect_moves();
            xredist_plan_destroy(std::exchange(plan, nullptr));
            MPI_Comm_free(&comm);
          });
    }
}

// Calls f(comm) on a communicator whose option "check" has each of the values that compare arguments.
template <class F>
void with_each_check(F f) {
  for (const char* check : {"message", "reduction"}) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    EXPECT_EQ(xredist_set_option(comm, "check", check), 0);
    f(comm);
    MPI_Comm_free(&comm);
  }
}

// With the option "check", no process keeps a plan for which another one has no memory.
TEST(Check, PlansOfArraysFailOnAllProcesses) {
  std::array<xredist_axis, 2> rows{}, columns{};
  rows[0].procs = columns[1].procs = size();
  const xredist_array_layout a{.dims = 2, .axes = rows.data()}, b{.dims = 2, .axes = columns.data()};
  const std::array<std::int64_t, 2> shape{20, 30};
  const xredist_array_operation operation{.shape = shape.data(), .type = 'D'};
  with_each_check([&](MPI_Comm comm) {
    xredist_plan* plan = nullptr;
    EXPECT_EQ(xredist_array_plan_create(comm, &a, &b, &operation, &plan), 0);
    for (const int victim : victims())
      fail_each(
          victim, [&] { xredist_plan_destroy(std::exchange(plan, nullptr)); },
          [&] { return xredist_array_plan_create(comm, &a, &b, &operation, &plan); },
          [&](bool, bool any, int result) {
            EXPECT_EQ(result, any ? XREDIST_NO_MEMORY : 0);
            EXPECT_EQ(plan == nullptr, any);
          });
    xredist_plan_destroy(plan);
  });
}

// With rules for nodes, the search for a layout is collective.
TEST(Check, FitsFailOnAllProcesses) {
  const xredist_layout a{size(), 1, 3, 3};
  const xredist_rules rules{.per_node = 1};
  with_each_check([&](MPI_Comm comm) {
    std::vector<int> ranks(static_cast<std::size_t>(size()));
    for (const int victim : victims())
      fail_each(
          victim, [] {},
          [&] {
            xredist_layout b;
            return xredist_fit(comm, 50, 50, &a, &rules, &b, ranks.data());
          },
          [](bool, bool any, int result) { EXPECT_EQ(result, any ? XREDIST_NO_MEMORY : 0); });
  });
}

// Slabs of an array become other slabs, in another order and with gaps. The plan is made where there is memory. An
// execution whose strides find no memory fails on the processes that have not got their data yet, and the next one
// moves the array.
TEST(Arrays, FailInOrder) {
  std::array<xredist_axis, 3> from{}, to{};
  from[2].procs = to[0].procs = size();
  constexpr std::array order{1, 0, 2};
  const std::array<std::int64_t, 3> shape{2 * size(), 3, size()}, strides{5, 1, 10};
  const xredist_array_layout a{.dims = 3, .axes = from.data()}, b{.dims = 3, .axes = to.data(), .order = order.data()};
  const xredist_array_operation operation{.shape = shape.data(), .type = 'D'};
  std::vector<double> x(static_cast<std::size_t>(6 * size())), y(static_cast<std::size_t>(10 * size()));
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = static_cast<double>(k) + 1000.0 * rank();
  xredist_plan* plan = nullptr;
  const auto job = [&] { return xredist_job{.plan = plan, .a = x.data(), .b = y.data(), .strides_b = strides.data()}; };
  const auto expect_moved = [&] {
    for (std::size_t z = 0; z < static_cast<std::size_t>(size()); ++z)
      for (std::size_t k = 0; k < 6; ++k)  // column k / 3 of this process, row k % 3
        EXPECT_EQ(y[10 * z + 5 * (k / 3) + k % 3],
                  1000.0 * static_cast<double>(z) + 2 * rank() +
                      static_cast<double>(k / 3 + k % 3 * static_cast<std::size_t>(shape[0])));
  };
  const auto expect_moves = [&] {
    std::ranges::fill(y, -1);
    EXPECT_EQ(execute_job(job()), 0);
    expect_moved();
  };
  for (const int victim : victims()) {
    fail_each(
        victim, [&] { xredist_plan_destroy(std::exchange(plan, nullptr)); },
        [&] { return xredist_array_plan_create(MPI_COMM_WORLD, &a, &b, &operation, &plan); },
        [&](bool here, bool, int result) {
          EXPECT_EQ(result, here ? XREDIST_NO_MEMORY : 0);
          EXPECT_EQ(plan == nullptr, result != 0);
          if (plan == nullptr) xredist_array_plan_create(MPI_COMM_WORLD, &a, &b, &operation, &plan);
          expect_moves();
        });
    xredist_request* request = nullptr;
    fail_each(
        victim, [&] { std::ranges::fill(y, -1); }, [&] { return start_job(job(), &request); },
        [&](bool here, bool any, int result) {
          const int code = result != 0 ? result : xredist_wait(&request);
          if (code == 0) expect_moved();  // the short messages of the victim had arrived before it failed
          EXPECT_TRUE(code == code_of(here, any) || (code == 0 && !here)) << code;
          expect_moves();
        });
  }
  xredist_plan_destroy(plan);
}

// The first exchange of a process allocates all that later ones use again. XREDIST_TEST_ALLOCATION is the number of the
// allocation that fails.
TEST(First, ExchangeFailsAlone) {
  const int k = number_in_environment("XREDIST_TEST_ALLOCATION", 0);
  if (k == 0) GTEST_SKIP() << "XREDIST_TEST_ALLOCATION is not set";
  Exchange x(MPI_COMM_WORLD, 3);
  if (rank() == 0) fail_allocation(k);
  int result = x.start();
  if (result == 0) result = x.wait();
  stop_failing();
  EXPECT_TRUE(result == XREDIST_NO_MEMORY || result == 0 || result == XREDIST_PEER_FAILED) << result;
  x.expect_moves();
}

// Communicators come and go; a failure on one is not reported on the next.
TEST(Disagreement, StaysOnItsCommunicator) {
  if (size() == 1) GTEST_SKIP() << "needs 2 processes";
  for (int round = 0; round < 60 && !anywhere(HasFailure()); ++round) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    const int result = execute_job(Exchange(comm, 4, rank() == round % size() ? n - 8 : n).job());
    // 0: a process may have received everything before it hears of the disagreement.
    EXPECT_TRUE(result == XREDIST_DISAGREEMENT || result == 0) << result;
    EXPECT_TRUE(anywhere(result == XREDIST_DISAGREEMENT));
    MPI_Comm_free(&comm);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    Exchange(comm, 3).expect_moves();
    MPI_Comm_free(&comm);
  }
}

// Processes pass different sizes: all processes that wait return XREDIST_DISAGREEMENT, also from later exchanges on
// this communicator. Exchanges on other communicators succeed.
TEST(Disagreement, EndsOneCommunicator) {
  if (size() == 1) GTEST_SKIP() << "needs 2 processes";
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  {
    Exchange other(MPI_COMM_WORLD, 3), x(comm, 4, rank() == 0 ? n - 8 : n);
    for (int repeat = 0; repeat < 2; ++repeat) EXPECT_EQ(execute_job(x.job()), XREDIST_DISAGREEMENT);
    other.expect_moves();
  }
  MPI_Comm_free(&comm);
}

}  // namespace
}  // namespace xredist::testing
