// SPDX-License-Identifier: BSD-3-Clause
#include "storage/distributed.hpp"

#include <algorithm>
#include <functional>
#include <span>

#include "copy/array_form.hpp"
#include "exchange/communicator.hpp"

namespace xredist::files {
namespace {

// Returns whether the distribution of an axis depends on its size.
bool divides_its_size(const xredist_axis& axis) {
  return axis.partition == nullptr && (axis.block == 0 || axis.block == XREDIST_EVEN);
}

}  // namespace

DistributedArray::DistributedArray(MPI_Comm comm, const xredist_array_layout& layout, const Subarray& subarray)
    : comm_(comm),
      layout_(layout),
      coordinates_(coordinates_of(layout, rank_in(comm))),
      has_shape_(layout.shape != nullptr) {
  const auto dims = as_size(layout.dims);
  const auto passed = std::span(layout.axes, dims);
  std::ranges::copy(passed, passed_axes_.begin());
  layout_.axes = passed_axes_.data();
  shape_ = ends_of(subarray);
  if (has_shape_) std::copy_n(layout.shape, dims, shape_.begin());
  layout_.shape = std::ranges::any_of(passed, divides_its_size) ? shape_.data() : nullptr;
  for (int k = 0; k < layout.dims; ++k) axes_.push_back(axis_of(layout, k, at(shape_, k), 0));
}

Sizes DistributedArray::local_shape(const Sizes& shape) const {
  Sizes local{};
  for (std::size_t k = 0; coordinates_ && k < axes_.size(); ++k)
    local[k] = local_count(axes_[k], (*coordinates_)[k], shape[k]);
  return local;
}

ArrayPart DistributedArray::part(const Subarray& subarray, Index bytes) const {
  const Sizes begins = local_begin(subarray), ends = local_shape(ends_of(subarray));
  const Sizes extents = has_shape_ ? local_shape(shape_) : ends;
  const std::vector<int> order = order_of(layout_);
  ArrayPart part;
  part.accessed = true;
  for (const int k : order) {
    part.axes.push_back({k, {at(begins, k), at(ends, k)}, at(extents, k)});
    part.accessed = part.accessed && part.axes.back().held.length() > 0;
  }
  part.exceeds_memory = !strides_without_gaps(std::span(extents).first(axes_.size()), order, bytes);
  if (subarray.is_matrix) part.max_ld = max_leading_dimension(ends[0], ends[1], bytes);
  return part;
}

Sizes DistributedArray::local_begin(const Subarray& subarray) const {
  Sizes before = subarray.first;
  for (std::size_t k = 0; k < as_size(subarray.dims); ++k) --before[k];
  return local_shape(before);
}

Sizes DistributedArray::local_part(const Subarray& subarray) const {
  Sizes part = local_shape(ends_of(subarray));
  std::ranges::transform(part, local_begin(subarray), part.begin(), std::minus());
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
