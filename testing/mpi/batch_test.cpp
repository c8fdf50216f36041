// SPDX-License-Identifier: BSD-3-Clause
// Batches: one message for a pair of processes; a process with a part in some of the plans only; plans that were made
// under different options.
#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "layout/axis.hpp"
#include "plans.hpp"
#include "ranks.hpp"
#include "xredist/xredist.h"

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

using namespace core;
namespace {

// An m x n matrix on its way between grids of any processes, each in one row or one column.
struct Move {
  Index m, n;
  std::vector<int> from_ranks, to_ranks;
  xredist_layout from, to;
  xredist_plan* plan = nullptr;
  std::vector<double> a, b, expected;
  std::int64_t lda = 1, ldb = 1;

  // Rows in blocks of `block_a` to rows in blocks of `block_b`, or to columns.
  Move(Index rows, Index cols, std::vector<int> senders, Index block_a, std::vector<int> receivers, Index block_b,
       bool to_columns)
      : m(rows),
        n(cols),
        from_ranks(std::move(senders)),
        to_ranks(std::move(receivers)),
        from{static_cast<int>(from_ranks.size()), 1, block_a, cols, 0, 0, from_ranks.data()},
        to{1, 1, block_b, block_b, 0, 0, to_ranks.data()} {
    (to_columns ? to.npcol : to.nprow) = static_cast<int>(to_ranks.size());
    a = part(from, from_ranks, lda);
    expected = part(to, to_ranks, ldb);
    b.assign(expected.size(), -1.0);
    EXPECT_EQ(create_plan(MPI_COMM_WORLD, from, to, {.m = m, .n = n, .bytes = 8}, &plan), 0);
  }
  Move(const Move&) = delete;
  Move& operator=(const Move&) = delete;
  ~Move() { xredist_plan_destroy(plan); }

  std::vector<double> part(const xredist_layout& x, const std::vector<int>& ranks, std::int64_t& ld) const {
    const auto place = std::ranges::find(ranks, rank()) - ranks.begin();
    std::vector<double> values;
    if (place == std::ssize(ranks)) return values;
    const Axis row{x.mb, x.nprow, 0, 0}, col{x.nb, x.npcol, 0, 0};
    const Index my_row = place / x.npcol, my_col = place % x.npcol;
    ld = std::max<Index>(1, local_count(row, my_row, m));
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < m; ++i)
        if (owner(row, i) == my_row && owner(col, j) == my_col) values.push_back(static_cast<double>(m * j + i + 1));
    return values;
  }
};

void set(const char* name, const std::string& value) {
  ASSERT_EQ(xredist_set_option(MPI_COMM_WORLD, name, value.c_str()), 0) << name;
}

void move_together(std::vector<Move*> moves) {
  std::vector<xredist_job> jobs;
  for (Move* move : moves) jobs.push_back({move->plan, move->a.data(), move->lda, move->b.data(), move->ldb});
  xredist_request* request = nullptr;
  ASSERT_EQ(xredist_start(static_cast<int>(jobs.size()), jobs.data(), &request), 0);
  ASSERT_EQ(xredist_wait(&request), 0);
  for (const Move* move : moves) EXPECT_EQ(move->b, move->expected);
}

std::vector<int> ranks(int first, int count) {
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), first);
  return all;
}

TEST(Batch, OneMessageForAPairOfProcesses) {
  set("route", "direct");
  Move x(24, 12, ranks(0, size()), 2, ranks(0, size()), 3, true),
      y(12, 24, ranks(0, size()), 1, ranks(0, size()), 1, true);
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
  std::vector<int> backwards = ranks(1, size() - 1);
  std::ranges::reverse(backwards);
  Move first(12, 12, ranks(0, size() - 1), 2, ranks(0, size() - 1), 2, true);
  for (const Index rows : {800, 400}) {
    Move second(rows, 64, ranks(0, size()), 3000 / size(), backwards, 4, false);
    Move third(rows, 64, ranks(0, size()), 2, ranks(0, size()), 4, false);
    move_together({&first, &second});
    move_together({&third, &first});
    move_together({&second, &third, &first});
  }
  set("algorithm", "default");
  set("beta", "100");
}
INSTANTIATE_TEST_SUITE_P(By, PartsOfSomePlans, ::testing::Values("default", "split", "quantised", "rank"));

TEST(Batch, OfPlansUnderDifferentOptions) {
  const std::vector<std::pair<const char*, std::vector<std::string>>> changes = {{"shared", {"0", "1"}},
                                                                                 {"shared", {"1", "0"}},
                                                                                 {"buffer", {"16M", "1M"}},
                                                                                 {"buffer", {"1M", "64M"}},
                                                                                 {"permits", {"2", "0"}}};
  for (const auto& [name, values] : changes)
    for (const int others : {0, 1}) {  // processes without a part in the first plan
      if (size() <= others) continue;
      set(name, values[0]);
      Move first(900, 700, ranks(0, size() - others), 2, ranks(0, size() - others), 2, true);
      set(name, values[1]);
      Move second(900, 700, ranks(0, size()), 3, ranks(0, size()), 3, true);
      move_together({&first, &second});
      move_together({&second, &first});
    }
  set("shared", "1");
  set("buffer", "16M");
  set("permits", "1");
}

TEST(Batch, WithAnEmptyPlan) {
  Move some(300, 200, ranks(0, size()), 2, ranks(0, size()), 3, true);
  Move nothing(0, 200, ranks(0, size()), 2, ranks(0, size()), 3, true);
  move_together({&nothing, &some});
  move_together({&some, &nothing});
}

}  // namespace
}  // namespace xredist::testing
