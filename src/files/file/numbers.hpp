// SPDX-License-Identifier: BSD-3-Clause
// Counts, indices and intervals of this room, which uses nothing of the library but its public headers.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace xredist::files {

/// Type of every count, index and offset: 64 bits, from 0 unless a comment says otherwise.
using Index = std::int64_t;

/// Type of intermediate results that may exceed 64 bits.
__extension__ using Wide = __int128;

/// The maximum number of rows, of columns, or of elements along an axis, as in xredist.h.
inline constexpr Index max_elements = Index{1} << 40;

/// Returns whether an m x n matrix has 2^59 elements or more; m, n >= 0.
constexpr bool too_large(Index m, Index n) { return n > 0 && m > ((Index{1} << 59) - 1) / n; }

/// Returns whether a local array that ends with the element at `offset` would have 2^63 bytes or more. `bytes`: of an
/// element.
constexpr bool exceeds_memory(Wide offset, Index bytes) { return offset >= std::numeric_limits<Index>::max() / bytes; }

/// Returns x / y rounded up; x >= 0, y > 0.
constexpr Index ceil_div(Index x, Index y) { return (x + y - 1) / y; }

/// The maximum number of axes of an array, as in array.h.
inline constexpr int max_dims = 15;

/// A number for each axis of an array. Axes that the array lacks have 0.
using Sizes = std::array<Index, max_dims>;

/// Returns whether an array has 2^59 elements or more, or its first axes together.
constexpr bool too_large(std::span<const Index> shape) {
  Index elements = 1;
  for (const Index n : shape) {
    if (too_large(elements, n)) return true;
    elements *= n;
  }
  return false;
}

/// Returns the number of elements of an array that is not too large.
constexpr Index elements_of(std::span<const Index> shape) {
  Index elements = 1;
  for (const Index n : shape) elements *= n;
  return elements;
}

/// The indices [begin, end).
struct Interval {
  Index begin, end;

  constexpr Index length() const { return end - begin; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// Converts a count or an index, which must not be negative, to the type that the standard library takes.
template <std::integral Integer>
constexpr std::size_t as_size(Integer count) {
  return static_cast<std::size_t>(count);
}

}  // namespace xredist::files
