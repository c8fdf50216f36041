// SPDX-License-Identifier: BSD-3-Clause
#include "api/array_layout.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "layout/digest.hpp"
#include "layout/partition.hpp"

namespace xredist::core {
namespace {

bool is_even(const xredist_axis& axis) { return axis.partition == nullptr && axis.block == XREDIST_EVEN; }

MaybeError error_of_axis(std::string_view name, const xredist_axis& axis, int k) {
  const auto member = [&](const char* of) { return ArgumentRef{name, k, of}; };
  if (axis.reserved[0] != 0) return ArgumentError{member(".axes[].reserved"), " is not 0"};
  if (axis.procs < 0) return value_error(member(".axes[].procs"), axis.procs, ", must be at least 1, or 0 for 1");
  if (axis.partition != nullptr) return partition_error(member(".axes[].partition"), axis.partition, procs_of(axis));
  if (axis.block < XREDIST_EVEN || axis.block > max_elements)
    return value_error(member(".axes[].block"), axis.block, ", must be in 0 .. 2^40, or XREDIST_EVEN");
  const Index last_source = is_even(axis) ? 0 : procs_of(axis) - 1;
  if (axis.source < 0 || axis.source > last_source)
    return value_error(member(".axes[].source"), axis.source, ", must be in 0 .. " + std::to_string(last_source));
  return {};
}

// Checks that the order has each axis once.
MaybeError order_error(std::string_view name, const xredist_array_layout& layout) {
  if (layout.order == nullptr) return {};
  std::vector<bool> seen(as_size(layout.dims), false);
  for (int k = 0; k < layout.dims; ++k) {
    const int axis = layout.order[k];
    const ArgumentRef entry{name, k, ".order[]"};
    if (axis < 0 || axis >= layout.dims)
      return value_error(entry, axis, ", must be an axis, 0 .. " + std::to_string(layout.dims - 1));
    if (at(seen, axis)) return value_error(entry, axis, ", an axis that comes before");
    at(seen, axis) = true;
  }
  return {};
}

MaybeError shape_error(std::string_view name, const xredist_array_layout& layout) {
  if (layout.shape == nullptr) return {};
  for (int k = 0; k < layout.dims; ++k)
    if (const Index n = layout.shape[k]; n < 0 || n > max_elements)
      return value_error({name, k, ".shape[]"}, n, ", must be in 0 .. 2^40");
  return {};
}

}  // namespace

MaybeError array_layout_error(std::string_view name, const xredist_array_layout* layout, Index size) {
  if (layout == nullptr) return null_error({name}, nullptr);
  if (layout->dims < 1 || layout->dims > XREDIST_MAX_DIMS)
    return value_error({name, -1, ".dims"}, layout->dims, ", must be in 1 .. " + std::to_string(XREDIST_MAX_DIMS));
  if (MaybeError error = reserved_error({name, -1, ".reserved"}, layout->reserved)) return error;
  if (layout->axes == nullptr) return null_error({name, -1, ".axes"}, nullptr);
  Index positions = 1;
  // Multiplies the number of processes by those along an axis.
  const auto grid_error = [&](const ArgumentRef& member, Index value, Index procs) -> MaybeError {
    if (procs <= size / positions) return positions *= procs, std::nullopt;
    return value_error(member, value,
                       ": the grid needs more than the " + std::to_string(size) + " processes of the communicator");
  };
  for (int k = 0; k < layout->dims; ++k) {
    const xredist_axis& axis = layout->axes[k];
    if (MaybeError error = error_of_axis(name, axis, k)) return error;
    if (MaybeError error = grid_error({name, k, ".axes[].procs"}, axis.procs, procs_of(axis))) return error;
  }
  const ArgumentRef copies{name, -1, ".copies"};
  if (layout->copies < 0) return value_error(copies, layout->copies, ", must be at least 1, or 0 for 1");
  if (MaybeError error = grid_error(copies, layout->copies, copies_of(*layout))) return error;
  return first_of(
      {order_error(name, *layout), shape_error(name, *layout), ranks_error(name, layout->ranks, positions, size)});
}

MaybeError within_array_error(std::string_view name, const xredist_array_layout& layout, const char* first_name,
                              const int64_t first[], const int64_t count[]) {
  for (int k = 0; k < layout.dims; ++k) {
    const Index begin = first != nullptr ? first[k] : 1;
    const auto error = [&](const char* whole, Index end) -> MaybeError {
      if (ends_within(begin, count[k], end)) return {};
      if (first_name == nullptr)
        return value_error({"shape", k, "[]"}, count[k],
                           ": beyond " + text_of({name, k, whole}) + ", which ends at " + std::to_string(end));
      return value_error({"operation", k, first_name}, begin,
                         ": with " + text_of({"shape", k, "[]"}) + " = " + std::to_string(count[k]) +
                             " the subarray reaches beyond " + text_of({name, k, whole}) + ", which ends at " +
                             std::to_string(end));
    };
    if (layout.shape != nullptr)
      if (MaybeError beyond = error(".shape", layout.shape[k])) return beyond;
    if (const xredist_partition* partition = layout.axes[k].partition)
      if (MaybeError beyond = error(".axes[].partition", partition->bounds[partition->count])) return beyond;
  }
  return {};
}

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
    local[k] = coordinates ? local_count(axis_of(whole, k, shape[k], 0), at(*coordinates, k), shape[k]) : 0;
}

std::vector<int> ranks_of(const xredist_array_layout& layout) {
  const std::vector<int> given = given_or_ascending(layout.ranks, positions_of(layout));
  const Index copies = copies_of(layout), positions = std::ssize(given) / copies;
  std::vector<int> ranks(given.size());
  for (Index copy = 0; copy < copies; ++copy)
    for (Index k = 0; k < positions; ++k) at(ranks, k * copies + copy) = at(given, copy * positions + k);
  return ranks;
}

Index fingerprint(const xredist_array_layout& layout, int k) {
  const xredist_axis& axis = layout.axes[k];
  Digest digest;
  digest.add(procs_of(axis));
  digest.add(axis.partition == nullptr ? axis.block : 0);
  digest.add(axis.partition == nullptr ? Index{axis.source} : fingerprint(axis.partition));
  digest.add(layout.order != nullptr ? Index{layout.order[k]} : k);
  digest.add(layout.shape != nullptr ? layout.shape[k] : Index{-1});
  return digest.number();
}

}  // namespace xredist::core
