// SPDX-License-Identifier: BSD-3-Clause
#include "storage/distributed.hpp"

#include <algorithm>
#include <span>

#include "exchange/communicator.hpp"

namespace xredist::files {
namespace {

// Returns whether the distribution of an axis depends on its size.
bool divides_its_size(const xredist_axis& axis) {
  return axis.partition == nullptr && (axis.block == 0 || axis.block == XREDIST_EVEN);
}

}  // namespace

DistributedArray::DistributedArray(MPI_Comm comm, const xredist_array_layout& layout, const Subarray& subarray)
    : comm_(comm), layout_(layout), coordinates_(coordinates_of(layout, rank_in(comm))) {
  const auto dims = as_size(layout.dims);
  const auto passed = std::span(layout.axes, dims);
  std::ranges::copy(passed, passed_axes_.begin());
  layout_.axes = passed_axes_.data();
  shape_ = ends_of(subarray);
  if (layout.shape != nullptr) std::copy_n(layout.shape, dims, shape_.begin());
  layout_.shape = std::ranges::any_of(passed, divides_its_size) ? shape_.data() : nullptr;
  for (int k = 0; k < layout.dims; ++k) axes_.push_back(axis_of(layout, k, at(shape_, k), 0));
}

std::array<Interval, max_dims> DistributedArray::held(const Subarray& subarray) const {
  std::array<Interval, max_dims> held{};
  for (std::size_t k = 0; coordinates_ && k < axes_.size(); ++k) {
    Axis axis = axes_[k];
    axis.first = subarray.first[k] - 1;
    held[k] = local_range(axis, (*coordinates_)[k], subarray.shape[k]);
  }
  return held;
}

bool DistributedArray::in_order() const {
  return std::ranges::all_of(axes_, [](const Axis& axis) { return core::in_order(axis); });
}

ArrayPart DistributedArray::part(const Subarray& subarray, Index bytes) const {
  std::array<Interval, max_dims> all = held(subarray);
  Sizes extents{};
  for (std::size_t k = 0; coordinates_ && k < axes_.size(); ++k) {
    extents[k] = local_extent(axes_[k], (*coordinates_)[k], shape_[k]);
    if (subarray.is_matrix && all[k].length() > 0) all[k].end = extents[k];
  }
  ArrayPart part;
  set_local_array(part, order_of(layout_), all, std::span(extents).first(axes_.size()), bytes);
  part.accessed = std::ranges::all_of(part.axes, [](const LocalAxis& axis) { return axis.held.length() > 0; });
  return part;
}

Index DistributedArray::period(int axis) const {
  const Axis& of = at(axes_, axis);
  Index length = 0;
  return !is_cyclic(of) || __builtin_mul_overflow(of.block(), of.procs, &length) ? 0 : length;
}

Sizes ends_of(const Subarray& subarray) {
  Sizes ends{};
  for (std::size_t k = 0; k < as_size(subarray.dims); ++k) ends[k] = subarray.first[k] - 1 + subarray.shape[k];
  return ends;
}

}  // namespace xredist::files
