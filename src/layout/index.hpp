// SPDX-License-Identifier: BSD-3-Clause
// Indices: their type, arithmetic, intervals, and access to containers.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace xredist::core {

/// Type of every count, index and offset: 64 bits, in elements unless a comment says otherwise, from 0.
using Index = std::int64_t;

/// Type of intermediate results that may exceed 64 bits.
__extension__ using Wide = __int128;

/// Returns the residue of x in [0, y), also for negative x; y > 0.
constexpr Index modulo(Index x, Index y) {
  const Index residue = x % y;
  return residue < 0 ? residue + y : residue;
}

/// Returns x / y rounded up, also for negative x; y > 0.
constexpr Index ceil_div(Index x, Index y) { return x >= 0 ? (x + y - 1) / y : -(-x / y); }

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

/// Returns container[index] for an index of any integer type, which must not be negative.
template <class Container, std::integral Integer>
constexpr decltype(auto) at(Container&& container, Integer index) {
  return std::forward<Container>(container)[static_cast<std::size_t>(index)];
}

}  // namespace xredist::core
