// SPDX-License-Identifier: BSD-3-Clause
#include "fit/search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

namespace xredist::core {
namespace {

Index floor_power(Index x) { return static_cast<Index>(std::bit_floor(static_cast<std::uint64_t>(x))); }
Index ceil_power(Index x) { return static_cast<Index>(std::bit_ceil(static_cast<std::uint64_t>(x))); }

// On one process, blocks of up to this size are right however small the matrix is: solvers.cpp.
constexpr Index always_right = 2;

// Returns the largest size of blocks of n rows with which each of procs grid rows owns one, which may be short.
Index longest_block_for_each(Index n, Index procs) {
  if (procs == 1) return max_elements;
  return n < procs ? 0 : (n - 1) / (procs - 1);
}

// Returns the maximum number of grid rows that own enough blocks of m rows (or columns, of n).
Index max_side(const Rules& rules, Index m) {
  return std::max<Index>(1, rules.blocks > 0 ? m / rules.min_block / rules.blocks : ceil_div(m, rules.min_block));
}

Index max_processes(const Rules& rules, Index m, Index n, Index available) {
  if (m * n == 0) return 1;
  Index most = rules.processes > 0 ? std::min(rules.processes, available) : available;
  if (rules.share > 0) most = std::min(most, std::max<Index>(1, m * n / rules.share));
  if (rules.columns > 0) most = std::min(most, std::max<Index>(1, std::max(m, n) / rules.columns));
  return most;
}

Choice placed(Index shorter, Index longer, bool high) {
  return high ? Choice{longer, shorter, 0} : Choice{shorter, longer, 0};
}

// Returns the squarest grid of `count` processes that obeys the rules.
std::optional<Choice> squarest(const Rules& rules, Index m, Index n, Index count, Index available) {
  const bool flat = count <= rules.flat;
  const auto root = static_cast<Index>(std::sqrt(static_cast<double>(count)));
  for (Index side = flat ? 1 : root; side >= 1; --side) {
    if (count % side != 0) continue;
    Choice choice = placed(side, count / side, m > n && !flat);
    if (!accepts_grid(rules, m, n, choice.nprow, choice.npcol, available)) continue;
    choice.block = largest_block(rules, m, n, choice.nprow, choice.npcol);
    if (choice.block > 0) return choice;
  }
  return {};
}

std::optional<Choice> find(const Rules& rules, Index m, Index n, Index available) {
  Index most = max_processes(rules, m, n, available);
  if (rules.shape == GridShape::any || m * n == 0) return squarest(rules, m, n, most, available);
  const Index rows = max_side(rules, m), cols = max_side(rules, n);
  if (rows < most && cols < most) most = std::min(most, rows * cols);
  for (Index count = most / rules.multiple * rules.multiple; count >= 1; count -= rules.multiple)
    if (const auto choice = squarest(rules, m, n, count, available)) return choice;
  return {};
}

// A rule, its value in messages, and the rules without it.
struct Relaxed {
  const char* rule;
  Text value;
  Rules rest;
};

std::vector<Relaxed> relaxations(const Rules& rules) {
  std::vector<Relaxed> all;
  const auto without = [&](const char* name, Index Rules::*member, Index none) {
    if (rules.*member == none) return;
    all.push_back({name, Text() << rules.*member, rules});
    all.back().rest.*member = none;
  };
  if (rules.power) {
    all.push_back({"power", "'Y'", rules});
    all.back().rest.power = false;
  }
  without("multiple", &Rules::multiple, 1);
  without("share", &Rules::share, 0);
  without("columns", &Rules::columns, 0);
  without("min_block", &Rules::min_block, 1);
  without("blocks", &Rules::blocks, 0);
  without("flat", &Rules::flat, 0);
  return all;
}

}  // namespace

Index longest_block(const Rules& rules, Index m, Index n, Index nprow, Index npcol) {
  if (rules.blocks == 0) return std::min(longest_block_for_each(m, nprow), longest_block_for_each(n, npcol));
  const Index whole = std::min(m / (nprow * rules.blocks), n / (npcol * rules.blocks));
  return nprow * npcol == 1 ? std::max(whole, always_right) : whole;
}

Index largest_block(const Rules& rules, Index m, Index n, Index nprow, Index npcol) {
  const auto legal = [&](Index block) { return rules.power && block > 0 ? floor_power(block) : block; };
  const Index longest = longest_block(rules, m, n, nprow, npcol);
  Index block = std::min(rules.block, longest), least = rules.min_block;
  if (nprow * npcol == 1) {
    const Index whole = std::max({m, n, rules.min_block, Index{1}});
    block = std::min(block, rules.power ? ceil_power(whole) : whole);
    least = std::min(least, legal(longest));  // there are no fewer processes
  }
  block = legal(block);
  return block >= least ? block : 0;
}

bool accepts_grid(const Rules& rules, Index m, Index n, Index nprow, Index npcol, Index available) {
  const Index count = nprow * npcol, shorter = std::min(nprow, npcol), longer = std::max(nprow, npcol);
  if (m * n == 0) return count == 1;
  const Index most = max_processes(rules, m, n, available);
  if (count > most || count % rules.multiple != 0) return false;
  if (rules.shape == GridShape::any && count != most) return false;
  if (count <= rules.flat) return nprow == 1;
  if (rules.shape == GridShape::square) return nprow == npcol;
  return rules.shape == GridShape::any || longer <= std::max<Index>(2 * shorter, 3);
}

std::variant<Choice, Unmet> search(const Rules& rules, Index m, Index n, Index available) {
  if (const auto choice = find(rules, m, n, available)) return *choice;
  const char* letter = rules.shape == GridShape::square ? "'S'" : rules.shape == GridShape::any ? "'A'" : "'Q'";
  Relaxed unmet{"grid", letter, rules};
  for (const Relaxed& relaxed : relaxations(rules))
    if (find(relaxed.rest, m, n, available)) {
      unmet = relaxed;
      break;
    }
  const char* number = rules.shape == GridShape::any ? "" : "at most ";
  return Unmet{unmet.rule, Text() << " is " << unmet.value << ": no grid of " << number
                                  << max_processes(rules, m, n, available)
                                  << " processes obeys all rules for a matrix of " << m << " x " << n};
}

}  // namespace xredist::core
