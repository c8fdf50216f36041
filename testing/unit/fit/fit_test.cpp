// SPDX-License-Identifier: BSD-3-Clause
// Layouts that obey rules, against a search that tries all grids and blocks.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "fit/fitted_layout.hpp"
#include "mapping/relabel.hpp"
#include "random/random_traffic.hpp"

namespace xredist::core {
namespace {

using testing::Random;

// A matrix on some of `count` processes, which are on nodes.
struct Case {
  Layout a;
  std::vector<int> ranks;
  Index m, n;
  Rules rules;
  int count;
  std::vector<int> node_of;

  Distributed distributed() const { return {a, ranks, m, n}; }
};

Index one_of(Random& random, std::initializer_list<Index> values) {
  return *(values.begin() + random.below(static_cast<Index>(values.size())));
}

Rules random_rules(Random& random, int count) {
  Rules rules;
  rules.processes = random.below(3) == 0 ? 1 + random.below(count) : 0;
  rules.per_node = one_of(random, {0, 0, 1, 2, 3});
  rules.multiple = one_of(random, {1, 1, 1, 2, 3, 4});
  rules.share = one_of(random, {0, 0, 0, 10, 100});
  rules.columns = one_of(random, {0, 0, 1, 10});
  rules.min_block = one_of(random, {1, 1, 2, 7, 16, 100});
  rules.max_block = one_of(random, {max_elements, rules.min_block, rules.min_block + random.below(70)});
  rules.block = std::clamp<Index>(one_of(random, {1, 5, 8, 16, 64}), rules.min_block, rules.max_block);
  rules.blocks = one_of(random, {0, 0, 1, 2, 3});
  rules.flat = one_of(random, {0, 0, 1, 3, 8, 100});
  rules.shape = static_cast<GridShape>(random.below(3));
  rules.power = random.below(4) == 0;
  return rules;
}

// A case whose layout is cyclic with square blocks from process (0, 0) half of the time.
Case random_case(Random& random) {
  Case c;
  c.count = 1 + static_cast<int>(random.below(random.below(2) == 0 ? 5 : 30));
  const Index nprow = 1 + random.below(c.count), npcol = 1 + random.below(c.count / nprow);
  c.m = random.below(random.below(2) == 0 ? 12 : 300);
  c.n = random.below(3) == 0 ? c.m : random.below(300);
  const bool simple = random.below(2) == 0;
  const auto axis = [&](Index procs, Index size) {
    const Axis cyclic{1 + random.below(size + 3), procs, random.below(procs), 0};
    return random.below(2) == 0 ? cyclic : random_partition(random, cyclic, size);
  };
  const Index block = one_of(random, {1, 2, 4, 8, 16, 32, 50, 64});
  c.a = simple ? Layout{{block, nprow, 0, 0}, {block, npcol, 0, 0}} : Layout{axis(nprow, c.m), axis(npcol, c.n)};
  std::vector<int> all(as_size(c.count));
  std::iota(all.begin(), all.end(), 0);
  for (std::size_t k = all.size(); k > 1 && random.below(2) == 0; --k)
    std::swap(all[k - 1], all[as_size(random.below(static_cast<Index>(k)))]);
  all.resize(as_size(nprow * npcol));
  c.ranks = all;
  const Index nodes = 1 + random.below(4);
  for (int k = 0; k < c.count; ++k) c.node_of.push_back(static_cast<int>(random.below(nodes)));
  c.rules = random_rules(random, c.count);
  return c;
}

// Returns the number of whole blocks of each process along one axis, or of all blocks, counted one by one.
std::vector<Index> blocks_of(Index size, Index block, Index procs, bool only_whole) {
  std::vector<Index> blocks(as_size(procs), 0);
  for (Index first = 0, number = 0; first < size; first += block, ++number)
    at(blocks, number % procs) += !only_whole || size - first >= block;
  return blocks;
}

// Returns whether each process owns as many blocks as the rules demand.
bool has_blocks(const Case& c, Index nprow, Index npcol, Index block) {
  const Index count = nprow * npcol, blocks = c.rules.blocks;
  if (blocks > 0 && count == 1 && block <= 2) return true;
  return std::ranges::all_of(
      std::initializer_list<std::pair<Index, Index>>{{c.m, nprow}, {c.n, npcol}}, [&](auto axis) {
        const auto [size, procs] = axis;
        return (blocks == 0 && procs == 1) ||
               std::ranges::min(blocks_of(size, block, procs, blocks > 0)) >= std::max<Index>(blocks, 1);
      });
}

bool is_legal(const Rules& rules, Index block) {
  return !rules.power || std::has_single_bit(static_cast<std::uint64_t>(block));
}

// Returns whether blocks are not too small. On one process, min_block yields if no such block obeys `blocks`.
bool has_min_block(const Case& c, Index nprow, Index npcol, Index block) {
  const Index least = c.rules.min_block;
  if (block >= least) return true;
  if (nprow * npcol > 1 || c.rules.blocks == 0) return false;
  for (Index larger = least; larger < 2 * least; ++larger)  // one of them is a power of two
    if (is_legal(c.rules, larger) && has_blocks(c, nprow, npcol, larger)) return false;
  return true;
}

Index available(const Case& c) {
  if (c.rules.per_node == 0) return c.count;
  std::map<int, Index> on;
  for (const int node : c.node_of) ++on[node];
  Index sum = 0;
  for (const auto& [node, processes] : on) sum += std::min(processes, c.rules.per_node);
  return sum;
}

bool obeys_grid(const Case& c, Index nprow, Index npcol) {
  const Rules& rules = c.rules;
  const Index count = nprow * npcol;
  if (c.m * c.n == 0) return count == 1;
  Index most = rules.processes > 0 ? std::min(rules.processes, available(c)) : available(c);
  if (rules.share > 0) most = std::min(most, std::max<Index>(1, c.m * c.n / rules.share));
  if (rules.columns > 0) most = std::min(most, std::max<Index>(1, std::max(c.m, c.n) / rules.columns));
  if (count > most || count % rules.multiple != 0) return false;
  if (rules.shape == GridShape::any && count != most) return false;
  if (count <= rules.flat) return nprow == 1;
  if (rules.shape == GridShape::square) return nprow == npcol;
  return rules.shape == GridShape::any || std::max(nprow, npcol) <= std::max<Index>(2 * std::min(nprow, npcol), 3);
}

// Returns whether a grid with square blocks obeys the rules, as xredist/fit.h states them.
bool obeys(const Case& c, Index nprow, Index npcol, Index block) {
  return block <= c.rules.max_block && is_legal(c.rules, block) && obeys_grid(c, nprow, npcol) &&
         has_min_block(c, nprow, npcol, block) && has_blocks(c, nprow, npcol, block);
}

// Returns the best layout of all grids and blocks.
std::optional<Choice> best_of_all(const Case& c) {
  std::optional<Choice> best;
  const auto value = [&](const Choice& x) { return std::tuple(x.processes(), -std::abs(x.nprow - x.npcol), x.block); };
  const Index longest = std::max({c.m, c.n, Index{1}});
  for (Index nprow = 1; nprow <= c.count; ++nprow)
    for (Index npcol = 1; nprow * npcol <= c.count; ++npcol) {
      const bool flat = nprow * npcol <= c.rules.flat;
      if (!flat && (c.m > c.n ? nprow < npcol : nprow > npcol)) continue;
      if (!obeys_grid(c, nprow, npcol)) continue;
      for (Index block = c.rules.block; block >= 1; --block) {
        const Choice choice{nprow, npcol, block};
        if (!obeys(c, nprow, npcol, block)) continue;
        // On one process, a block is not larger than necessary.
        if (nprow * npcol == 1 && block > longest && block > c.rules.min_block &&
            (!c.rules.power || (block / 2 >= longest && block / 2 >= c.rules.min_block)))
          continue;
        if (!best || value(choice) > value(*best)) best = choice;
        break;
      }
    }
  return best;
}

std::string text_of(const Case& c) {
  const Rules& r = c.rules;
  return std::to_string(c.m) + " x " + std::to_string(c.n) + " on " + std::to_string(c.a.rows.procs) + " x " +
         std::to_string(c.a.cols.procs) + " of " + std::to_string(c.count) + ", " + std::to_string(available(c)) +
         " available; processes " + std::to_string(r.processes) + " per_node " + std::to_string(r.per_node) +
         " multiple " + std::to_string(r.multiple) + " share " + std::to_string(r.share) + " columns " +
         std::to_string(r.columns) + " block " + std::to_string(r.min_block) + " <= " + std::to_string(r.block) +
         " <= " + std::to_string(r.max_block) + " blocks " + std::to_string(r.blocks) + " flat " +
         std::to_string(r.flat) + " shape " + std::to_string(static_cast<int>(r.shape)) + " power " +
         std::to_string(r.power);
}

// Checks the ranks of a fit: different processes, and not too many of a node.
void expect_ranks(const Case& c, const Fitted& fitted) {
  ASSERT_EQ(std::ssize(fitted.ranks), fitted.choice.processes());
  EXPECT_EQ(std::set(fitted.ranks.begin(), fitted.ranks.end()).size(), fitted.ranks.size());
  std::map<int, Index> on;
  for (const int rank : fitted.ranks) {
    ASSERT_TRUE(rank >= 0 && rank < c.count);
    const Index there = ++on[at(c.node_of, rank)];
    if (c.rules.per_node > 0) {
      EXPECT_LE(there, c.rules.per_node);
    }
  }
}

// Returns the elements that stay on their process.
double kept(const Case& c, const Choice& choice, const std::vector<int>& ranks) {
  const Layout b{{choice.block, choice.nprow, 0, 0}, {choice.block, choice.npcol, 0, 0}};
  const Volumes volumes(c.a, b, c.m, c.n);
  return retained_elements(volumes, {c.ranks, c.count}, ranks);
}

// Distributes the matrix as a fit would, with blocks of the same size, half of it or twice as long.
void take_fitted_layout(Case& c, Random& random) {
  const auto found = fitted_layout(c.distributed(), c.rules, c.count, c.node_of);
  const auto* fitted = std::get_if<Fitted>(&found);
  if (fitted == nullptr) return;
  const auto& [nprow, npcol, size] = fitted->choice;
  const Index block = std::max<Index>(size * one_of(random, {1, 2, 4}) / 2, 1);
  c.a = {{block, nprow, 0, 0}, {block, npcol, 0, 0}};
  c.ranks = fitted->ranks;
}

TEST(Fit, BestOfAllGridsAndBlocks) {
  Random random(71);
  int unmet = 0, stayed = 0, moved = 0;
  for (int trial = 0; trial < 10'000; ++trial) {
    Case c = random_case(random);
    if (trial % 5 == 0) take_fitted_layout(c, random);
    SCOPED_TRACE(text_of(c));
    const std::optional<Choice> best = best_of_all(c);
    const auto found = fitted_layout(c.distributed(), c.rules, c.count, c.node_of);
    if (!best) {
      ASSERT_TRUE(std::holds_alternative<Unmet>(found));
      ++unmet;
      continue;
    }
    ASSERT_TRUE(std::holds_alternative<Fitted>(found)) << std::get<Unmet>(found).rule;
    const Fitted& fitted = std::get<Fitted>(found);
    expect_ranks(c, fitted);
    const Choice& choice = fitted.choice;
    EXPECT_TRUE(obeys(c, choice.nprow, choice.npcol, choice.block));
    if (fitted.kept) {
      EXPECT_EQ(Layout({{choice.block, choice.nprow, 0, 0}, {choice.block, choice.npcol, 0, 0}}), c.a);
      EXPECT_EQ(fitted.ranks, c.ranks);
      EXPECT_GE(choice.processes(), best->processes());
      ++stayed;
    } else {
      EXPECT_EQ(choice, *best) << choice.nprow << " x " << choice.npcol << ", " << choice.block << " instead of "
                               << best->nprow << " x " << best->npcol << ", " << best->block;
      if (c.m * c.n > 0 && c.rules.per_node == 0) {
        std::vector<int> others(as_size(c.count));
        std::iota(others.begin(), others.end(), 0);
        others.resize(fitted.ranks.size());
        EXPECT_GE(kept(c, choice, fitted.ranks), kept(c, choice, others));
      }
      ++moved;
    }
    const auto again = std::get<Fitted>(fitted_layout(c.distributed(), c.rules, c.count, c.node_of));
    EXPECT_EQ(again.choice, choice);
    EXPECT_EQ(again.ranks, fitted.ranks);
    ASSERT_FALSE(HasFailure()) << "trial " << trial;
  }
  for (const int cases : {unmet, stayed, moved}) EXPECT_GT(cases, 500);
}

// The layout of a fit obeys the rules, so a second fit returns it.
TEST(Fit, ReturnsItsOwnLayout) {
  Random random(72);
  for (int trial = 0; trial < 2'000; ++trial) {
    Case c = random_case(random);
    const auto found = fitted_layout(c.distributed(), c.rules, c.count, c.node_of);
    if (!std::holds_alternative<Fitted>(found)) continue;
    const auto& [choice, ranks, first_kept] = std::get<Fitted>(found);
    c.a = {{choice.block, choice.nprow, 0, 0}, {choice.block, choice.npcol, 0, 0}};
    c.ranks = ranks;
    const auto again = std::get<Fitted>(fitted_layout(c.distributed(), c.rules, c.count, c.node_of));
    EXPECT_TRUE(again.kept) << text_of(c);
    EXPECT_EQ(again.ranks, ranks);
  }
}

Case square(Index n, int count, const Rules& rules) {
  Case c{
      .a = {{64, 1, 0, 0}, {64, 1, 0, 0}}, .ranks = {0}, .m = n, .n = n, .rules = rules, .count = count, .node_of = {}};
  c.node_of.assign(as_size(count), 0);
  return c;
}

Choice chosen(const Case& c) {
  return std::get<Fitted>(fitted_layout(c.distributed(), c.rules, c.count, c.node_of)).choice;
}

TEST(Fit, ScalapackOnFewAndOnManyProcesses) {
  const Rules rules = *rules_of_solver("scalapack");
  EXPECT_EQ(chosen(square(2000, 4, rules)), (Choice{1, 4, 64}));
  EXPECT_EQ(chosen(square(2000, 16, rules)), (Choice{4, 4, 64}));
  EXPECT_EQ(chosen(square(20, 4, rules)), (Choice{1, 1, 10}));  // two blocks, although min_block is 16
  EXPECT_EQ(chosen(square(10'000, 13, *rules_of_solver("elpa"))), (Choice{3, 4, 32}));  // as ELPA advises
  EXPECT_EQ(chosen(square(1000, 16, rules)), (Choice{1, 4, 64}));
  EXPECT_EQ(chosen(square(700, 16, rules)), (Choice{1, 1, 64}));  // small matrices get few processes
  EXPECT_EQ(chosen(square(100'000, 1'000'000, rules)), (Choice{200, 200, 64}));
  EXPECT_EQ(chosen(square(100'000, 1'000'000, {.min_block = 16, .blocks = 2})).processes(), 1'000'000);
}

TEST(Fit, GoesWhereTheMatrixIs) {
  Case c = square(100, 6, {.processes = 2, .block = 10});
  c.a = {{100, 1, 0, 0}, {50, 2, 0, 0}}, c.ranks = {5, 3};
  const auto fitted = std::get<Fitted>(fitted_layout(c.distributed(), c.rules, c.count, c.node_of));
  EXPECT_FALSE(fitted.kept);
  EXPECT_EQ(std::set(fitted.ranks.begin(), fitted.ranks.end()), (std::set{3, 5}));
}

// Of each node, the process that holds most.
TEST(Fit, OneProcessOfEachNode) {
  Case c = square(100, 6, {.per_node = 1, .block = 10});
  c.a = {{80, 1, 0, 0}, {80, 2, 0, 0}}, c.ranks = {2, 1};
  c.node_of = {0, 0, 0, 1, 1, 1};
  const auto fitted = std::get<Fitted>(fitted_layout(c.distributed(), c.rules, c.count, c.node_of));
  EXPECT_EQ(std::set(fitted.ranks.begin(), fitted.ranks.end()), (std::set{2, 3}));
}

// The rule that cannot be met is named, with its value.
TEST(Fit, NamesTheRule) {
  const auto unmet = [](Index n, int count, const Rules& rules) {
    const Case c = square(n, count, rules);
    const auto found = fitted_layout(c.distributed(), c.rules, c.count, c.node_of);
    if (!std::holds_alternative<Unmet>(found)) return std::string("met");
    return std::get<Unmet>(found).rule + std::string(std::get<Unmet>(found).reason.view());
  };
  const GridShape any = GridShape::any;
  EXPECT_EQ(unmet(100, 8, {.min_block = 64, .shape = any}),
            "min_block is 64: no grid of 8 processes obeys all rules for a matrix of 100 x 100");
  EXPECT_EQ(unmet(100, 3, {.multiple = 4}),
            "multiple is 4: no grid of at most 3 processes obeys all rules for a matrix of 100 x 100");
  EXPECT_EQ(unmet(100, 4, {.block = 12, .min_block = 9, .max_block = 15, .power = true}),
            "power is 'Y': no grid of at most 4 processes obeys all rules for a matrix of 100 x 100");
  EXPECT_EQ(unmet(3, 4, {.blocks = 2, .shape = any}).substr(0, 11), "blocks is 2");
  EXPECT_EQ(unmet(10, 4, {.share = 50, .shape = any}), "met");                                        // two processes
  EXPECT_EQ(unmet(10, 8, {.share = 14, .min_block = 2, .shape = any}).substr(0, 11), "share is 14");  // no 1 x 7
  EXPECT_EQ(unmet(1, 4, {.shape = any}).substr(0, 11), "grid is 'A'");
  EXPECT_EQ(unmet(5, 4, {.block = 100, .min_block = 100}), "met");  // by one process
}

TEST(Fit, AllSolversFitAllSizes) {
  for (const char* solver : {"scalapack", "elpa", "elpa-gpu", "slate", "dlaf", "cusolvermp"}) {
    const auto rules = rules_of_solver(solver);
    ASSERT_TRUE(rules) << solver;
    EXPECT_NE(solver_names().find(solver), std::string::npos);
    for (const Index n : {0, 1, 2, 10, 64, 100, 1000, 5000})
      for (const int count : {1, 2, 3, 4, 7, 16, 100}) {
        const Case c = square(n, count, *rules);
        EXPECT_TRUE(std::holds_alternative<Fitted>(fitted_layout(c.distributed(), c.rules, count, c.node_of)))
            << solver << " " << n << " " << count;
      }
  }
  EXPECT_FALSE(rules_of_solver("lapack"));
}

}  // namespace
}  // namespace xredist::core
