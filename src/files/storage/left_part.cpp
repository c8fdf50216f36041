// SPDX-License-Identifier: BSD-3-Clause
#include "storage/left_part.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace xredist::files {
namespace {

// An axis of a part of a local array that has several elements along it: their number, and their distance.
struct Side {
  Index count, stride;
};

// A part of a local array: elements that follow each other from `first` on, repeated along other axes.
struct Lines {
  Index first = 0, length = 1;
  int axes = 0;
  std::array<Side, max_dims> across{};  // from the shortest distance to the longest

  std::span<const Side> sides() const { return std::span(across).first(as_size(axes)); }
};

// Returns the lines of a part. Axes whose elements follow each other without gaps are one line.
Lines lines_of(std::span<const Interval> held, const Sizes& strides) {
  Lines lines;
  for (std::size_t k = 0; k < held.size(); ++k) {
    lines.first += held[k].begin * strides[k];
    if (const Index count = held[k].length(); count > 1) lines.across.at(as_size(lines.axes++)) = {count, strides[k]};
  }
  const auto all = std::span(lines.across).first(as_size(lines.axes));
  std::ranges::sort(all, {}, &Side::stride);
  const auto* next = all.data();
  for (; lines.axes > 0 && next->stride == lines.length; ++next, --lines.axes) lines.length *= next->count;
  std::copy_n(next, lines.axes, lines.across.data());
  return lines;
}

// Returns the number of elements from the first one to the last, with the gaps; nothing if the lines are not worth to
// be given up, or an element has the memory of another one.
std::optional<Index> extent_of(const Lines& lines) {
  if (lines.length == 1 && lines.axes > 0) return {};
  Index extent = lines.length;
  for (const Side& side : lines.sides()) {
    if (side.stride < extent) return {};
    extent += (side.count - 1) * side.stride;
  }
  return extent;
}

bool is_empty(std::span<const Interval> held) {
  return std::ranges::any_of(held, [](const Interval& along) { return along.length() == 0; });
}

}  // namespace

// The elements of a panel lie side by side in the local array only if the array is in order.
LeftPart::LeftPart(const DistributedArray& array, const Subarray& subarray, Index bytes)
    : array_(array), subarray_(subarray), bytes_(bytes) {
  const auto all = array.held(box({}, subarray.shape));
  const auto held = std::span(all).first(as_size(subarray.dims));
  if (array.data == nullptr || !array.in_order() || is_empty(held)) return;
  const Lines lines = lines_of(held, array.strides);
  const std::optional<Index> extent = extent_of(lines);
  if (!extent) return;
  xredist_pages* made = nullptr;
  auto* const data = static_cast<std::byte*>(array.data);
  xredist_pages_create(data + lines.first * bytes, as_size(*extent * bytes), &made);
  pages_.reset(made);
}

Subarray LeftPart::box(const Sizes& begin, const Sizes& shape) const {
  Subarray part = subarray_;
  part.shape = shape;
  for (std::size_t k = 0; k < as_size(part.dims); ++k) part.first[k] += begin[k];
  return part;
}

void LeftPart::leave(const Sizes& begin, const Sizes& shape) const {
  if (!pages_) return;
  const Subarray part = box(begin, shape);
  const auto all = array_.held(part);
  const auto held = std::span(all).first(as_size(part.dims));
  if (is_empty(held)) return;
  const Lines lines = lines_of(held, array_.strides);
  Index number = 1;  // of lines
  for (const Side& side : lines.sides()) number *= side.count;
  for (Index line = 0; line < number; ++line) {
    Index place = lines.first, rest = line;
    for (const Side& side : lines.sides()) {
      place += rest % side.count * side.stride;
      rest /= side.count;
    }
    xredist_pages_give_up(pages_.get(), static_cast<std::byte*>(array_.data) + place * bytes_,
                          as_size(lines.length * bytes_));
  }
}

}  // namespace xredist::files
