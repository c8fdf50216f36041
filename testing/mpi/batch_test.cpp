// SPDX-License-Identifier: BSD-3-Clause
// Batches: one message for a pair of processes; a process with a part in some of the plans only; plans that were made
// under different options.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "move.hpp"

namespace {
int messages = 0;
}

// Takes the place of MPI's own function, to count what the library sends.
extern "C" [[gnu::visibility("default")]] int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag,
                                                        MPI_Comm comm, MPI_Request* request) {
  ++messages;
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

namespace xredist::testing {
namespace {

// All processes in one column, or in one row.
xredist_layout in_rows(const std::vector<int>& ranks, std::int64_t block) {
  return {static_cast<int>(ranks.size()), 1, block, block, 0, 0, ranks.data()};
}
xredist_layout in_columns(const std::vector<int>& ranks, std::int64_t block) {
  return {1, static_cast<int>(ranks.size()), block, block, 0, 0, ranks.data()};
}

void set(const char* name, const std::string& value) {
  ASSERT_EQ(xredist_set_option(MPI_COMM_WORLD, name, value.c_str()), 0) << name;
}

void move_together(const std::vector<Move*>& moves) {
  std::vector<xredist_job> jobs;
  for (Move* move : moves) jobs.push_back(move->job());
  xredist_request* request = nullptr;
  ASSERT_EQ(xredist_start(static_cast<int>(jobs.size()), jobs.data(), &request), 0);
  ASSERT_EQ(xredist_wait(&request), 0);
  for (Move* move : moves) EXPECT_EQ(move->wrong(), 0);
}

std::vector<int> ranks(int first, int count) {
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), first);
  return all;
}

TEST(Batch, OneMessageForAPairOfProcesses) {
  const std::vector<int> all = ranks(0, size());
  set("route", "direct");
  Move x(MPI_COMM_WORLD, in_rows(all, 2), in_columns(all, 3), 24, 12),
      y(MPI_COMM_WORLD, in_rows(all, 1), in_columns(all, 1), 12, 24);
  const int before = messages;
  move_together({&x, &y});
  EXPECT_EQ(messages - before, size() - 1);
  set("route", "by-cost");
}

class PartsOfSomePlans : public ::testing::TestWithParam<const char*> {};

// The second plan cuts messages into parts, and the last process takes no part in the first plan. It must join parts
// of the second plan into loads all the same, because its senders do.
TEST_P(PartsOfSomePlans, AreJoinedAlike) {
  if (size() < 3) GTEST_SKIP() << "needs 3 processes";
  set("algorithm", GetParam());
  set("beta", "1000");
  const std::vector<int> all = ranks(0, size()), fewer = ranks(0, size() - 1);
  std::vector<int> backwards = ranks(1, size() - 1);
  std::ranges::reverse(backwards);
  Move first(MPI_COMM_WORLD, in_rows(fewer, 2), in_columns(fewer, 2), 12, 12);
  for (const int rows : {800, 400}) {
    Move second(MPI_COMM_WORLD, in_rows(all, 3000 / size()), in_rows(backwards, 4), rows, 64);
    Move third(MPI_COMM_WORLD, in_rows(all, 2), in_rows(all, 4), rows, 64);
    move_together({&first, &second});
    move_together({&third, &first});
    move_together({&second, &third, &first});
  }
  set("algorithm", "default");
  set("beta", "100");
}
INSTANTIATE_TEST_SUITE_P(By, PartsOfSomePlans, ::testing::Values("default", "split", "quantised", "rank"));

TEST(Batch, OfPlansUnderDifferentOptions) {
  const std::vector<int> all = ranks(0, size());
  const std::vector<std::pair<const char*, std::vector<std::string>>> changes = {{"shared", {"0", "1"}},
                                                                                 {"shared", {"1", "0"}},
                                                                                 {"buffer", {"16M", "1M"}},
                                                                                 {"buffer", {"1M", "64M"}},
                                                                                 {"permits", {"2", "0"}}};
  for (const auto& [name, values] : changes)
    for (const int others : {0, 1}) {  // processes without a part in the first plan
      if (size() <= others) continue;
      set(name, values[0]);
      const std::vector<int> some = ranks(0, size() - others);
      Move first(MPI_COMM_WORLD, in_rows(some, 2), in_columns(some, 2), 900, 700);
      set(name, values[1]);
      Move second(MPI_COMM_WORLD, in_rows(all, 3), in_columns(all, 3), 900, 700);
      move_together({&first, &second});
      move_together({&second, &first});
    }
  set("shared", "1");
  set("buffer", "16M");
  set("permits", "1");
}

TEST(Batch, WithAnEmptyPlan) {
  const std::vector<int> all = ranks(0, size());
  Move some(MPI_COMM_WORLD, in_rows(all, 2), in_columns(all, 3), 300, 200);
  Move nothing(MPI_COMM_WORLD, in_rows(all, 2), in_columns(all, 3), 0, 200);
  move_together({&nothing, &some});
  move_together({&some, &nothing});
}

}  // namespace
}  // namespace xredist::testing
