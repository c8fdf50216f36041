// SPDX-License-Identifier: BSD-3-Clause
#include "file/panels.hpp"

#include <algorithm>

namespace xredist::files {
namespace {

// A smaller unit than this (bytes) is a page, and not a stripe whose lock two writers would take from each other.
constexpr Index min_stripe = Index{64} << 10;

// Returns the largest multiple of the period that is at most `length`; `length` if there is none.
Index whole_periods(Index length, Index period) {
  return period > 0 && period <= length ? length - length % period : length;
}

}  // namespace

Index FilePlace::stride(int axis) const {
  Index stride = bytes;
  for (int k = 0; k < axis; ++k) stride *= extents[as_size(k)];
  return stride;
}

Index FilePlace::byte_of(const Box& box) const {
  Index elements = 0;
  for (std::size_t k = as_size(dims); k-- > 0;) elements = elements * extents[k] + first[k] + box[k].begin;
  return offset + elements * bytes;
}

Index Panel::slabs() const {
  Index count = cuts;
  for (std::size_t k = as_size(cut) + 1; k < as_size(dims); ++k) count *= box[k].length();
  return count;
}

Box Panel::slab(Index k) const {
  Box slab = box;
  Interval& part = slab[as_size(cut)];
  part = {part.begin + bounds[as_size(k % cuts)], part.begin + bounds[as_size(k % cuts + 1)]};
  Index rest = k / cuts;
  for (std::size_t axis = as_size(cut) + 1; axis < as_size(dims); ++axis) {
    const Index index = box[axis].begin + rest % box[axis].length();
    slab[axis] = {index, index + 1};
    rest /= box[axis].length();
  }
  if (rest > 0) part.end = part.begin;
  return slab;
}

Panels::Panels(const FilePlace& place, const Sizes& shape, const PanelLimits& limits) : place_(place), shape_(shape) {
  const Index elements = elements_of({shape.data(), as_size(place.dims)});
  if (elements == 0) return;
  // A bound that is moved to the index before the begin of a stripe makes a slab less than two stripes longer.
  if (limits.stripe >= min_stripe && limits.stripe <= limits.slab_bytes / 4) stripe_ = limits.stripe;
  const Index capacity = limits.slab_bytes - 2 * stripe_;
  writers_ = std::clamp(elements * place.bytes / min_slab_bytes, Index{1}, std::min(limits.processes, max_writers));
  choose_axis(capacity);
  if (place.stride(cut_) > stripe_) stripe_ = 0;
  choose_lengths(capacity, limits.periods);
}

// Takes the slowest axis of which a slab has room for one index, with all indices of the axes below.
void Panels::choose_axis(Index capacity) {
  for (; cut_ + 1 < place_.dims && shape_[as_size(cut_)] <= capacity / place_.bytes / unit_; ++cut_)
    unit_ *= shape_[as_size(cut_)];
}

// A panel has a slab for each writer. If the axis is too short for that, it has several indices of the axes above.
void Panels::choose_lengths(Index capacity, const Sizes& periods) {
  const auto cut = as_size(cut_);
  share_ = std::max(capacity / (unit_ * place_.bytes), Index{1});
  min_share_ = std::min(share_, ceil_div(min_slab_bytes, unit_ * place_.bytes));
  lengths_ = shape_;
  lengths_[cut] = std::min(shape_[cut], whole_periods(writers_ * share_, periods[cut]));
  const Index used = ceil_div(shape_[cut], std::max(ceil_div(shape_[cut], writers_), min_share_));
  Index groups = lengths_[cut] == shape_[cut] && cut_ + 1 < place_.dims ? writers_ / used : 1;
  cuts_ = groups > 1 ? used : writers_;
  for (std::size_t k = cut + 1; k < as_size(place_.dims); ++k) {
    lengths_[k] = std::min(shape_[k], whole_periods(groups, periods[k]));
    groups = lengths_[k] == shape_[k] ? groups / lengths_[k] : 1;
  }
}

Index Panels::slab_elements() const {
  if (writers_ == 0) return 0;
  const Index longer = stripe_ > 0 ? ceil_div(stripe_, unit_ * place_.bytes) : 0;
  return std::min(share_ + longer, lengths_[as_size(cut_)]) * unit_;
}

Index Panels::count() const {
  if (writers_ == 0) return 0;
  Index count = 1;
  for (auto k = as_size(cut_); k < as_size(place_.dims); ++k) count *= ceil_div(shape_[k], lengths_[k]);
  return count;
}

Panel Panels::operator[](Index k) const {
  Panel panel{place_.dims, cut_, {}, cuts_, {}};
  for (std::size_t axis = 0; axis < as_size(place_.dims); ++axis) {
    const Index panels = ceil_div(shape_[axis], lengths_[axis]);
    const Index begin = k % panels * lengths_[axis];
    panel.box[axis] = {begin, std::min(begin + lengths_[axis], shape_[axis])};
    k /= panels;
  }
  const Index length = panel.box[as_size(cut_)].length();
  std::fill(panel.bounds.begin() + cuts_, panel.bounds.end(), length);
  const Index share = std::max(ceil_div(length, cuts_), min_share_);
  const Index first = place_.byte_of(panel.box), unit = place_.stride(cut_);
  for (Index writer = 1; writer < cuts_; ++writer) {
    Index bound = writer * share;
    if (stripe_ > 0) {
      const Index byte = first + bound * unit;
      bound = (byte - byte % stripe_ - first) / unit;
    }
    panel.bounds[as_size(writer)] = std::clamp(bound, panel.bounds[as_size(writer - 1)], length);
  }
  return panel;
}

Extents::Extents(const FilePlace& place, const Box& slab) : place_(place), slab_(slab), bytes_(place.bytes) {
  bool contiguous = true;
  for (int axis = 0; axis < place.dims; ++axis) {
    const Index length = slab[as_size(axis)].length();
    (contiguous ? bytes_ : count_) *= length;
    if (contiguous) axis_ = axis + 1;
    contiguous = contiguous && length == place.extents[as_size(axis)];
  }
  if (bytes_ == 0) count_ = 0;
}

Extent Extents::operator[](Index k) const {
  Box at = slab_;
  Index rest = k;
  for (auto axis = as_size(axis_); axis < as_size(place_.dims); ++axis) {
    at[axis].begin += rest % slab_[axis].length();
    rest /= slab_[axis].length();
  }
  return {place_.byte_of(at), k * bytes_, bytes_};
}

}  // namespace xredist::files
