// SPDX-License-Identifier: BSD-3-Clause
#include "fit/fitted_layout.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <tuple>

#include "layout/grouped.hpp"
#include "mapping/relabel.hpp"

namespace xredist::core {
namespace {

std::vector<Index> elements_of_each(const Distributed& a, int count) {
  std::vector<Index> elements(as_size(count), 0);
  const auto& [rows, cols] = a.layout;
  for (Index p = 0; p < rows.procs; ++p)
    for (Index q = 0; q < cols.procs; ++q)
      at(elements, at(a.ranks, p * cols.procs + q)) = local_count(rows, p, a.m) * local_count(cols, q, a.n);
  return elements;
}

// Returns the processes from which to choose, in ascending order: of each node, those that hold the most elements.
std::vector<int> candidates(const Distributed& a, const Rules& rules, int count, std::span<const int> node_of) {
  std::vector<int> all(as_size(count));
  std::iota(all.begin(), all.end(), 0);
  if (rules.per_node == 0) return all;
  const std::vector<Index> elements = elements_of_each(a, count);
  std::ranges::sort(all, {}, [&](int process) { return std::tuple(-at(elements, process), process); });
  std::vector<Index> taken(as_size(std::ranges::max(node_of)) + 1, 0);
  std::erase_if(all, [&](int process) { return ++at(taken, at(node_of, process)) > rules.per_node; });
  std::ranges::sort(all);
  return all;
}

bool obeys_per_node(const Distributed& a, const Rules& rules, std::span<const int> node_of) {
  if (rules.per_node == 0) return true;
  const auto node = [&](int rank) { return at(node_of, rank); };
  return std::ranges::max(count_each(std::ranges::max(node_of) + 1, a.ranks, node)) <= rules.per_node;
}

// Returns whether the matrix may stay as it is. `best`: the layout that the search has found.
bool stays(const Distributed& a, const Rules& rules, const Choice& best, Index available,
           std::span<const int> node_of) {
  const auto& [rows, cols] = a.layout;
  if (!is_cyclic(rows) || !is_cyclic(cols) || rows.block() != cols.block()) return false;
  if (rows.source() != 0 || cols.source() != 0) return false;
  const Choice own{rows.procs, cols.procs, rows.block()};
  if (own.processes() < best.processes() || !obeys_per_node(a, rules, node_of)) return false;
  if (!accepts_grid(rules, a.m, a.n, own.nprow, own.npcol, available)) return false;
  if (own.block > longest_block(rules, a.m, a.n, own.nprow, own.npcol)) return false;
  if (rules.power && !std::has_single_bit(static_cast<std::uint64_t>(own.block))) return false;
  const Index wanted = largest_block(rules, a.m, a.n, own.nprow, own.npcol);
  return own.block >= std::max(std::min(rules.min_block, wanted), ceil_div(wanted, 2)) &&
         own.block <= std::min(rules.max_block, 2 * wanted);
}

}  // namespace

std::variant<Fitted, Unmet> fitted_layout(const Distributed& a, const Rules& rules, int count,
                                          std::span<const int> node_of) {
  const std::vector<int> from = candidates(a, rules, count, node_of);
  const std::variant<Choice, Unmet> found = search(rules, a.m, a.n, std::ssize(from));
  if (const auto* unmet = std::get_if<Unmet>(&found)) return *unmet;
  const Choice& best = std::get<Choice>(found);
  if (stays(a, rules, best, std::ssize(from), node_of))
    return Fitted{
        {a.layout.rows.procs, a.layout.cols.procs, a.layout.rows.block()}, {a.ranks.begin(), a.ranks.end()}, true};

  std::vector<int> number(as_size(count), nobody);
  for (std::size_t k = 0; k < from.size(); ++k) at(number, from[k]) = static_cast<int>(k);
  Available available{{a.ranks.begin(), a.ranks.end()}, static_cast<int>(from.size())};
  for (int& process : available.at_a) process = at(number, process);
  const Layout b{{best.block, best.nprow, 0, 0}, {best.block, best.npcol, 0, 0}};
  Fitted fitted{best, relabel(a.layout, b, a.m, a.n, available).map, false};
  for (int& process : fitted.ranks) process = at(from, process);
  return fitted;
}

}  // namespace xredist::core
