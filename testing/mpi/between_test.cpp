// SPDX-License-Identifier: BSD-3-Clause
// Calls of the library between start and wait: some processes make them before they wait, others after.
#include <gtest/gtest.h>
#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

#include "move.hpp"

namespace xredist::testing {
namespace {

// From blocks of rows to blocks of columns on all processes of a communicator; large enough that start cannot complete
// it.
std::unique_ptr<Move> large(MPI_Comm comm, std::int64_t n = 1500) {
  int processes;
  MPI_Comm_size(comm, &processes);
  const xredist_layout rows{processes, 1, 3, 3}, columns{1, processes, 5, 5};
  return std::make_unique<Move>(comm, rows, columns, n, n);
}

MPI_Comm duplicate() {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  return comm;
}

// Returns a communicator of some processes, or MPI_COMM_NULL on the others.
MPI_Comm group_of(bool member) {
  MPI_Comm comm;
  MPI_Comm_split(MPI_COMM_WORLD, member ? 0 : MPI_UNDEFINED, rank(), &comm);
  return comm;
}

void expect_moves(Move& x) {
  EXPECT_EQ(x.start(), 0);
  EXPECT_EQ(x.wait(), 0);
  EXPECT_EQ(x.wrong(), 0);
}

// Process 0 does what comes between before it waits, the others after.
template <class Between>
void between(MPI_Comm comm, Between what) {
  const auto x = large(comm);
  ASSERT_EQ(x->start(), 0);
  if (rank() != 0) {
    EXPECT_EQ(x->wait(), 0);
  }
  what();
  EXPECT_EQ(x->wait(), 0);
  EXPECT_EQ(x->wrong(), 0);
}

TEST(Between, StartAndWaitOptionsOfAnotherCommunicator) {
  MPI_Comm other = duplicate();
  between(MPI_COMM_WORLD, [&] { EXPECT_EQ(xredist_set_option(other, "buffer", "2M"), 0); });
  MPI_Comm_free(&other);
}

TEST(Between, StartAndWaitAgreements) {
  between(MPI_COMM_WORLD, [] { EXPECT_EQ(xredist_agree(MPI_COMM_WORLD, XREDIST_SUCCESS), 0); });
}

TEST(Between, StartAndWaitRequestsOfMpi) {
  between(MPI_COMM_WORLD, [] {
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    EXPECT_EQ(xredist_wait_mpi(&request), 0);
    EXPECT_EQ(request, MPI_REQUEST_NULL);
  });
}

TEST(Between, StartAndWaitTheCommunicatorMayBeFreed) {
  MPI_Comm other = duplicate();
  between(other, [&] { MPI_Comm_free(&other); });
}

// An exchange of all processes is under way. Two of them plan and move matrices between themselves, while the others
// are outside of the library, so that the first exchange cannot be completed before.
TEST(Between, StartAndWaitOthersMayBeElsewhere) {
  if (size() < 3) GTEST_SKIP() << "needs 3 processes";
  const auto x = large(MPI_COMM_WORLD);
  Move known(MPI_COMM_WORLD, {2, 1, 3, 3}, {1, 2, 5, 5}, 900, 900);
  MPI_Comm pair = group_of(rank() < 2);
  ASSERT_EQ(x->start(), 0);
  if (rank() < 2) {
    expect_moves(known);
    const auto y = large(pair, 900);
    expect_moves(*y);
    ASSERT_EQ(y->start(), 0);
    for (int done = 0; !done;) ASSERT_EQ(xredist_test(&y->request, &done), 0);
    EXPECT_EQ(y->wrong(), 0);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_EQ(x->wait(), 0);
  EXPECT_EQ(x->wrong(), 0);
  if (pair != MPI_COMM_NULL) MPI_Comm_free(&pair);
}

// Process 1 starts an exchange with process 2, which is outside of the library, then several with process 0, and waits
// for the last of these. However it waits, it has to begin the others too, because process 0 waits for the first.
class Behind : public ::testing::TestWithParam<const char*> {};

TEST_P(Behind, OneThatIsElsewhere) {
  if (size() < 3) GTEST_SKIP() << "needs 3 processes";
  const std::string how = GetParam();
  MPI_Comm low = group_of(rank() < 2), high = group_of(rank() == 1 || rank() == 2), other = group_of(rank() < 2);
  std::vector<std::unique_ptr<Move>> moves;
  if (high != MPI_COMM_NULL) moves.push_back(large(high, 900));
  const std::size_t first = moves.size();
  for (int k = 0; k < 6 && low != MPI_COMM_NULL; ++k) moves.push_back(large(low, 900));
  for (const auto& move : moves) ASSERT_EQ(move->start(), 0);
  if (low != MPI_COMM_NULL) {
    Move& last = *moves.back();
    if (rank() == 0) {
      EXPECT_EQ(moves[first]->wait(), 0);
    }
    if (how == "wait") {
      EXPECT_EQ(last.wait(), 0);
    }
    for (int done = how != "test"; !done;) ASSERT_EQ(xredist_test(&last.request, &done), 0);
    if (how == "plan") large(other);
    if (how == "free") MPI_Comm_free(&low);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  for (const auto& move : moves) {
    EXPECT_EQ(move->wait(), 0);
    EXPECT_EQ(move->wrong(), 0);
  }
  for (MPI_Comm* comm : {&low, &high, &other})
    if (*comm != MPI_COMM_NULL) MPI_Comm_free(comm);
}
INSTANTIATE_TEST_SUITE_P(In, Behind, ::testing::Values("wait", "test", "plan", "free"));

}  // namespace
}  // namespace xredist::testing
