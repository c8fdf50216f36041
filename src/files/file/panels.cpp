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

Panels::Panels(const FilePlace& place, Index rows, Index cols, const PanelLimits& limits)
    : place_(place), rows_(rows), cols_(cols) {
  if (rows == 0 || cols == 0) return;
  // A bound that is moved to the column before the begin of a stripe makes a slab less than two stripes longer.
  if (limits.stripe >= min_stripe && limits.stripe <= limits.slab_bytes / 4) stripe_ = limits.stripe;
  const Index capacity = limits.slab_bytes - 2 * stripe_;
  const Index all_bytes = rows * cols * place.bytes;
  writers_ = std::clamp(all_bytes / min_slab_bytes, Index{1}, std::min(limits.processes, max_writers));
  cuts_rows_ = rows > capacity / place.bytes;
  const Index unit = cuts_rows_ ? place.bytes : rows * place.bytes;  // bytes of a row (column) of a slab
  if ((cuts_rows_ ? place.bytes : place.ld * place.bytes) > stripe_) stripe_ = 0;
  share_ = std::max(capacity / unit, Index{1});
  min_share_ = std::min(share_, ceil_div(min_slab_bytes, unit));
  height_ = cuts_rows_ ? std::min(rows, whole_periods(writers_ * share_, limits.period_rows)) : rows;
  width_ = cuts_rows_ ? 1 : std::min(cols, whole_periods(writers_ * share_, limits.period_cols));
}

Index Panels::slab_elements() const {
  if (writers_ == 0) return 0;
  const Index unit = cuts_rows_ ? 1 : rows_;
  return std::min(share_ + (stripe_ > 0 ? ceil_div(stripe_, unit * place_.bytes) : 0), cuts_rows_ ? height_ : width_) *
         unit;
}

Panel Panels::operator[](Index k) const {
  const Index in_column = ceil_div(rows_, height_);
  const Index i = k % in_column * height_, j = k / in_column * width_;
  Panel panel{{i, std::min(i + height_, rows_)}, {j, std::min(j + width_, cols_)}, cuts_rows_, {}};
  const Index length = cuts_rows_ ? panel.rows.length() : panel.cols.length();
  std::fill(panel.bounds.begin() + writers_, panel.bounds.end(), length);
  const Index share = std::max(ceil_div(length, writers_), min_share_);
  const Index first = place_.byte_of(i, j), unit = cuts_rows_ ? place_.bytes : place_.ld * place_.bytes;
  for (Index writer = 1; writer < writers_; ++writer) {
    Index bound = writer * share;
    if (stripe_ > 0) {
      const Index byte = first + bound * unit;
      bound = (byte - byte % stripe_ - first) / unit;
    }
    panel.bounds[as_size(writer)] = std::clamp(bound, panel.bounds[as_size(writer - 1)], length);
  }
  return panel;
}

std::vector<Extent> extents_of(const FilePlace& place, const Interval& rows, const Interval& cols) {
  const Index column = rows.length() * place.bytes;
  if (column == 0 || cols.length() == 0) return {};
  if (rows.length() == place.ld || cols.length() == 1)
    return {{place.byte_of(rows.begin, cols.begin), 0, column * cols.length()}};
  std::vector<Extent> extents;
  for (Index j = cols.begin; j < cols.end; ++j)
    extents.push_back({place.byte_of(rows.begin, j), (j - cols.begin) * column, column});
  return extents;
}

}  // namespace xredist::files
