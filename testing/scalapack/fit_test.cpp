// SPDX-License-Identifier: BSD-3-Clause
// Fits on BLACS contexts: the descriptors, the grids that the library makes, what is told, and errors.
#include <gtest/gtest.h>
#include <mpi.h>

#include <array>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "allocations.hpp"
#include "matrix.hpp"
#include "ranks.hpp"
#include "xredist/blacs.h"

extern "C" void Cblacs_gridinfo(xredist_int ctxt, xredist_int* nprow, xredist_int* npcol, xredist_int* myrow,
                                xredist_int* mycol);

namespace xredist::testing {
namespace {

constexpr xredist_int n = 24;

GridShape row() { return row_major(1, size()); }
GridShape column() { return row_major(size(), 1); }

struct Place {
  xredist_int nprow = -1, npcol = -1, row = -1, col = -1;

  explicit Place(xredist_int ctxt) { Cblacs_gridinfo(ctxt, &nprow, &npcol, &row, &col); }
  bool member() const { return row >= 0; }
};

// The result of a fit.
struct Fit {
  Descriptor desc{};
  xredist_int rows = -1, cols = -1;
  int code = -1;

  bool member() const { return desc[1] >= 0; }
  // Returns this process's part of an m x n matrix.
  Part part(xredist_int m_b, xredist_int n_b) const {
    const Place place(desc[1]);
    if (!place.member()) return {{1, 1, 1, 1}, m_b, n_b, -1};
    return {{static_cast<int>(place.nprow), static_cast<int>(place.npcol), desc[4], desc[5]},
            m_b,
            n_b,
            static_cast<int>(place.row * place.npcol + place.col)};
  }
};

// The arguments of a fit, which a test changes.
struct Arguments {
  xredist_int ctxt, m = n, columns = n;
  Descriptor desca;
  const xredist_int* a = desca.data();
  xredist_partitions partitions{};
  xredist_rules rules{.block = 4, .blocks = 2};
  bool with_descb = true;

