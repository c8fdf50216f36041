// SPDX-License-Identifier: BSD-3-Clause
// The minimum and the maximum of values that processes compare.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>

#include "exchange/progress.hpp"
#include "layout/index.hpp"

namespace xredist::core {

/// Stands for a value on a process that does not know the value. Less than all values.
inline constexpr Index unknown = std::numeric_limits<Index>::min();

/// The minimum and the maximum of each value over the processes that know it; `unknown` if none does.
template <std::size_t N>
struct Extremes {
  std::array<Index, N> min, max;
};

/// Finds the extremes of the values of all processes by one reduction. `words`: 2 N words for this function, and others
/// of the caller, of which the reduction leaves the maxima. Allocates nothing. Collective.
template <std::size_t N>
Extremes<N> extremes(const std::array<Index, N>& values, std::span<Index> words, MPI_Comm comm, Progress& progress) {
  const auto negated = [](Index value) { return value == unknown ? unknown : -value; };
  std::ranges::copy(values, words.begin());
  std::ranges::transform(values, words.begin() + N, negated);
  reduce(words.data(), static_cast<int>(words.size()), MPI_INT64_T, MPI_MAX, comm, progress);
  Extremes<N> found;
  std::copy_n(words.begin(), N, found.max.begin());
  std::transform(words.begin() + N, words.begin() + 2 * N, found.min.begin(), negated);
  return found;
}
template <std::size_t N>
Extremes<N> extremes(const std::array<Index, N>& values, MPI_Comm comm, Progress& progress) {
  std::array<Index, 2 * N> words;
  return extremes(values, std::span<Index>(words), comm, progress);
}

}  // namespace xredist::core
