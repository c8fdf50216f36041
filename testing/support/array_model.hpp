// SPDX-License-Identifier: BSD-3-Clause
// A model of distributed arrays that knows each axis alone: the local place of every element.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "owners.hpp"
#include "random.hpp"
#include "ranks.hpp"
#include "xredist/array.h"

namespace xredist::testing {

using Integers = std::vector<std::int64_t>;

/// One side of an array: what its layout points to.
struct Side {
  std::vector<xredist_axis> axes;
  std::vector<int> order, ranks;  ///< the ranks of all copies
  Integers shape;
  std::int64_t copies = 1;

  xredist_array_layout layout() const {
    return {.dims = static_cast<int>(axes.size()),
            .axes = axes.data(),
            .shape = shape.empty() ? nullptr : shape.data(),
            .order = order.data(),
            .ranks = ranks.data(),
            .copies = copies};
  }
};

/// Returns the coordinate of the process that owns element g of an axis of n elements.
inline std::int64_t owner_of(const xredist_axis& axis, std::int64_t n, std::int64_t g) {
  const std::int64_t procs = std::max(axis.procs, 1);
  if (axis.block != XREDIST_EVEN)
    return owner_in_blocks(g, axis.block != 0 ? axis.block : std::max<std::int64_t>((n + procs - 1) / procs, 1),
                           axis.source, procs);
  const std::int64_t longer = n % procs, length = n / procs;
  return g < longer * (length + 1) ? g / (length + 1) : longer + (g - longer * (length + 1)) / length;
}

/// The local array of this process by the model: the local index of each element along each axis, or -1.
struct Local {
  std::vector<Integers> index;
  Integers extents, strides;
  bool member = false;

  // `gaps`: added to the extent of each axis.
  Local(const Side& side, const Integers& whole, const Integers& gaps) : index(whole.size()), extents(whole.size(), 0) {
    const auto position = std::ranges::find(side.ranks, rank()) - side.ranks.begin();
    member = position < std::ssize(side.ranks);
    std::int64_t rest = member ? position : 0;
    for (std::size_t k = whole.size(); k-- > 0;) {
      const std::int64_t procs = std::max(side.axes[k].procs, 1);
      for (std::int64_t g = 0; g < whole[k]; ++g)
        index[k].push_back(member && owner_of(side.axes[k], whole[k], g) == rest % procs ? extents[k]++ : -1);
      rest /= procs;
    }
    strides.resize(whole.size());
    std::int64_t stride = 1;
    for (const int axis : side.order) {
      const auto k = static_cast<std::size_t>(axis);
      strides[k] = stride;
      stride *= std::max<std::int64_t>(extents[k] + gaps[k], 1);
    }
  }
  std::size_t size() const {
    std::int64_t last = 0;
    for (std::size_t k = 0; k < extents.size(); ++k) last += std::max<std::int64_t>(extents[k] - 1, 0) * strides[k];
    return static_cast<std::size_t>(last + 1);
  }
  // Returns the place of an element of the array; -1 on another process.
  std::int64_t place(const Integers& element) const {
    std::int64_t place = 0;
    for (std::size_t k = 0; k < element.size(); ++k) {
      const std::int64_t local = index[k][static_cast<std::size_t>(element[k])];
      if (local < 0) return -1;
      place += local * strides[k];
    }
    return place;
  }
};

/// Calls visit(indices) for all elements of a shape.
template <class Visit>
void for_elements(const Integers& shape, Visit visit) {
  if (std::ranges::count(shape, 0) > 0) return;
  Integers element(shape.size(), 0);
  for (;;) {
    visit(element);
    std::size_t k = 0;
    while (k < shape.size() && ++element[k] == shape[k]) element[k++] = 0;
    if (k == shape.size()) return;
  }
}

/// Returns a value that tells elements apart.
inline double value_of(const Integers& element) {
  double value = 1;
  for (const std::int64_t index : element) value = 17 * value + static_cast<double>(index);
  return value;
}

/// Returns a side of an array of the given size, on any grid of at most all processes, and perhaps in several copies.
inline Side random_side(Random& random, const Integers& whole) {
  Side side;
  std::int64_t procs = 1;
  for (std::size_t k = 0; k < whole.size(); ++k) {
    xredist_axis axis{};
    if (random.one_in(2)) axis.procs = random.in(1, static_cast<int>(size() / procs));
    procs *= std::max(axis.procs, 1);
    if (random.one_in(2)) axis.block = random.in(1, 4);
    if (random.one_in(4)) axis.block = XREDIST_EVEN;
    if (axis.block != XREDIST_EVEN) axis.source = random.in(0, std::max(axis.procs, 1) - 1);
    side.axes.push_back(axis);
  }
  random.shuffle(side.axes);
  side.order.resize(whole.size());
  std::iota(side.order.begin(), side.order.end(), 0);
  if (!random.one_in(3)) random.shuffle(side.order);
  if (random.one_in(3)) side.copies = random.in(1, static_cast<int>(size() / procs));
  side.ranks = random_ranks(random, size());
  side.ranks.resize(static_cast<std::size_t>(procs * side.copies));
  side.shape = whole;
  return side;
}

}  // namespace xredist::testing