  Arguments(const Matrix& from, const Context& all) : ctxt(all.handle()), desca(from.desc) {}
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  Fit fit() const {
    Fit b;
    b.code = xredist_fit_blacs(ctxt, m, columns, a, &partitions, &rules, with_descb ? b.desc.data() : nullptr, &b.rows,
                               &b.cols);
    return b;
  }
  std::string error() const { return outcome(fit().code); }
};

// Moves A to the fitted layout and back. Both arrive.
void expect_there_and_back(const Context& all, Matrix& a, const Fit& b) {
  Part there = b.part(n, n);
  ASSERT_EQ(b.rows, std::ssize(there.rows));
  ASSERT_EQ(b.cols, std::ssize(there.cols));
  xredist_plan *to = nullptr, *back = nullptr;
  const xredist_operation copy{.m = n, .n = n, .type = 'D'};
  ASSERT_EQ(create_plan(all.handle(), a.desc, b.desc, copy, &to), 0);
  ASSERT_EQ(create_plan(all.handle(), b.desc, a.desc, copy, &back), 0);
  a.fill(7);
  EXPECT_EQ(execute_job({.plan = to, .a = a.data.data(), .b = there.data.data()}), 0);
  long wrong = 0;
  there.each([&](double x, std::int64_t i, std::int64_t j) { wrong += x != a.element(7, i, j); });
  EXPECT_EQ(wrong, 0);
  std::ranges::fill(a.data, -1.0);
  EXPECT_EQ(execute_job({.plan = back, .a = there.data.data(), .b = a.data.data()}), 0);
  EXPECT_EQ(a.wrong(7), 0);
  xredist_plan_destroy(to);
  xredist_plan_destroy(back);
}

// One block of rows a process becomes blocks of 4 on the squarest grid of 1 to 5 processes.
TEST(Fits, SlabsThereAndBack) {
  static constexpr std::array<std::array<int, 2>, 6> grids{{{0, 0}, {1, 1}, {1, 2}, {1, 3}, {2, 2}, {2, 2}}};
  if (size() >= 6) GTEST_SKIP() << "grids are listed for at most 5 processes";
  Matrix slabs(column(), n, (n + size() - 1) / size());
  const Context all(row());
  const Fit b = Arguments(slabs, all).fit();
  ASSERT_EQ(outcome(b.code), "");
  const auto [nprow, npcol] = grids[static_cast<std::size_t>(size())];
  EXPECT_EQ(total(b.member()), nprow * npcol);
  if (b.member()) {
    const Place place(b.desc[1]);
    EXPECT_EQ(place.nprow, nprow);
    EXPECT_EQ(place.npcol, npcol);
    EXPECT_EQ(b.desc, (Descriptor{1, b.desc[1], n, n, 4, 4, 0, 0, b.rows}));
  } else {
    EXPECT_EQ(b.desc[1], -1);
    EXPECT_EQ(b.rows + b.cols, 0);
  }
  expect_there_and_back(all, slabs, b);
}

// Partitions of A are read, and the process that holds most of A is chosen.
TEST(Fits, UnevenSlabs) {
  Matrix shape(column(), n, n);
  const Context all(row());
  std::vector<std::int64_t> cuts(static_cast<std::size_t>(size()) + 1, 0);
  cuts.back() = n;  // the last process has all rows
  std::vector<int> owners(cuts.size() - 1);
  std::iota(owners.begin(), owners.end(), 0);
  const xredist_partition rows{std::ssize(owners), cuts.data(), owners.data()};
  Arguments x(shape, all);
  x.partitions.rows_a = &rows;
  x.desca[4] = 0;
  x.rules.processes = 1;
  const Fit b = x.fit();
  ASSERT_EQ(outcome(b.code), "");
  EXPECT_EQ(b.member(), rank() == size() - 1);
  EXPECT_EQ(b.rows, b.member() ? n : 0);
}

// A is on the last process only, so other processes pass -1.
TEST(Fits, FromOneProcess) {
  Matrix whole(row_major(1, 1, size() - 1), n, n);
  const Context all(row());
  const Fit b = Arguments(whole, all).fit();
  ASSERT_EQ(outcome(b.code), "");
  EXPECT_TRUE(rank() != size() - 1 || b.member());
  expect_there_and_back(all, whole, b);
}

TEST(Fits, KeepALayoutThatObeys) {
  const Context all(row());
  for (const xredist_int block : {2, 4, 5, 1}) {
    Matrix own(row_major(1, std::min(size(), 3)), n, block);
    Arguments x(own, all);
    x.rules = {.processes = std::min(size(), 3), .block = 4};
    const Fit b = x.fit();
    ASSERT_EQ(outcome(b.code), "");
    if (block == 1) {
      EXPECT_TRUE(!b.member() || b.desc[4] == 4);
      continue;
    }
    EXPECT_EQ(b.desc[1], own.grid.handle());
    if (b.member()) {
      EXPECT_EQ(b.desc, own.desc);
    }
    EXPECT_EQ(b.cols, std::ssize(own.cols));
  }
}

// Equal arguments, and others that choose the same grid, have one context, until it is freed.
TEST(Fits, ReuseTheGrid) {
  Matrix slabs(column(), n, n);
  const Context all(row());
  Arguments x(slabs, all);
  const Fit first = x.fit(), again = x.fit();
  EXPECT_EQ(first.desc, again.desc);
  x.rules.block = 3;
  EXPECT_EQ(x.fit().desc[1], first.desc[1]);
  ASSERT_EQ(xredist_fit_free(all.handle()), 0);
  EXPECT_FALSE(Place(first.desc[1]).member());
  EXPECT_EQ(xredist_fit_free(all.handle()), 0);
  const Fit later = x.fit();
  ASSERT_EQ(outcome(later.code), "");
  EXPECT_EQ(later.member(), first.member());
  expect_there_and_back(all, slabs, later);
}

// The grid goes with the program's context. A plan from its descriptor outlives xredist_fit_free.
TEST(Fits, GridsGoWithTheContext) {
  Matrix slabs(column(), n, n);
  Fit b;
  {
    const Context all(row());
    b = Arguments(slabs, all).fit();
    EXPECT_EQ(Place(b.desc[1]).member(), b.member());
    xredist_plan* plan = nullptr;
    ASSERT_EQ(create_plan(all.handle(), slabs.desc, b.desc, {.m = n, .n = n, .type = 'D'}, &plan), 0);
    ASSERT_EQ(xredist_fit_free(all.handle()), 0);
    Part there = b.member() ? Part({1, 1, n, n}, n, n, 0) : Part({1, 1, n, n}, n, n, 1);  // large enough
    EXPECT_EQ(execute_job({.plan = plan, .a = slabs.data.data(), .b = there.data.data()}), 0);
    xredist_plan_destroy(plan);
    b = Arguments(slabs, all).fit();
  }
  EXPECT_FALSE(Place(b.desc[1]).member());
}

// All tests run on one node.
TEST(Fits, AtMostTwoProcessesOfANode) {
  Matrix slabs(column(), n, (n + size() - 1) / size());
  const Context all(row());
  Arguments x(slabs, all);
  x.rules.per_node = 2;
  const Fit b = x.fit();
  ASSERT_EQ(outcome(b.code), "");
  EXPECT_EQ(total(b.member()), std::min(size(), 2));
}

struct Error {
  const char* sentence;
  std::function<void(Arguments&)> change;
};

// All processes have the same sentence, whichever process passed the invalid argument.
TEST(Errors, AreTheSameOnAllProcesses) {
  const Matrix slabs(row(), n, 2);
  const Context all(row());
  const std::string too_many =
      "rules.processes is 9, must be at most " + std::to_string(size()) + ", the processes there are";
  for (const auto& [sentence, change] : std::vector<Error>{
           {"descb is NULL", [](Arguments& x) { x.with_descb = false; }},
           {"desca is NULL", [](Arguments& x) { x.a = nullptr; }},
           {"m is -1, must be at least 0", [](Arguments& x) { x.m = -1; }},
           {"n is 25, must be at most desca, entry 4 (N_) = 24", [](Arguments& x) { x.columns = n + 1; }},
           {"desca, entry 6 (NB_) is 0, must be at least 1, unless cols_a is passed",
            [](Arguments& x) { x.desca[5] = 0; }},
           {too_many.c_str(), [](Arguments& x) { x.rules.processes = 9; }},
           {"rules.per_node is -2, must be at least 0", [](Arguments& x) { x.rules.per_node = -2; }},
           {"rules.multiple is -1, must be at least 0", [](Arguments& x) { x.rules.multiple = -1; }},
           {"rules.share is -1, must be at least 0", [](Arguments& x) { x.rules.share = -1; }},
           {"rules.blocks is -1, must be at least 0", [](Arguments& x) { x.rules.blocks = -1; }},
           {"rules.flat is -1, must be at least 0", [](Arguments& x) { x.rules.flat = -1; }},
           {"rules.columns is -1, must be at least 0", [](Arguments& x) { x.rules.columns = -1; }},
           {"rules.block is 4, must be at least min_block = 5", [](Arguments& x) { x.rules.min_block = 5; }},
           {"rules.max_block is 3, must be at least block = 4", [](Arguments& x) { x.rules.max_block = 3; }},
           {"rules.grid is 'X', must be Q, S or A", [](Arguments& x) { x.rules.grid = 'X'; }},
           {"rules.power is '1', must be N or Y", [](Arguments& x) { x.rules.power = '1'; }},
       })
    for (const int victim : {-1, 0, size() - 1}) {  // all processes, or one
      Arguments x(slabs, all);
      if (victim < 0 || victim == rank()) change(x);
      EXPECT_EQ(x.error(), "invalid: " + of_process(victim, sentence));
    }
  EXPECT_EQ(Arguments(slabs, all).error(), "");
}

TEST(Errors, OfRulesThatCannotBeMet) {
  const Matrix slabs(row(), n, 2);
  const Context all(row());
  Arguments x(slabs, all);
  x.rules = {.multiple = size() + 1};
  EXPECT_EQ(x.error(), "invalid: rules.multiple is " + std::to_string(size() + 1) + ": no grid of at most " +
                           std::to_string(size()) + " processes obeys all rules for a matrix of 24 x 24");
  x.rules = {.min_block = n + 1, .grid = 'A'};
  EXPECT_EQ(x.error(), size() == 1 ? ""
                                   : "invalid: rules.min_block is 25: no grid of " + std::to_string(size()) +
                                         " processes obeys all rules for a matrix of 24 x 24");
}

// A block that obeys the rules, and that no descriptor with 32-bit integers can have.
TEST(Errors, OfBlocksBeyondTheDescriptor) {
  const Matrix slabs(row(), n, 2);
  const Context all(row());
  Arguments x(slabs, all);
  x.rules = {.processes = 1, .min_block = std::int64_t{1} << 31};
  EXPECT_EQ(x.error(), sizeof(xredist_int) == 8 ? ""
                                                : "invalid: descb, entry 5 (MB_) would be 2147483648, more than the "
                                                  "largest xredist_int");
}

TEST(Errors, OfArgumentsThatDiffer) {
  if (size() < 2) GTEST_SKIP() << "needs 2 processes";
  const Matrix slabs(row(), n, 2);
  const Context all(row());
  for (const auto& [sentence, change] : std::vector<Error>{
           {"rules differs between processes", [](Arguments& x) { x.rules.block = 5; }},
           {"rules differs between processes", [](Arguments& x) { x.rules.power = 'Y'; }},
           {"rules differs between processes", [](Arguments& x) { x.rules.columns = 2; }},
           {"m differs between processes: from 23 to 24", [](Arguments& x) { x.m = n - 1; }},
           {"desca, entry 5 (MB_) differs between processes: from 2 to 3", [](Arguments& x) { x.desca[4] = 3; }},
       }) {
    Arguments x(slabs, all);
    if (rank() == 0) change(x);
    EXPECT_EQ(x.error(), std::string("invalid: ") + sentence);
  }
  Arguments nowhere(slabs, all);
  nowhere.desca[1] = -1;
  EXPECT_EQ(nowhere.error(), "invalid: desca, entry 2 (CTXT_): no process of the context is in the grid of A");
}

TEST(Errors, OfContexts) {
  const Matrix slabs(row(), n, 2);
  const Context all(row());
  Arguments x(slabs, all);
  x.ctxt = -1;
  EXPECT_EQ(x.error(), "invalid: ctxt is -1, not a context with this process");
  EXPECT_EQ(outcome(xredist_fit_free(-1)), "invalid: ctxt is -1, not a context with this process");
  EXPECT_EQ(outcome(xredist_tell_blacs(-1, slabs.desc.data(), nullptr, 0)),
            "invalid: ctxt is -1, not a context with this process");
  if (size() < 2) return;
  const Context fewer(row_major(1, size() - 1));
  Arguments y(slabs, fewer);
  EXPECT_EQ(y.error(), rank() == size() - 1 ? "invalid: ctxt is -1, not a context with this process"
                                            : "invalid: ctxt: the context lacks 1 of the " + std::to_string(size()) +
                                                  " processes of the grid of A");
}

// Each allocation fails once, on all processes or on one. All processes return the same code and can use the context
// again.
TEST(Errors, OfALackOfMemory) {
  const int last = size() - 1;
  for (const int victim : size() <= 2 ? std::vector{-1, 0, last} : std::vector{last}) {
    bool failed = true;
    long k = 1;
    for (; failed && k < 1000; ++k) {
      const Matrix slabs(column(), n, n);
      const Context all(row());
      const Arguments x(slabs, all);
      if (victim < 0 || victim == rank()) fail_allocation(k);
      const int code = x.fit().code;
      failed = anywhere(stop_failing());
      int highest = code;
      MPI_Allreduce(MPI_IN_PLACE, &highest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
      EXPECT_EQ(code, highest) << "allocation " << k << " of process " << victim;
      EXPECT_TRUE(code == 0 || code == XREDIST_NO_MEMORY);
      const Fit b = x.fit();
      EXPECT_EQ(outcome(b.code), "");
      EXPECT_EQ(Place(b.desc[1]).member(), b.member());
    }
    EXPECT_GT(k, 10);
    EXPECT_LT(k, 1000);
  }
}

TEST(Tell, FromTheFirstProcessOfTheGrid) {
  Matrix whole(row_major(1, 1, size() - 1), n, n);
  const Context all(row());
  std::vector<double> w(n, rank());
  const auto bytes = static_cast<std::int64_t>(w.size() * sizeof(double));
  ASSERT_EQ(outcome(xredist_tell_blacs(all.handle(), whole.desc.data(), w.data(), bytes)), "");
  EXPECT_EQ(w, std::vector<double>(n, size() - 1));
  EXPECT_EQ(outcome(xredist_tell_blacs(all.handle(), whole.desc.data(), nullptr, 0)), "");
  const xredist_int* desc = rank() == 0 ? nullptr : whole.desc.data();
  EXPECT_EQ(outcome(xredist_tell_blacs(all.handle(), desc, w.data(), 8)), "invalid: " + of_process(0, "descb is NULL"));
  const Descriptor nowhere{1, -1, n, n, n, n, 0, 0, n};
  EXPECT_EQ(outcome(xredist_tell_blacs(all.handle(), nowhere.data(), w.data(), 8)),
            "invalid: descb, entry 2 (CTXT_): no process of ctxt is the first one of the grid of B");
  if (size() == 1) return;
  EXPECT_EQ(outcome(xredist_tell_blacs(all.handle(), whole.desc.data(), w.data(), rank() == 0 ? 8 : 16)),
            "invalid: bytes differs between processes: from 8 to 16");
  const Context first(row_major(1, 1, 0));
  Descriptor mixed = whole.desc;
  if (rank() == 0) mixed[1] = first.handle();
  EXPECT_EQ(outcome(xredist_tell_blacs(all.handle(), mixed.data(), w.data(), 8)),
            "invalid: descb, entry 2 (CTXT_): processes pass different grids");
}

}  // namespace
}  // namespace xredist::testing
