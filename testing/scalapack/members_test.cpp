// SPDX-License-Identifier: BSD-3-Clause
// Waits for single members of a batch, which are complete when the wait returns, before the whole batch has ended.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "matrix.hpp"
#include "plans.hpp"
#include "ranks.hpp"
#include "xredist/blacs.h"

namespace xredist::testing {
namespace {

GridShape row() { return row_major(1, size()); }
GridShape column() { return row_major(size(), 1); }

// A matrix that moves, and its elements.
struct Member {
  Matrix from, to;
  char uplo;
  double first;
  xredist_plan* plan = nullptr;

  Member(const GridShape& a, const GridShape& b, const Context& all, xredist_int n, char which, double value,
         xredist_int block = 5)
      : from(a, n, 3), to(b, n, block), uplo(which), first(value) {
    from.fill(first);
    EXPECT_EQ(create_plan(all.handle(), from.desc, to.desc, {.m = n, .n = n, .type = 'D', .uplo = uplo}, &plan), 0);
  }
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;
  ~Member() { xredist_plan_destroy(plan); }

  bool arrived() { return to.wrong(first, uplo) == 0; }
};

struct Members : std::vector<std::unique_ptr<Member>> {
  template <class... Arguments>
  void add(Arguments&&... arguments) {
    push_back(std::make_unique<Member>(std::forward<Arguments>(arguments)...));
  }
};

xredist_request* start(const Members& members) {
  std::vector<xredist_job> jobs;
  for (const auto& member : members)
    jobs.push_back({.plan = member->plan, .a = member->from.data.data(), .b = member->to.data.data()});
  xredist_request* request = nullptr;
  EXPECT_EQ(xredist_start(static_cast<int>(jobs.size()), jobs.data(), &request), 0);
  return request;
}

// Waits for a member. The program owns the arrays of a complete member: it overwrites A, and overwrites B after
// checking it.
void expect_arrived(xredist_request* request, Members& members, int number) {
  ASSERT_EQ(xredist_wait_member(request, number), 0);
  Member& member = *members[static_cast<std::size_t>(number)];
  EXPECT_TRUE(member.arrived()) << "member " << number;
  std::ranges::fill(member.from.data, -7.0);
  std::ranges::fill(member.to.data, -5.0);
}

// Messages without elements, as signals outside of the library.
void tell(int process, int tag) { MPI_Send(nullptr, 0, MPI_INT, process, tag, MPI_COMM_WORLD); }
void hear_from(int first, int end, int tag) {
  for (int other = first; other < end; ++other)
    MPI_Recv(nullptr, 0, MPI_INT, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void expect_untouched(const Members& members) {
  for (const auto& member : members)
    EXPECT_TRUE(std::ranges::all_of(member->to.data, [](double x) { return x == -5.0; })) << member->first;
}

class Order : public ::testing::TestWithParam<std::array<int, 4>> {};

TEST_P(Order, OfWaitingIsFree) {
  const Context all(row());
  Members members;
  members.add(row(), column(), all, 700, 'A', 1e6);
  members.add(column(), row(), all, 500, 'U', 2e6);
  members.add(row(), column(), all, 20, 'A', 3e6);
  members.add(row_major(1, 1, size() - 1), column(), all, 600, 'L', 4e6);
  for (const bool by_test : {false, true}) {
    for (const auto& member : members) {
      member->from.fill(member->first);
      std::ranges::fill(member->to.data, -1.0);
    }
    xredist_request* request = start(members);
    for (const int k : GetParam()) {
      int done = 0;
      while (by_test && done == 0) ASSERT_EQ(xredist_test_member(request, k, &done), 0);
      expect_arrived(request, members, k);
      ASSERT_EQ(xredist_test_member(request, k, &done), 0);
      EXPECT_EQ(done, 1);
    }
    ASSERT_EQ(xredist_wait(&request), 0);
    expect_untouched(members);
  }
}
INSTANTIATE_TEST_SUITE_P(Any, Order,
                         ::testing::Values(std::array{0, 1, 2, 3}, std::array{3, 2, 1, 0}, std::array{1, 3, 0, 2},
                                           std::array{2, 0, 3, 1}));

// Only its group knows a target, and changes its matrices while others travel.
TEST(Groups, OneSourceToEach) {
  const Context all(row());
  const int groups = std::min(size(), 3);
  Members members;
  std::vector<bool> mine;
  for (int k = 0; k < 2 * groups; ++k) {
    const int first = k % groups * size() / groups, count = (k % groups + 1) * size() / groups - first;
    const GridShape group = k < groups ? row_major(count, 1, first) : row_major(1, count, first);
    members.add(row(), group, all, 300 + 40 * k, "AUL"[k % 3], 1e6 * (k + 1));
    mine.push_back(members.back()->to.grid.member());
  }
  xredist_request* request = start(members);
  for (int k = 0; k < 2 * groups; ++k) {
    if (!mine[static_cast<std::size_t>(k)]) continue;
    expect_arrived(request, members, k);
  }
  ASSERT_EQ(xredist_wait(&request), 0);
  expect_untouched(members);
}

// Elements that stay on a process are also complete when the wait returns.
TEST(Groups, EachToOneTarget) {
  const Context all(row());
  Members members;
  for (int k = 0; k < size(); ++k) members.add(row_major(1, 1, k), column(), all, 200, k % 2 == 0 ? 'A' : 'U', 1e5 * k);
  members.add(row(), row(), all, 600, 'A', 1e7, 3);
  xredist_request* request = start(members);
  for (int k = size(); k >= 0; --k) expect_arrived(request, members, k);
  ASSERT_EQ(xredist_wait(&request), 0);
  expect_untouched(members);
}

// The last process starts the batch only when the others have the first member, in which it has no part. Messages in
// two hops would wait for it.
TEST(Members, AreDoneBeforeLaterOnes) {
  if (size() < 2) GTEST_SKIP() << "needs 2 processes";
  const Context all(row());
  ASSERT_EQ(xredist_set_option_blacs(all.handle(), "route", "direct"), 0);
  const int last = size() - 1;
  for (const xredist_int n : {30, 900}) {
    Members members;
    members.add(row_major(1, last), row_major(last, 1), all, n, 'A', 1e6);
    members.add(row_major(1, 1, last), column(), all, 900, 'A', 2e6);
    if (rank() == last) hear_from(0, last, 1);
    xredist_request* request = start(members);
    ASSERT_EQ(xredist_wait_member(request, 0), 0);  // of the last process at once
    EXPECT_TRUE(members[0]->arrived());
    if (rank() != last) {
      int done = 1;
      EXPECT_EQ(xredist_test_member(request, 1, &done), 0);
      EXPECT_EQ(done, 0);
      EXPECT_EQ(xredist_test(&request, &done), 0);
      EXPECT_EQ(done, 0);
      tell(last, 1);
    }
    ASSERT_EQ(xredist_wait_member(request, 1), 0);
    EXPECT_TRUE(members[1]->arrived());
    ASSERT_EQ(xredist_wait(&request), 0);
  }
}

// A group that works on its matrix outside of the library has sent the elements that other groups need.
void expect_sent(xredist_int n, const char* buffer) {
  const Context all(row());
  ASSERT_EQ(xredist_set_option_blacs(all.handle(), "route", "direct"), 0);
  ASSERT_EQ(xredist_set_option_blacs(all.handle(), "buffer", buffer), 0);
  const int half = size() / 2;
  Members members;
  members.add(row(), row_major(half, 1), all, n, 'A', 1e6);
  members.add(row(), row_major(size() - half, 1, half), all, n, 'A', 2e6);
  xredist_request* request = start(members);
  const int group = rank() < half ? 0 : 1;
  expect_arrived(request, members, group);
  if (group == 0)
    hear_from(half, size(), 2);
  else
    for (int other = 0; other < half; ++other) tell(other, 2);
  ASSERT_EQ(xredist_wait(&request), 0);
  EXPECT_TRUE(
      std::ranges::all_of(members[static_cast<std::size_t>(group)]->to.data, [](double x) { return x == -5.0; }));
}

// With the smallest buffer four loads are under way at a time, and MPI has the others.
TEST(Members, AreOnTheirWayBeforeWorkBegins) {
  if (size() < 2) GTEST_SKIP() << "needs 2 processes";
  expect_sent(100, "64M");
  for (const xredist_int n : {8, 20, 60}) expect_sent(n, "1M");
}

// The second group starts the batch when the first one has its matrix, and takes its own while the first one works
// outside of the library. There are more loads for it than may be under way at a time with this buffer.
TEST(Members, AreHandedOverToALateGroup) {
  if (size() < 8) GTEST_SKIP() << "needs 8 processes";
  const Context all(row());
  ASSERT_EQ(xredist_set_option_blacs(all.handle(), "route", "direct"), 0);
  ASSERT_EQ(xredist_set_option_blacs(all.handle(), "buffer", "1M"), 0);
  Members members;
  members.add(row_major(1, 2), row_major(2, 1), all, 100, 'A', 1e6);
  members.add(row_major(1, 2), row_major(size() - 2, 1, 2), all, 100, 'A', 2e6);
  if (rank() < 2) {
    xredist_request* request = start(members);
    expect_arrived(request, members, 0);
    for (int other = 2; other < size(); ++other) tell(other, 1);
    hear_from(2, size(), 2);
    ASSERT_EQ(xredist_wait(&request), 0);
  } else {
    hear_from(0, 2, 1);
    xredist_request* request = start(members);
    ASSERT_EQ(xredist_wait_member(request, 1), 0);
    EXPECT_TRUE(members[1]->arrived());
    for (const int other : {0, 1}) tell(other, 2);
    ASSERT_EQ(xredist_wait(&request), 0);
  }
}

TEST(Members, WrongArgumentsAreNamed) {
  const Context all(row());
  Members members;
  for (int k = 0; k < 2; ++k) members.add(row(), column(), all, 40, 'A', 1e6 * k);
  xredist_request* request = start(members);
  int done = 0;
  for (const int wrong : {-1, 2}) {
    const std::string sentence =
        "invalid: member is " + std::to_string(wrong) + ", must be in 0 .. 1, the jobs of the batch";
    EXPECT_EQ(outcome(xredist_wait_member(request, wrong)), sentence);
    EXPECT_EQ(outcome(xredist_test_member(request, wrong, &done)), sentence);
  }
  EXPECT_EQ(outcome(xredist_test_member(request, 0, nullptr)), "invalid: done is NULL");
  EXPECT_EQ(xredist_wait(&request), 0);
  EXPECT_EQ(xredist_wait_member(request, 1), 0) << "a request that has ended";
  EXPECT_EQ(xredist_test_member(nullptr, 0, &done), 0);
  EXPECT_EQ(done, 1);
  EXPECT_EQ(outcome(xredist_wait_member(nullptr, -1)),
            "invalid: member is -1, must be in 0 .. 0, the jobs of the batch");
}

}  // namespace
}  // namespace xredist::testing
