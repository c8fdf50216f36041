// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/workspace_pool.hpp"

#include <gtest/gtest.h>

#include "allocations.hpp"
#include "simulation.hpp"
#include "work.hpp"

namespace xredist::core {
namespace {

BufferSize of_bytes(Index bytes) { return {1, 1, bytes - 2}; }

// Keeps workspaces of these sizes.
void fill(WorkspacePool& pool, const std::vector<Index>& sizes) {
  std::vector<WorkspacePool::Lease> leases;
  for (const Index bytes : sizes) {
    leases.push_back(pool.take(bytes));
    leases.back().mapped().reserve(of_bytes(bytes));
  }
  for (auto& lease : leases) pool.keep(std::move(lease));
}

TEST(WorkspacePool, HasTheSmallestThatIsLargeEnough) {
  WorkspacePool pool;
  fill(pool, {300, 100, 200});
  const auto middle = pool.take(150), large = pool.take(150), small = pool.take(150);
  EXPECT_EQ(middle.mapped().capacity(), 200);
  EXPECT_EQ(large.mapped().capacity(), 300);
  EXPECT_EQ(small.mapped().capacity(), 100);
  EXPECT_EQ(pool.idle(), 0);
  EXPECT_EQ(pool.take(10).mapped().capacity(), 0) << "a new one";
}

TEST(WorkspacePool, HasTheLargestIfNoneIsLargeEnough) {
  WorkspacePool pool;
  fill(pool, {100, 300, 200});
  EXPECT_EQ(pool.take(1000).mapped().capacity(), 300);
}

TEST(WorkspacePool, HasTheLastUsedOfEqualOnes) {
  WorkspacePool pool;
  fill(pool, {100, 100, 500});
  auto first = pool.take(100), second = pool.take(100);
  const Workspace* const last = &second.mapped();
  pool.keep(std::move(first));
  pool.keep(std::move(second));
  EXPECT_EQ(&pool.take(50).mapped(), last);
}

TEST(WorkspacePool, ReservesOnce) {
  WorkspacePool pool;
  pool.reserve(of_bytes(1000));
  const long before = testing::allocations();
  pool.reserve(of_bytes(900));
  auto space = pool.take(1000);
  space.mapped().reserve(of_bytes(1000));
  pool.keep(std::move(space));
  EXPECT_EQ(testing::allocations(), before);
  EXPECT_EQ(pool.idle(), 1);
}

TEST(WorkspacePool, KeepsTheWorkspaceIfMemoryIsMissing) {
  WorkspacePool pool;
  fill(pool, {100});
  testing::fail_allocation(1);
  EXPECT_THROW(pool.reserve(of_bytes(1000)), OutOfMemory);
  EXPECT_TRUE(testing::stop_failing());
  EXPECT_EQ(pool.idle(), 1);
}

// A workspace with a request under way is idle when the request is complete.
TEST(WorkspacePool, DrainsOneWorkspaceACall) {
  testing::Simulation simulation(2, 1, {.eager = 0, .delivered = 1});
  const MPI_Comm comm = simulation.communicator();
  EXPECT_TRUE(simulation.run([&](int rank) {
    constexpr int count = 3;
    int number = 0;
    if (rank == 1) {
      for (int k = 0; k < 10; ++k) testing::yield();
      for (int k = 0; k < count; ++k) {
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Irecv(&number, 1, MPI_INT, 0, 5, comm, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
      }
      return;
    }
    WorkspacePool pool;
    std::vector<WorkspacePool::Lease> leases;
    for (int k = 0; k < count; ++k) {
      Requests& requests = leases.emplace_back(pool.take(0)).mapped().requests;
      requests.reset(1);
      MPI_Isend(&number, 1, MPI_INT, 1, 5, comm, requests.next(Requests::departure, 0));
    }
    for (auto& lease : leases) pool.keep(std::move(lease));
    pool.drain();
    EXPECT_EQ(pool.draining(), count);
    for (int turn = 0; turn < 200; ++turn) testing::yield();
    for (std::size_t left = count; left-- > 0;) {
      pool.drain();
      EXPECT_EQ(pool.draining(), left);
    }
    EXPECT_EQ(pool.idle(), count);
  }));
}

// Returns the work of taking a workspace out of many, and of keeping it.
long work_with(std::size_t workspaces) {
  WorkspacePool pool;
  fill(pool, std::vector<Index>(workspaces, 100));
  const long work = testing::work_of([&] { pool.keep(pool.take(100)); });
  EXPECT_EQ(pool.idle(), workspaces);
  return work;
}

// An execution takes hardly longer after many exchanges were under way at once.
TEST(WorkspacePool, SearchesFewOfManyWorkspaces) {
  const long few = work_with(100);
  EXPECT_GT(few, 0);
  EXPECT_LT(work_with(100'000), 4 * few);
}

}  // namespace
}  // namespace xredist::core
