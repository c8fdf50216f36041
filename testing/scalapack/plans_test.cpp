// SPDX-License-Identifier: BSD-3-Clause
// Plans for BLACS contexts: the elements that they move, their errors, and their lifetime.
#include "plans.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdlib>
#include <fstream>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "allocations.hpp"
#include "matrix.hpp"
#include "ranks.hpp"
#include "xredist/blacs.h"
#include "xredist/log.h"

namespace xredist::testing {
namespace {

constexpr xredist_int n = 24;

// The arguments of a correct call, which a test changes.
struct Arguments {
  xredist_operation operation{.m = n, .n = n, .type = 'D'};
  const xredist_operation* of = &operation;
  xredist_int ctxt;
  Descriptor desca, descb;
  const xredist_int *a = desca.data(), *b = descb.data();
  xredist_partitions partitions{};
  bool with_plan = true;
  xredist_plan* plan = nullptr;

  Arguments(const Matrix& from, const Matrix& to, const Context& all)
      : ctxt(all.handle()), desca(from.desc), descb(to.desc) {}
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;
  ~Arguments() { xredist_plan_destroy(plan); }

  int make() { return xredist_plan_create_blacs(ctxt, a, b, &partitions, of, with_plan ? &plan : nullptr); }
  std::string error() {
    const std::string text = outcome(make());
    EXPECT_EQ(plan != nullptr, text.empty());
    return text;
  }
};

GridShape row() { return row_major(1, size()); }
GridShape column() { return row_major(size(), 1); }

void expect_moves(const xredist_plan* plan, Matrix& from, Matrix& to, double first) {
  from.fill(first);
  std::ranges::fill(to.data, -1.0);
  EXPECT_EQ(execute_job({.plan = plan, .a = from.data.data(), .b = to.data.data()}), 0);  // with LLD_
  EXPECT_EQ(to.wrong(first), 0);
}

TEST(Plans, OfNothing) {
  Matrix from(row(), n, 2), to(column(), n, 3);
  const Context all(row());
  for (const bool no_rows : {true, false}) {
    Arguments x(from, to, all);
    (no_rows ? x.operation.m : x.operation.n) = 0;
    ASSERT_EQ(x.make(), 0);
    EXPECT_EQ(execute_job({x.plan, nullptr, 1, to.data.data(), n}), 0);
    EXPECT_EQ(execute_job({x.plan, from.data.data(), n, nullptr, 1}), 0);
  }
}

// The leading dimensions are those of the descriptors, and an error on one process is an error on all.
TEST(Plans, AreTuned) {
  Matrix from(row(), n, 2), to(column(), n, 3);
  const Context all(row());
  Arguments x(from, to, all);
  ASSERT_EQ(x.make(), 0);
  from.fill(5);
  xredist_job job{.plan = nullptr, .a = from.data.data(), .b = to.data.data()};
  if (rank() == size() - 1) job.lda = 1;
  EXPECT_EQ(outcome(xredist_plan_tune(x.plan, &job)),
            "invalid: " + of_process(size() - 1,
                                     "lda is 1, must be at least 24, the local rows up to the end of the "
                                     "submatrix"));
  job.lda = 0;
  EXPECT_EQ(xredist_plan_tune(x.plan, &job), 0);
  EXPECT_EQ(to.wrong(5), 0);
  expect_moves(x.plan, from, to, 7);
}

// operation_test tests operations, and plans.f90 reads descriptors for them. Here scalars are such that no double
// holds; sums and products wrap around.
TEST(Operations, IntegerScalarsAreExact) {
  const Context one(row_major(1, 1));
  if (!one.member()) return;
  using Unsigned = std::make_unsigned_t<xredist_int>;
  const Descriptor desc{1, one.handle(), 1, 1, 1, 1, 0, 0, 1};
  xredist_plan* plan = nullptr;
  ASSERT_EQ(create_plan(one.handle(), desc, desc, {.m = 1, .n = 1, .type = 'I'}, &plan), 0);
  constexpr int bits = std::numeric_limits<xredist_int>::digits;
  const xredist_int close_to_largest = std::numeric_limits<xredist_int>::max() - 2;
  for (const xredist_int alpha : {close_to_largest, -close_to_largest, (xredist_int{1} << (bits * 6 / 7)) + 1,
                                  xredist_int{0}, xredist_int{1}, std::numeric_limits<xredist_int>::min()})
    for (const xredist_int beta : {xredist_int{0}, xredist_int{1}, alpha}) {
      const xredist_int a = 3;
      xredist_int b = 7;
      const auto expected = static_cast<xredist_int>(static_cast<Unsigned>(alpha) * static_cast<Unsigned>(a) +
                                                     static_cast<Unsigned>(beta) * static_cast<Unsigned>(b));
      ASSERT_EQ(execute_job({plan, &a, 1, &b, 1, &alpha, &beta}), 0);
      EXPECT_EQ(b, expected) << "alpha " << alpha << ", beta " << beta;
    }
  xredist_plan_destroy(plan);
}

// Intervals that stand for blocks of 3 rows on a column of processes.
struct Rows {
  std::vector<std::int64_t> cuts;
  std::vector<int> owners;
  Rows() {
    for (int k = 0; k <= n / 3; ++k) cuts.push_back(3 * k);
    for (int k = 0; k < n / 3; ++k) owners.push_back(k % size());
  }
  xredist_partition told() const { return {std::ssize(owners), cuts.data(), owners.data()}; }
};

// The descriptor's block size is not read, and processes outside of a grid know the partition. operation_test tests the
// elements that move.
TEST(Partitions, StandForADimensionOfADescriptor) {
  const Context all(row());
  const Rows rows;
  const xredist_partition partition = rows.told();
  for (const GridShape& source : {row(), row_major(1, 1, size() - 1)}) {
    Matrix from(source, n, 2), to(column(), n, 3);
    Arguments x(from, to, all);
    x.partitions.rows_b = &partition;
    x.descb[4] = 0, x.descb[6] = 99;
    ASSERT_EQ(x.make(), 0);
    expect_moves(x.plan, from, to, 5);
  }
}

struct Error {
  const char* sentence;
  std::function<void(Arguments&)> change;
};

// All processes have the same sentence, whichever process passed the invalid argument.
TEST(Errors, AreTheSameOnAllProcesses) {
  Matrix from(row(), n, 2), to(column(), n, 3);
  const Context all(row());
  const std::string csrc_of_a = "desca, entry 8 (CSRC_) is " + std::to_string(size()) + ", must be in 0 .. " +
                                std::to_string(size() - 1) + ", the grid's columns";
  const std::vector<Error> errors = {
      {"type is 'Q', must be I, S, D, C or Z", [](Arguments& x) { x.operation.type = 'Q'; }},
      {"m is -1, must be at least 0", [](Arguments& x) { x.operation.m = -1; }},
      {"m is 24: with ia = 2 it reaches beyond desca, entry 3 (M_) = 24", [](Arguments& x) { x.operation.ia = 2; }},
      {"m is 24: with ib = 2 it reaches beyond descb, entry 3 (M_) = 24", [](Arguments& x) { x.operation.ib = 2; }},
      {"n is -7, must be at least 0", [](Arguments& x) { x.operation.n = -7; }},
      {"n is 25: with ja = 1 it reaches beyond desca, entry 4 (N_) = 24", [](Arguments& x) { x.operation.n = n + 1; }},
      // A's submatrix is n x m if A is transposed.
      {"n is 20: with ia = 6 it reaches beyond desca, entry 3 (M_) = 24",
       [](Arguments& x) { x.operation.trans = 'T', x.operation.n = 20, x.operation.ia = 6; }},
      {"m is 24: with ja = 2 it reaches beyond desca, entry 4 (N_) = 24",
       [](Arguments& x) { x.operation.trans = 'T', x.operation.n = 20, x.operation.ia = 5, x.operation.ja = 2; }},
      {"ia is -1, must be at least 1", [](Arguments& x) { x.operation.ia = -1; }},
      {"ja is -2, must be at least 1", [](Arguments& x) { x.operation.ja = -2; }},
      {"ib is -1, must be at least 1", [](Arguments& x) { x.operation.ib = -1; }},
      {"jb is -1, must be at least 1", [](Arguments& x) { x.operation.jb = -1; }},
      {"desca is NULL", [](Arguments& x) { x.a = nullptr; }},
      {"desca, entry 3 (M_) is -1, must be at least 0", [](Arguments& x) { x.desca[2] = -1; }},
      {"desca, entry 5 (MB_) is 0, must be at least 1, unless rows_a is passed", [](Arguments& x) { x.desca[4] = 0; }},
      {"desca, entry 6 (NB_) is -3, must be at least 1", [](Arguments& x) { x.desca[5] = -3; }},
      {"desca, entry 7 (RSRC_) is 1, must be in 0 .. 0, the grid's rows", [](Arguments& x) { x.desca[6] = 1; }},
      {csrc_of_a.c_str(), [](Arguments& x) { x.desca[7] = size(); }},
      {"descb is NULL", [](Arguments& x) { x.b = nullptr; }},
      {"descb, entry 5 (MB_) is -1, must be at least 1", [](Arguments& x) { x.descb[4] = -1; }},
      {"descb, entry 8 (CSRC_) is 1, must be in 0 .. 0, the grid's columns", [](Arguments& x) { x.descb[7] = 1; }},
      {"operation is NULL", [](Arguments& x) { x.of = nullptr; }},
      {"plan is NULL", [](Arguments& x) { x.with_plan = false; }},
  };
  for (const auto& [sentence, change] : errors)
    for (const int victim : {-1, 0, size() - 1}) {  // all processes, or one
      Arguments x(from, to, all);
      if (victim < 0 || victim == rank()) change(x);
      EXPECT_EQ(x.error(), "invalid: " + of_process(victim, sentence));
    }
  for (const int victim : {0, size() - 1}) {
    Arguments x(from, to, all);
    if (victim == rank()) x.desca[8] = n - 1;
    EXPECT_EQ(x.error(), "invalid: " + of_process(victim,
                                                  "desca, entry 9 (LLD_) is 23, must be at least 24, the local "
                                                  "rows on process (0," +
                                                      std::to_string(victim) + ")"));
  }
  Arguments x(from, to, all);
  ASSERT_EQ(x.make(), 0);
  expect_moves(x.plan, from, to, 5);
}

// Of several errors, all processes name that of the lowest rank.
TEST(Errors, OfSeveralOneIsNamed) {
  Matrix from(row(), n, 2), to(column(), n, 3);
  const Context all(row());
  Arguments x(from, to, all);
  if (rank() == 0)
    x.operation.ib = -1;
  else
    x.operation.ja = -3;
  EXPECT_EQ(x.error(), "invalid: ib is -1, must be at least 1");
}

TEST(Errors, OfPartitions) {
  const Context all(row());
  const Matrix from(row(), n, 2), to(column(), n, 3);
  const std::string grid_rows = "must be in 0 .. " + std::to_string(size() - 1);
  const std::pair<std::string, std::function<void(Rows&)>> errors[] = {
      {"bounds[2] is 2, less than the one before", [](Rows& x) { x.cuts[2] = 2; }},
      {"bounds[0] is 1, must be 0", [](Rows& x) { x.cuts[0] = 1; }},
      {"the last of bounds is 25, must be descb, entry 3 (M_) = 24", [](Rows& x) { x.cuts.back() = n + 1; }},
      {"owners[1] is " + std::to_string(size()) + ", " + grid_rows, [](Rows& x) { x.owners[1] = size(); }},
      {"owners[1] is -1, " + grid_rows, [](Rows& x) { x.owners[1] = rank() == size() - 1 ? -1 : 0; }},
  };
  for (const auto& [sentence, change] : errors) {
    Rows rows;
    change(rows);
    const xredist_partition partition = rows.told();
    Arguments x(from, to, all);
    x.partitions.rows_b = &partition;
    const bool of_last = sentence.starts_with("owners[1] is -1");
    EXPECT_EQ(x.error(), "invalid: " + of_process(of_last ? size() - 1 : -1, "rows_b: " + sentence));
  }
  Rows rows;
  if (rank() == 0) rows.owners[1] = 0;
  const xredist_partition partition = rows.told();
  Arguments x(from, to, all);
  x.partitions.rows_b = &partition;
  EXPECT_EQ(x.error(), size() > 1 ? "invalid: rows_b differs between processes" : "");
}

TEST(Errors, OfArgumentsThatDiffer) {
  if (size() < 2) GTEST_SKIP() << "needs 2 processes";
  Matrix from(row(), n, 2), to(column(), n, 3);
  const Context all(row());
  const std::string letter = "a letter or the size of the elements differs between processes",
                    grid_rows = "descb, entry 2 (CTXT_): number of grid rows differs between processes: from 1 to " +
                                std::to_string(size());
  for (const auto& [sentence, change] : std::vector<Error>{
           {letter.c_str(), [](Arguments& x) { x.operation.type = 'C'; }},  // as long as D
           {letter.c_str(), [](Arguments& x) { x.operation.trans = 'T'; }},
           {letter.c_str(), [](Arguments& x) { x.operation.uplo = 'L'; }},
           {letter.c_str(), [](Arguments& x) { x.operation.diag = 'U'; }},
           {"m differs between processes: from 22 to 23", [](Arguments& x) { x.operation.m = n - 2; }},
           {"n differs between processes: from 23 to 24", [](Arguments& x) { x.operation.n = n - 1; }},
           {"ia differs between processes: from 1 to 2", [](Arguments& x) { x.operation.ia = 2; }},
           {"desca, entry 5 (MB_) differs between processes: from 2 to 3", [](Arguments& x) { x.desca[4] = 3; }},
           {"descb, entry 6 (NB_) differs between processes: from 3 to 7", [](Arguments& x) { x.descb[5] = 7; }},
           {grid_rows.c_str(), [](Arguments& x) { x.descb[1] = x.desca[1]; }},
       }) {
    Arguments x(from, to, all);
    x.operation.m = n - 1;
    if (rank() == 0) change(x);
    EXPECT_EQ(x.error(), std::string("invalid: ") + sentence);
  }
  for (const bool a : {true, false}) {
    Arguments nowhere(from, to, all);
    (a ? nowhere.desca : nowhere.descb)[1] = -1;
    EXPECT_EQ(nowhere.error(), a ? "invalid: desca, entry 2 (CTXT_): no process of the context is in the grid of A"
                                 : "invalid: descb, entry 2 (CTXT_): no process of the context is in the grid of B");
  }
}

TEST(Errors, OfContexts) {
  Matrix from(row(), n, 2), to(column(), n, 3);
  const Context all(row());
  Arguments x(from, to, all);
  x.ctxt = -1;
  EXPECT_EQ(x.error(), "invalid: ctxt is -1, not a context with this process");
  if (size() < 2) return;
  const Context fewer(row_major(1, size() - 1));
  Arguments y(from, to, fewer);
  EXPECT_EQ(y.error(), rank() == size() - 1 ? "invalid: ctxt is -1, not a context with this process"
                                            : "invalid: ctxt: the context lacks 1 of the " + std::to_string(size()) +
                                                  " processes of the grid of A");
  // Grids of the same shape, in which two processes claim the same place.
  const Context first(row_major(1, 1, 0)), second(row_major(1, 1, 1));
  Arguments z(from, to, all);
  z.desca[1] = rank() == 1 ? second.handle() : first.handle();
  EXPECT_EQ(z.error(),
            "invalid: desca, entry 2 (CTXT_): processes 0 and 1 of the context are at the same place: their grids are "
            "not the same");
}

TEST(Errors, OfOptions) {
  const Context all(row());
  const auto set = [&](xredist_int ctxt, const char* name, const char* value) {
    return outcome(xredist_set_option_blacs(ctxt, name, value));
  };
  EXPECT_EQ(set(-1, "buffer", "2M"), "invalid: ctxt is -1, not a context with this process");
  EXPECT_EQ(set(all.handle(), "buffers", "2M"), "invalid: buffers=2M: no such option");
  EXPECT_EQ(set(all.handle(), nullptr, "2M"), "invalid: name is NULL");
  EXPECT_EQ(set(all.handle(), "buffer", "2"), "invalid: buffer=2: expected a size such as 64M, from 1M to 64G");
}

TEST(Options, LogPlans) {
  const Context all(row());
  Matrix from(row(), n, 2), to(column(), n, 3);
  const std::string file = "plans_test." + std::to_string(size()) + ".log";
  if (rank() == 0) std::ofstream(file, std::ios::trunc);
  ASSERT_EQ(xredist_set_log(rank() == 0 ? file.c_str() : "none"), 0);
  ASSERT_EQ(xredist_set_option_blacs(all.handle(), "verbose", "1"), 0);
  Arguments x(from, to, all);
  ASSERT_EQ(x.make(), 0);
  xredist_set_log("stderr");
  expect_moves(x.plan, from, to, 3);
  if (rank() != 0) return;
  std::string line;
  std::getline(std::ifstream(file) >> std::ws, line);
  char text[512];
  ASSERT_EQ(xredist_plan_describe(x.plan, text, sizeof text), 0);
  EXPECT_EQ(line, std::string("xredist: xredist_plan_create_blacs plans ") + text);
  std::remove(file.c_str());
}

TEST(Errors, OfTheEnvironment) {
  const char* buffer = std::getenv("XREDIST_BUFFER");
  if (buffer == nullptr || std::string(buffer) != "lots") GTEST_SKIP() << "XREDIST_BUFFER is not lots";
  Matrix from(row(), n, 2), to(column(), n, 3);
  const Context all(row());
  Arguments x(from, to, all);
  EXPECT_EQ(x.error(), "bad option: XREDIST_BUFFER=lots: expected a size such as 64M, from 1M to 64G");
}

// Each allocation fails once, on all processes or on one. All processes return the same code and can use the context
// again.
TEST(Errors, OfALackOfMemory) {
  const int last = size() - 1;
  const Rows rows;
  const xredist_partition partition = rows.told();
  for (const int victim : size() <= 4 ? std::vector{-1, 0, last} : std::vector{last}) {
    bool more = true;
    long k = 1;
    for (; more && k < 500; ++k) {
      Matrix from(row_major(1, 1, last), n, 2), to(column(), n, 3);
      const Context all(row());
      Arguments x(from, to, all);
      x.partitions.rows_b = &partition;
      if (victim < 0 || victim == rank()) fail_allocation(k);
      const int error = x.make();
      more = anywhere(stop_failing());
      int least = error;
      MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
      ASSERT_FALSE(anywhere(error != least)) << error << " at allocation " << k;
      EXPECT_TRUE(error == 0 || (more && error == XREDIST_NO_MEMORY)) << error << " at allocation " << k;
      EXPECT_TRUE(error == 0 || std::string(xredist_error()).find("out of memory") != std::string::npos)
          << xredist_error();
      EXPECT_EQ(x.plan == nullptr, error != 0);
      Arguments back(to, from, all);  // B's grid is one that the failed call may have left unknown
      ASSERT_EQ(back.make(), 0) << "after allocation " << k;
      expect_moves(back.plan, to, from, 4);
      if (error != 0) {
        ASSERT_EQ(x.make(), 0);
      }
      expect_moves(x.plan, from, to, 9);
    }
    EXPECT_FALSE(more);
    EXPECT_GT(k, 20) << "few allocations failed";
  }
}

TEST(Life, ThePlanOutlivesTheGridsButNotTheContext) {
  auto all = std::make_unique<Context>(row());
  auto from = std::make_unique<Matrix>(row(), n, 2), to = std::make_unique<Matrix>(column(), n, 3);
  Arguments x(*from, *to, *all);
  ASSERT_EQ(x.make(), 0);
  from->fill(1);
  const std::vector<double> data = from->data;
  from.reset();  // frees the grids; another may get their handles
  const Matrix other(row(), n, 1);
  to->data.assign(to->data.size(), -1.0);
  ASSERT_EQ(execute_job({x.plan, data.data(), n, to->data.data(), n}), 0);
  EXPECT_EQ(to->wrong(1), 0);

  std::ranges::fill(to->data, -1.0);
  xredist_request* request = nullptr;
  ASSERT_EQ(start_job({x.plan, data.data(), n, to->data.data(), n}, &request), 0);
  all.reset();  // completes what is under way
  EXPECT_EQ(to->wrong(1), 0);
  EXPECT_EQ(xredist_wait(&request), 0);
  const xredist_job job{x.plan, data.data(), n, to->data.data(), n};
  EXPECT_EQ(outcome(execute_job(job)), "invalid: plan: its communicator has been freed");
  EXPECT_EQ(outcome(start_job(job, &request)), "invalid: plan: its communicator has been freed");
  EXPECT_EQ(request, nullptr);
}

}  // namespace
}  // namespace xredist::testing
