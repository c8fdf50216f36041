// SPDX-License-Identifier: BSD-3-Clause
#include "copy/array_form.hpp"

#include <algorithm>
#include <utility>

namespace xredist::core {
namespace {

std::vector<Index> procs_of(std::span<const ArrayAxis> axes, const Axis ArrayAxis::*side) {
  std::vector<Index> procs;
  for (const ArrayAxis& axis : axes) procs.push_back((axis.*side).procs);
  return procs;
}

// Returns the strides of a group, of which each element has `units` adjacent units. Copies are at the same place.
GroupStrides strides_of(const AxisGroup& group, std::span<const ArrayAxis> axes, std::span<const Index> strides,
                        Index units, bool in_units) {
  std::vector<GroupStrides::Digit> digits;
  if (in_units) digits.push_back({units, 1});
  for (const int axis : group)
    digits.push_back({at(axes, axis).n, axis < std::ssize(strides) ? at(strides, axis) * units : 0});
  return GroupStrides(digits);
}

}  // namespace

ArrayForm::ArrayForm(std::vector<ArrayAxis> subarray, std::span<const int> order_a, std::span<const int> order_b)
    : axes(std::move(subarray)), fold(core::fold(axes, order_a, order_b)) {}

Redistribution ArrayForm::redistribution(Index bytes, Operation operation) const {
  operation.transposed = fold.transposed;
  return redistribution_of(traffic_of(axes, fold), bytes, operation);
}

std::vector<int> ArrayForm::positions(const Axis ArrayAxis::*side, std::span<const int> ranks) const {
  return folded_ranks(fold, procs_of(axes, side), ranks, false);
}

std::vector<int> ArrayForm::ranks(const Axis ArrayAxis::*side, std::span<const int> ranks) const {
  return folded_ranks(fold, procs_of(axes, side), ranks, fold.transposed && side == &ArrayAxis::a);
}

std::vector<Interval> ArrayForm::held(const Axis ArrayAxis::*side, std::span<const Index> coordinates) const {
  std::vector<Interval> held;
  held.reserve(coordinates.size());
  for (std::size_t k = 0; k < coordinates.size(); ++k)
    held.push_back(local_range(axes[k].*side, coordinates[k], axes[k].n));
  return held;
}

// The rows of a transposed A are columns of the array: they count elements of the matrix, not units.
ArrayStrides ArrayForm::places(const Axis ArrayAxis::*side, std::span<const Interval> held,
                               std::span<const Index> strides, const Redistribution& redistribution) const {
  const bool whole_elements = fold.transposed && side == &ArrayAxis::a;
  const Index units = whole_elements ? 1 : redistribution.units;
  ArrayStrides places{strides_of(fold.rows, axes, strides, units, units > 1), {}, {0, 1}};
  for (const AxisGroup& group : fold.cols) places.cols.push_back(strides_of(group, axes, strides, units, false));
  if (places.cols.empty()) places.cols.push_back(GroupStrides({}));
  for (std::size_t k = 0; k < held.size(); ++k) {
    places.span.begin += held[k].begin * strides[k];
    places.span.end += (held[k].end - 1) * strides[k];
  }
  return places;
}

std::optional<std::vector<Index>> strides_without_gaps(std::span<const Index> extents, std::span<const int> order,
                                                       Index bytes) {
  std::vector<Index> strides(extents.size());
  Index stride = 1;
  for (const int axis : order) {
    at(strides, axis) = stride;
    const Wide elements = Wide{stride} * std::max<Index>(at(extents, axis), 1);
    if (exceeds_memory(elements - 1, bytes)) return {};
    stride = static_cast<Index>(elements);
  }
  return strides;
}

}  // namespace xredist::core
