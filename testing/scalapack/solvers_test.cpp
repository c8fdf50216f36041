// SPDX-License-Identifier: BSD-3-Clause
// ScaLAPACK's solvers in the layouts of fits, on dense matrices, with the workspace that they ask for.
#include "solvers.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "ranks.hpp"
#include "xredist/blacs.h"

namespace xredist::testing {
namespace {

// The number of rows and of columns of a grid, and the block size.
using Layout = std::tuple<int, int, int>;

Layout fit(int n, const Layout& own, const xredist_rules& rules) {
  const auto [nprow, npcol, block] = own;
  const xredist_layout a{.nprow = nprow, .npcol = npcol, .mb = block, .nb = block};
  std::vector<int> ranks(static_cast<std::size_t>(size()));
  xredist_layout b{};
  EXPECT_EQ(xredist_fit(MPI_COMM_WORLD, n, n, &a, &rules, &b, ranks.data()), 0) << xredist_error();
  return {b.nprow, b.npcol, static_cast<int>(b.mb)};
}

// Returns the layouts of a preset: for a matrix in slabs, and the one with the largest blocks that a matrix keeps.
std::set<Layout> layouts(int n, const xredist_rules& rules) {
  const Layout slabs = fit(n, {1, size(), (n + size() - 1) / size()}, rules);
  for (int block = 2 * std::get<2>(slabs); block > std::get<2>(slabs); --block) {
    const Layout own{std::get<0>(slabs), std::get<1>(slabs), block};
    if (fit(n, own, rules) == own) return {slabs, own};
  }
  return {slabs};
}

// Returns the layouts of all presets, also with as many processes as they can have.
std::set<Layout> layouts_of_all_presets(int n) {
  std::set<Layout> all;
  for (const char* preset : {"scalapack", "elpa", "elpa-gpu", "slate", "dlaf", "cusolvermp"}) {
    xredist_rules rules;
    EXPECT_EQ(xredist_rules_for(preset, &rules), 0);
    all.merge(layouts(n, rules));
    rules.share = 0;
    all.merge(layouts(n, rules));
  }
  return all;
}

class Solvers : public ::testing::Test {
 protected:
  // Checks a routine in a layout.
  void expect_right(const Solver& solver, int n, const Layout& layout) {
    const auto [nprow, npcol, block] = layout;
    const GridShape shape = row_major(nprow, npcol);
    const auto [place, is_new] = grids_.try_emplace({nprow, npcol}, shape);
    const Solved solved = solver.solve({n, block, shape, place->second});
    SCOPED_TRACE(std::string(solver.name) + ", n = " + std::to_string(n) + ", blocks of " + std::to_string(block) +
                 " on " + std::to_string(nprow) + " x " + std::to_string(npcol));
    EXPECT_EQ(complaint(), "");
    EXPECT_EQ(solved.info, 0);
    EXPECT_FALSE(solved.overrun);
    EXPECT_LT(solved.error, 1e-11);
  }

 private:
  std::map<std::pair<int, int>, Context> grids_;
};

// PDSYEVD asks for too little workspace in some layouts.
TEST_F(Solvers, EigenvectorsOfAllOrders) {
  xredist_rules rules;
  ASSERT_EQ(xredist_rules_for("scalapack", &rules), 0);
  for (int n = 1; n <= 130 && !HasFailure(); ++n)
    for (const Layout& layout : layouts(n, rules))
      for (const Solver& solver : solvers())
        if (std::string_view(solver.name).starts_with("PDSYEVD")) expect_right(solver, n, layout);
}

TEST_F(Solvers, RightForSomeOrders) {
  for (const int n : {1, 2, 3, 4, 6, 9, 17, 32, 50, 85, 130, 200})
    for (const Layout& layout : layouts_of_all_presets(n))
      for (const Solver& solver : solvers())
        if (!HasFailure()) expect_right(solver, n, layout);
}

// Takes minutes.
TEST_F(Solvers, RightForAllOrders) {
  for (int n = 1; n <= 200; n += n == 130 ? 70 : 1)
    for (const Layout& layout : layouts_of_all_presets(n))
      for (const Solver& solver : solvers())
        if (!HasFailure()) expect_right(solver, n, layout);
}

}  // namespace
}  // namespace xredist::testing
