// SPDX-License-Identifier: BSD-3-Clause
// The layouts to which the rules of each solver lead, or which they accept, by what ScaLAPACK's routines ask for and
// need.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <numeric>
#include <string>

#include "fit/fitted_layout.hpp"

namespace xredist::core {
namespace {

constexpr const char* names[] = {"scalapack", "elpa", "elpa-gpu", "slate", "dlaf", "cusolvermp"};

// The part of a matrix of order n on one of `count` processes.
struct Part {
  Index n, rows, cols, block, count;
};

// PDSYEVD asks for this workspace, and hands it on (pdsyevd.f).
Index asked_by_syevd(const Part& p) {
  const Index for_trd = 3 * p.n + std::max(p.block * (p.rows + 1), 3 * p.block);
  return std::max(1 + 6 * p.n + 2 * p.rows * p.cols, for_trd);
}

// PZHEEVD asks for 3 P Q more than this in RWORK, uses P Q of them, and hands this on (pzheevd.f).
Index left_by_heevd(const Part& p) { return 1 + 8 * p.n + 2 * p.rows * p.cols; }

Index needed_by_ormtr(const Part& p) {
  return std::max(p.block * (p.block - 1) / 2, (p.rows + p.cols) * p.block) + p.block * p.block;
}

// PDSTEDC sorts by PDLASRT on two processes or more.
Index needed_by_lasrt(const Part& p) { return p.count == 1 ? 0 : std::max(p.n, p.rows * (p.block + p.cols)); }

// Checks a layout of a matrix of order n.
void expect_right_in_scalapack(Index n, const Choice& b) {
  EXPECT_LE(b.processes(), n);  // PDGESVD
  for (Index row = 0; row < b.nprow; ++row)
    for (Index col = 0; col < b.npcol; ++col) {
      const Part part{.n = n,
                      .rows = local_count({b.block, b.nprow, 0, 0}, row, n),
                      .cols = local_count({b.block, b.npcol, 0, 0}, col, n),
                      .block = b.block,
                      .count = b.processes()};
      EXPECT_GT(part.rows * part.cols, 0);
      EXPECT_GE(asked_by_syevd(part), needed_by_ormtr(part));
      EXPECT_GE(asked_by_syevd(part), needed_by_lasrt(part));
      EXPECT_GE(left_by_heevd(part), needed_by_lasrt(part));
    }
}

void expect_accepted_by_solver(const std::string& solver, const Choice& b) {
  EXPECT_GE(b.block, solver == "elpa-gpu" || solver == "cusolvermp" ? 2 : 1);
  if (solver == "elpa-gpu") {
    EXPECT_LE(b.block, 1024);
  }
  if (solver.starts_with("elpa")) {
    EXPECT_TRUE(std::has_single_bit(static_cast<std::uint64_t>(b.block)));
  }
}

// Returns the fit of an m x n matrix on the first processes, which has this layout now.
Fitted fitted(Index m, Index n, const Choice& own, const Rules& rules, int count) {
  const Layout layout{{own.block, own.nprow, 0, 0}, {own.block, own.npcol, 0, 0}};
  std::vector<int> ranks(as_size(own.processes()));
  std::iota(ranks.begin(), ranks.end(), 0);
  return std::get<Fitted>(fitted_layout({layout, ranks, m, n}, rules, count, {}));
}

std::vector<Index> orders() {
  std::vector<Index> all(130);
  std::iota(all.begin(), all.end(), 1);
  all.push_back(200);
  return all;
}

// Numbers of processes. A sanitizer takes minutes for all of them.
#ifdef __SANITIZE_ADDRESS__
constexpr int counts_apart = 5, kept_counts[] = {6};
#else
constexpr int counts_apart = 1, kept_counts[] = {1, 4, 6, 9};
#endif

TEST(Solvers, FitsAreRightForAllOrders) {
  for (const std::string solver : names)
    for (const Index share : {Index{0}, rules_of_solver(solver)->share})
      for (const Index n : orders())
        for (int count = 1; count <= 40; count += counts_apart) {
          Rules rules = *rules_of_solver(solver);
          rules.share = share;
          SCOPED_TRACE(solver + ", n = " + std::to_string(n) + ", " + std::to_string(count) + " processes");
          const Choice b = fitted(n, n, {1, count, (n + count - 1) / count}, rules, count).choice;
          expect_right_in_scalapack(n, b);
          expect_accepted_by_solver(solver, b);
          ASSERT_FALSE(HasFailure()) << b.nprow << " x " << b.npcol << ", " << b.block;
        }
}

// Any layout that the matrix may keep, with square blocks of any size.
TEST(Solvers, KeptLayoutsAreRight) {
  int kept = 0;
  for (const std::string solver : names)
    for (const Index n : orders())
      for (const int count : kept_counts) {
        Rules rules = *rules_of_solver(solver);
        rules.share = 0;
        for (Index nprow = 1; nprow <= count; ++nprow)
          for (Index npcol = 1; nprow * npcol <= count; ++npcol)
            for (Index block = 1; block <= n + 1; block += block < 8 || n < 24 ? 1 : n / 24) {
              const Fitted b = fitted(n, n, {nprow, npcol, block}, rules, count);
              if (!b.kept) continue;
              ++kept;
              SCOPED_TRACE(solver + ", n = " + std::to_string(n));
              expect_right_in_scalapack(n, b.choice);
              expect_accepted_by_solver(solver, b.choice);
              ASSERT_FALSE(HasFailure()) << nprow << " x " << npcol << ", " << block;
            }
      }
  EXPECT_GT(kept, 1250 * std::ssize(kept_counts));
}

// A matrix without elements gets one process, whatever the rules are.
TEST(Solvers, OneProcessForAMatrixWithoutElements) {
  std::vector<Rules> all{{}, {.multiple = 2}, {.blocks = 3, .shape = GridShape::any}, {.shape = GridShape::square}};
  for (const char* solver : names) all.push_back(*rules_of_solver(solver));
  for (const Rules& rules : all)
    for (const auto& [m, n] : {std::pair<Index, Index>{0, 0}, {0, 5}, {500, 0}})
      for (const int count : {1, 4, 7})
        EXPECT_EQ(fitted(m, n, {count, 1, 8}, rules, count).choice.processes(), 1) << m << " x " << n;
}

}  // namespace
}  // namespace xredist::core
