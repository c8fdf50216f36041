// SPDX-License-Identifier: BSD-3-Clause
#include "layout/fold.hpp"

#include <algorithm>
#include <utility>

#include "layout/partition.hpp"

namespace xredist::core {
namespace {

// Returns whether every process holds all elements of the axis, and its local array begins with the first of them.
bool is_whole(const ArrayAxis& axis) {
  const auto whole = [](const Axis& side) { return side.procs == 1 && side.first == 0 && in_order(side); };
  return whole(axis.a) && whole(axis.b);
}

// Returns the axes of an order that a fold has to consider.
std::vector<int> considered(std::span<const ArrayAxis> axes, std::span<const int> order) {
  std::vector<int> left;
  for (const int axis : order)
    if (at(axes, axis).n != 1 || !is_whole(at(axes, axis))) left.push_back(axis);
  return left;
}

// Returns a bound of the indices, in the array and in local arrays, of the elements of an axis.
Index end_of(const Axis& axis, Index n) {
  return in_order(axis) ? axis.first + n : std::max(axis.first + n, axis.partition()->local_end());
}

Index elements_of(std::span<const ArrayAxis> axes, const AxisGroup& group) {
  Index elements = 1;
  for (const int axis : group) elements *= at(axes, axis).n;
  return elements;
}

// Returns whether an axis joins a group of axes before it in B's memory. Indices of a joined axis stay in the limits.
bool joins(std::span<const ArrayAxis> axes, const AxisGroup& group, int axis, const std::vector<int>& order_a) {
  const auto whole = [&](int member) { return is_whole(at(axes, member)); };
  if (!std::ranges::all_of(group, whole)) return false;
  const auto last = std::ranges::find(order_a, group.back());
  if (last + 1 == order_a.end() || last[1] != axis) return false;
  const ArrayAxis& next = at(axes, axis);
  const Index elements = elements_of(axes, group);
  return elements > 0 && std::max(end_of(next.a, next.n), end_of(next.b, next.n)) <= max_elements / elements;
}

// Returns the overlap of a group, or that of one element.
Overlap overlap_of(std::span<const ArrayAxis> axes, const AxisGroup& group) {
  if (group.empty()) return point;
  const ArrayAxis& last = at(axes, group.back());
  const Index parts = elements_of(axes, {group.begin(), group.end() - 1});
  return {subdivided(last.a, parts), subdivided(last.b, parts), last.n * parts};
}

}  // namespace

Fold fold(std::span<const ArrayAxis> axes, std::span<const int> order_a, std::span<const int> order_b) {
  const std::vector<int> in_a = considered(axes, order_a), in_b = considered(axes, order_b);
  if (in_b.empty()) return {};
  Fold fold;
  fold.transposed = in_a.front() != in_b.front();
  for (const int axis : in_b) {
    // The rows of a transposed A have one stride.
    const bool closed = fold.cols.size() == 1 && fold.transposed;
    if (!fold.cols.empty() && !closed && joins(axes, fold.cols.back(), axis, in_a))
      fold.cols.back().push_back(axis);
    else
      fold.cols.push_back({axis});
  }
  fold.rows = std::move(fold.cols.front());
  fold.cols.erase(fold.cols.begin());
  if (fold.transposed) {
    const auto fastest = std::ranges::find(fold.cols, in_a.front(), [](const AxisGroup& group) { return group[0]; });
    std::rotate(fold.cols.begin(), fastest, fastest + 1);
  }
  return fold;
}

Traffic traffic_of(std::span<const ArrayAxis> axes, const Fold& fold) {
  Overlap rows = overlap_of(axes, fold.rows);
  if (fold.cols.size() < 2) return {rows, overlap_of(axes, fold.cols.empty() ? AxisGroup{} : fold.cols.front())};
  std::vector<Overlap> factors;
  for (const AxisGroup& group : fold.cols) factors.push_back(overlap_of(axes, group));
  return {std::move(rows), Overlap(std::move(factors))};
}

std::vector<int> folded_ranks(const Fold& fold, std::span<const Index> procs, std::span<const int> ranks,
                              bool cols_first) {
  // The distance, in the array's grid, of processes that are adjacent along an axis.
  std::vector<Index> strides(procs.size(), 1);
  for (std::size_t axis = procs.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * procs[axis];
  const auto positions = [&](std::span<const AxisGroup> groups) {
    std::vector<Index> all{0};
    for (const AxisGroup& group : groups) {
      if (group.empty()) continue;  // a single row
      const int axis = group.back();
      const std::size_t before = all.size();
      for (Index p = 1; p < at(procs, axis); ++p)
        for (std::size_t k = 0; k < before; ++k) all.push_back(all[k] + p * at(strides, axis));
    }
    return all;
  };
  std::vector<Index> outer = positions({&fold.rows, 1}), inner = positions(fold.cols);
  if (cols_first) std::swap(outer, inner);
  std::vector<int> folded;
  folded.reserve(ranks.size());
  for (const Index x : outer)
    for (const Index y : inner) folded.push_back(at(ranks, x + y));
  return folded;
}

}  // namespace xredist::core
