// SPDX-License-Identifier: BSD-3-Clause
#include "storage/distributed.hpp"

#include <algorithm>
#include <functional>

#include "storage/shared_failure.hpp"

namespace xredist::files {
namespace {

// Returns the bounds of EVEN: of n elements, the first n mod procs processes have an element more than the others.
std::vector<Index> even_bounds(Index n, Index procs) {
  std::vector<Index> bounds;
  for (Index p = 0; p <= procs; ++p) bounds.push_back(n / procs * p + std::min(p, n % procs));
  return bounds;
}

}  // namespace

DistributedArray::DistributedArray(MPI_Comm comm, const xredist_layout& layout) : comm_(comm) {
  axes_[0] = {layout.nprow, layout.mb, layout.rsrc, layout.rows, {}};
  axes_[1] = {layout.npcol, layout.nb, layout.csrc, layout.cols, {}};
  layout_.dims = 2;
  layout_.axes = axes_.data();
  layout_.ranks = layout.ranks;
}

DistributedArray::DistributedArray(MPI_Comm comm, const xredist_array_layout& layout, const Subarray& subarray)
    : comm_(comm), layout_(layout) {
  const Sizes ends = ends_of(subarray);
  for (std::size_t k = 0; k < as_size(layout.dims); ++k) {
    xredist_axis& axis = axes_[k];
    axis = layout.axes[k];
    if (axis.procs == 0) axis.procs = 1;
    if (axis.partition != nullptr) continue;
    const Index whole = layout.shape != nullptr ? layout.shape[k] : ends[k];
    if (axis.block == 0) axis.block = std::max(ceil_div(whole, axis.procs), Index{1});
    if (axis.block != XREDIST_EVEN) continue;
    bounds_[k] = even_bounds(whole, axis.procs);
    partitions_[k] = {axis.procs, bounds_[k].data(), nullptr, {}};
    axis.partition = &partitions_[k];
  }
  layout_.axes = axes_.data();
  layout_.shape = nullptr;
}

Sizes DistributedArray::local_shape(const Sizes& shape) const {
  Sizes local{};
  demand_success(xredist_array_local_shape(&layout_, shape.data(), rank_in(comm_), local.data()));
  return local;
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
  const xredist_axis& of = axes_[as_size(axis)];
  Index length = 0;
  return of.partition != nullptr || __builtin_mul_overflow(of.block, of.procs, &length) ? 0 : length;
}

Sizes ends_of(const Subarray& subarray) {
  Sizes ends{};
  for (std::size_t k = 0; k < as_size(subarray.dims); ++k) ends[k] = subarray.first[k] - 1 + subarray.shape[k];
  return ends;
}

}  // namespace xredist::files
