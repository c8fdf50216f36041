// SPDX-License-Identifier: BSD-3-Clause
// Fits on communicators, the rules of solvers, and what is told.
#include "xredist/fit.h"

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "move.hpp"

namespace xredist::testing {
namespace {

struct Fit {
  std::vector<int> ranks = std::vector<int>(static_cast<std::size_t>(size()), -1);
  xredist_layout layout{};
  int code;

  Fit(std::int64_t m, std::int64_t n, const xredist_layout& a, const xredist_rules& rules)
      : code(xredist_fit(MPI_COMM_WORLD, m, n, &a, &rules, &layout, ranks.data())) {}
  Fit(const Fit&) = delete;
  Fit& operator=(const Fit&) = delete;

  int processes() const { return layout.nprow * layout.npcol; }
};

xredist_rules rules_for(const char* solver) {
  xredist_rules rules;
  EXPECT_EQ(xredist_rules_for(solver, &rules), 0);
  return rules;
}

TEST(Fits, SlabsThereAndBack) {
  const std::int64_t n = 100;
  const xredist_layout slabs{.nprow = size(), .npcol = 1, .mb = (n + size() - 1) / size(), .nb = n};
  const Fit fit(n, n, slabs, {.block = 8, .blocks = 2});
  ASSERT_EQ(outcome(fit.code), "");
  EXPECT_EQ(fit.layout.ranks, fit.ranks.data());
  EXPECT_EQ(fit.layout.mb, 8);
  EXPECT_EQ(fit.layout.nb, 8);
  EXPECT_GE(fit.processes(), size() > 2 ? size() - 1 : size());
  EXPECT_EQ(std::set<int>(fit.ranks.begin(), fit.ranks.begin() + fit.processes()).size(),
            static_cast<std::size_t>(fit.processes()));
  for (const bool back : {false, true}) {
    Move move(MPI_COMM_WORLD, back ? fit.layout : slabs, back ? slabs : fit.layout, n, n);
    ASSERT_EQ(move.start(), 0);
    ASSERT_EQ(move.wait(), 0);
    EXPECT_EQ(move.wrong(), 0);
  }
}

// A layout that a fit has chosen obeys; its ranks are copied.
TEST(Fits, KeepALayoutThatObeys) {
  const xredist_layout slabs{.nprow = 1, .npcol = size(), .mb = 100, .nb = 10};
  const Fit fit(100, 100, slabs, rules_for("elpa")), again(100, 100, fit.layout, rules_for("elpa"));
  ASSERT_EQ(outcome(again.code), "");
  EXPECT_EQ(again.layout.nprow, fit.layout.nprow);
  EXPECT_EQ(again.layout.npcol, fit.layout.npcol);
  EXPECT_EQ(again.layout.mb, fit.layout.mb);
  EXPECT_EQ(again.ranks, fit.ranks);
}

TEST(Fits, OnTheProcessThatHoldsTheMatrix) {
  const int last = size() - 1;
  const xredist_layout whole{.nprow = 1, .npcol = 1, .mb = 50, .nb = 50, .ranks = &last};
  for (const int per_node : {0, 1}) {  // with per_node the call is collective
    const Fit fit(50, 50, whole, {.processes = 1, .per_node = per_node});
    ASSERT_EQ(outcome(fit.code), "");
    EXPECT_EQ(fit.processes(), 1);
    EXPECT_EQ(fit.ranks[0], last);
  }
}

TEST(Fits, OneProcessForAMatrixWithoutElements) {
  const xredist_layout slabs{.nprow = size(), .npcol = 1, .mb = 8, .nb = 8};
  std::vector<xredist_rules> all{{.grid = 'A'}, {.multiple = 2}};
  for (const char* solver : {"scalapack", "elpa", "elpa-gpu", "slate", "dlaf", "cusolvermp"})
    all.push_back(rules_for(solver));
  for (const xredist_rules& rules : all)
    for (const std::int64_t n : {0, 5}) {
      const Fit flat(0, n, slabs, rules), high(n, 0, slabs, rules);
      EXPECT_EQ(outcome(flat.code) + outcome(high.code), "");
      EXPECT_EQ(flat.processes(), 1);
      EXPECT_EQ(high.processes(), 1);
    }
}

// On few columns, PDGESVD needs one for each process.
TEST(Fits, AtMostAProcessForSomeColumns) {
  const xredist_layout slabs{.nprow = size(), .npcol = 1, .mb = 8, .nb = 8};
  EXPECT_EQ(Fit(30, 20, slabs, {.flat = 100, .columns = 15}).processes(), std::min(size(), 2));
  EXPECT_EQ(Fit(30, 20, slabs, {.flat = 100}).processes(), size());
}

TEST(Fits, NullStandsForScalapack) {
  const xredist_layout whole{.nprow = 1, .npcol = 1, .mb = 1, .nb = 1};
  const Fit fit(1000, 1000, whole, rules_for("ScaLAPACK"));
  std::vector<int> ranks(fit.ranks.size(), -1);
  xredist_layout b{};
  ASSERT_EQ(xredist_fit(MPI_COMM_WORLD, 1000, 1000, &whole, nullptr, &b, ranks.data()), 0);
  EXPECT_EQ(b.npcol, fit.layout.npcol);
  EXPECT_EQ(b.npcol, std::min(size(), 4));  // 500 x 500 elements for each process, 1 x P up to 8 processes
  EXPECT_EQ(b.mb, 64);
  EXPECT_EQ(ranks, fit.ranks);
}

TEST(Fits, Errors) {
  const xredist_layout whole{.nprow = 1, .npcol = 1, .mb = 8, .nb = 8};
  const auto error = [&](std::int64_t m, std::int64_t n, const xredist_layout& a, const xredist_rules& rules) {
    return outcome(Fit(m, n, a, rules).code);
  };
  EXPECT_EQ(error(-1, 2, whole, {}), "invalid: m is -1, must be at least 0");
  EXPECT_EQ(error(std::int64_t{1} << 40, std::int64_t{1} << 40, whole, {}),
            "invalid: n is 1099511627776: with m = 1099511627776 these are 2^59 elements or more");
  EXPECT_EQ(error(2, 2, {.nprow = 1, .npcol = 1, .mb = 0, .nb = 8}, {}), "invalid: a.mb is 0, must be at least 1");
  const std::int64_t bounds[] = {0, 3};
  const xredist_partition three{.count = 1, .bounds = bounds};
  EXPECT_EQ(error(2, 2, {.nprow = 1, .npcol = 1, .nb = 8, .rows = &three}, {}),
            "invalid: a.rows: the last of bounds is 3, must be m = 2");
  EXPECT_EQ(error(2, 2, whole, {.processes = size() + 1}), "invalid: rules.processes is " + std::to_string(size() + 1) +
                                                               ", must be at most " + std::to_string(size()) +
                                                               ", the processes there are");
  EXPECT_EQ(error(2, 2, whole, {.multiple = 9}), "invalid: rules.multiple is 9: no grid of at most " +
                                                     std::to_string(size()) +
                                                     " processes obeys all rules for a matrix of 2 x 2");
  int rank_of_one;
  xredist_layout b{};
  EXPECT_EQ(outcome(xredist_fit(MPI_COMM_SELF, 2, 2, &whole, nullptr, &b, nullptr)), "invalid: ranks is NULL");
  EXPECT_EQ(outcome(xredist_fit(MPI_COMM_SELF, 2, 2, nullptr, nullptr, &b, &rank_of_one)), "invalid: a is NULL");
  EXPECT_EQ(outcome(xredist_fit(MPI_COMM_NULL, 2, 2, &whole, nullptr, &b, &rank_of_one)),
            "invalid: comm is MPI_COMM_NULL");
  xredist_rules rules;
  EXPECT_EQ(outcome(xredist_rules_for("mumps", &rules)),
            "invalid: solver is \"mumps\", must be one of scalapack, elpa, elpa-gpu, slate, dlaf, cusolvermp");
  EXPECT_EQ(outcome(xredist_rules_for(nullptr, &rules)), "invalid: solver is NULL");
}

TEST(Tell, FromTheFirstProcessOfTheGrid) {
  const int last = size() - 1;
  const xredist_layout on_last{.nprow = 1, .npcol = 1, .mb = 8, .nb = 8, .ranks = &last}, on_first{1, 1, 8, 8};
  for (const xredist_layout* layout : {&on_last, &on_first}) {
    int told = rank();
    ASSERT_EQ(xredist_tell(MPI_COMM_WORLD, layout, &told, sizeof told), 0);
    EXPECT_EQ(told, layout == &on_last ? last : 0);
  }
  EXPECT_EQ(outcome(xredist_tell(MPI_COMM_SELF, &on_first, nullptr, 1)), "invalid: data is NULL");
  EXPECT_EQ(outcome(xredist_tell(MPI_COMM_SELF, &on_first, nullptr, -1)), "invalid: bytes is -1, must be at least 0");
  EXPECT_EQ(outcome(xredist_tell(MPI_COMM_SELF, nullptr, nullptr, 0)), "invalid: b is NULL");
}

}  // namespace
}  // namespace xredist::testing
