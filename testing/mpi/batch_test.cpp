// SPDX-License-Identifier: BSD-3-Clause
// A batch has one message for a pair of processes, and none in shared memory. stress_test has batches of all options.
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdlib>
#include <string_view>

#include "move.hpp"

namespace {
int messages = 0;
}

// Take the place of MPI's own functions, to count what the library sends. Every 64th exchange with a peer is sent
// synchronously.
extern "C" [[gnu::visibility("default")]] int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag,
                                                        MPI_Comm comm, MPI_Request* request) {
  ++messages;
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}
extern "C" [[gnu::visibility("default")]] int MPI_Issend(const void* data, int count, MPI_Datatype type, int to,
                                                         int tag, MPI_Comm comm, MPI_Request* request) {
  ++messages;
  return PMPI_Issend(data, count, type, to, tag, comm, request);
}

namespace xredist::testing {
namespace {

TEST(Batch, OneMessageForAPairOfProcesses) {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  ASSERT_EQ(xredist_set_option(comm, "route", "direct"), 0);
  ASSERT_EQ(xredist_set_option(comm, "shared", "0"), 0);
  Move x(comm, {size(), 1, 2, 2}, {1, size(), 3, 3}, 24, 12), y(comm, {size(), 1, 1, 1}, {1, size(), 1, 1}, 12, 24);
  const xredist_job jobs[] = {x.job(), y.job()};
  xredist_request* request = nullptr;
  const int before = messages;
  ASSERT_EQ(xredist_start(2, jobs, &request), 0);
  ASSERT_EQ(xredist_wait(&request), 0);
  EXPECT_EQ(messages - before, size() - 1);
  EXPECT_EQ(x.wrong(), 0);
  EXPECT_EQ(y.wrong(), 0);
  MPI_Comm_free(&comm);
}

// Short packets and long ones.
TEST(Batch, NoMessageInSharedMemory) {
  const char* const shared = std::getenv("XREDIST_SHARED");
  if (shared != nullptr && std::string_view(shared) == "0") GTEST_SKIP() << "without shared memory";
  for (const char* const route : {"direct", "two-hop"})
    for (const int n : {240, 3 * size()}) {
      const int block = (n + size() - 1) / size();
      ASSERT_EQ(xredist_set_option(MPI_COMM_WORLD, "route", route), 0);
      Move x(MPI_COMM_WORLD, {size(), 1, block, n}, {1, size(), n, block}, n, n);
      const int before = messages;
      for (int k = 0; k < 70; ++k) ASSERT_EQ(execute_job(x.job()), 0);
      EXPECT_EQ(messages - before, 0) << route;
      EXPECT_EQ(x.wrong(), 0);
    }
  ASSERT_EQ(xredist_set_option(MPI_COMM_WORLD, "route", "by-cost"), 0);
}

}  // namespace
}  // namespace xredist::testing
