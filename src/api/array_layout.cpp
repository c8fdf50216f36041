// SPDX-License-Identifier: BSD-3-Clause
#include "api/array_layout.hpp"

#include <algorithm>
#include <memory>

#include "layout/partition.hpp"

namespace xredist::core {
namespace {

bool is_even(const xredist_axis& axis) { return axis.partition == nullptr && axis.block == XREDIST_EVEN; }

}  // namespace

// Of XREDIST_EVEN, the first processes have an element more than the others.
Axis axis_of(const xredist_array_layout& layout, int k, Index whole, Index first) {
  const xredist_axis& axis = layout.axes[k];
  const Index procs = procs_of(axis);
  if (!is_even(axis)) {
    const Index block = axis.block != 0 ? axis.block : std::max<Index>(ceil_div(whole, procs), 1);
    return make_axis(axis.partition, block, procs, axis.source, first);
  }
  std::vector<Index> cuts(as_size(procs) + 1);
  for (Index p = 0; p <= procs; ++p) at(cuts, p) = whole / procs * p + std::min(p, whole % procs);
  return {std::make_shared<const Partition>(cuts, std::span<const int>(), procs), first};
}

std::vector<int> order_of(const xredist_array_layout& layout) { return given_or_ascending(layout.order, layout.dims); }

Index positions_of(const xredist_array_layout& layout) {
  Index positions = copies_of(layout);
  for (int k = 0; k < layout.dims; ++k) positions *= procs_of(layout.axes[k]);
  return positions;
}

std::optional<std::array<Index, XREDIST_MAX_DIMS>> coordinates_of(const xredist_array_layout& layout, int rank) {
  const Index size = positions_of(layout);
  Index position = layout.ranks == nullptr ? rank : std::find(layout.ranks, layout.ranks + size, rank) - layout.ranks;
  if (position < 0 || position >= size) return {};
  std::array<Index, XREDIST_MAX_DIMS> coordinates{};
  for (int k = layout.dims; k-- > 0;) {
    const Index procs = procs_of(layout.axes[k]);
    at(coordinates, k) = position % procs;
    position /= procs;
  }
  return coordinates;
}

void set_local_shape(const xredist_array_layout& whole, const std::int64_t shape[], int rank, std::int64_t local[]) {
  const auto coordinates = coordinates_of(whole, rank);
  for (int k = 0; k < whole.dims; ++k)
    local[k] = coordinates ? local_extent(axis_of(whole, k, shape[k], 0), at(*coordinates, k), shape[k]) : 0;
}

std::vector<int> ranks_of(const xredist_array_layout& layout) {
  const std::vector<int> given = given_or_ascending(layout.ranks, positions_of(layout));
  const Index copies = copies_of(layout), positions = std::ssize(given) / copies;
  std::vector<int> ranks(given.size());
  for (Index copy = 0; copy < copies; ++copy)
    for (Index k = 0; k < positions; ++k) at(ranks, k * copies + copy) = at(given, copy * positions + k);
  return ranks;
}

}  // namespace xredist::core
