// SPDX-License-Identifier: BSD-3-Clause
#include "layout/listed.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "layout/partition.hpp"

namespace xredist::core {
namespace {

// Bits for an entry, of which a bitmap has one for each number between the least and the greatest entry. Sorting takes
// as long as the bitmap with more.
constexpr Index bits_of_entry = 256;

// Returns the number of the first entry from `begin` on that does not follow the entry before it.
std::size_t end_of_neighbours(std::span<const Index> list, std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < list.size() && list[end] == list[end - 1] + 1) ++end;
  return end;
}

// Returns the position of the first entry that comes before, by a bitmap.
std::optional<Index> repeated_by_bitmap(std::span<const Index> list, Index least, Index greatest) {
  std::vector<bool> seen(as_size(greatest - least + 1), false);
  for (std::size_t k = 0; k < list.size(); ++k) {
    const auto number = as_size(list[k] - least);
    if (seen[number]) return static_cast<Index>(k);
    seen[number] = true;
  }
  return {};
}

// Returns the position of the first entry that comes before, by sorting.
std::optional<Index> repeated_by_sorting(std::span<const Index> list) {
  std::vector<Index> order(list.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](Index k) { return std::pair(at(list, k), k); });
  std::optional<Index> first;
  for (std::size_t k = 1; k < order.size(); ++k)
    if (at(list, order[k]) == at(list, order[k - 1])) first = std::min(first.value_or(order[k]), order[k]);
  return first;
}

}  // namespace

std::optional<Positions> repeated_in(std::span<const Index> list) {
  if (list.empty() || end_of_neighbours(list, 0) == list.size()) return {};
  const auto [least, greatest] = std::ranges::minmax(list);
  const bool near = greatest - least < bits_of_entry * std::ssize(list);
  const std::optional<Index> second = near ? repeated_by_bitmap(list, least, greatest) : repeated_by_sorting(list);
  if (!second) return {};
  return Positions{std::ranges::find(list, at(list, *second)) - list.begin(), *second};
}

Axis listed(const Axis& axis, std::span<const Index> list, Index base, bool repeats) {
  Axis whole = axis;
  whole.first = 0;
  if (list.empty()) return whole;
  if (end_of_neighbours(list, 0) == list.size()) {
    whole.first = list.front() - base;
    return whole;
  }
  std::vector<OwnedInterval> intervals;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = end_of_neighbours(list, begin);
    const Index last = list[end - 1] - base + 1;
    Index k = static_cast<Index>(begin), element = list[begin] - base;
    for (BlockScan block(whole, element);; block.step()) {
      const Index next = std::min(block.end(), last);
      const Index length = next - element;
      const Index place = block.local(element);
      if (!intervals.empty() && intervals.back().owner == block.owner() && local_end(intervals.back()) == place)
        intervals.back().end += length;
      else
        intervals.push_back({{k, k + length}, place, static_cast<std::int32_t>(block.owner())});
      k += length, element = next;
      if (element == last) break;
    }
    begin = end;
  }
  return {std::make_shared<const Partition>(std::move(intervals), axis.procs, repeats), 0};
}

}  // namespace xredist::core
