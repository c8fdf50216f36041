// SPDX-License-Identifier: BSD-3-Clause
// The minimum and the maximum of values that processes compare.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <array>
#include <limits>

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

/// Finds the extremes of the values of all processes by one reduction. Allocates nothing. Collective.
template <std::size_t N>
Extremes<N> extremes(const std::array<Index, N>& values, MPI_Comm comm, Progress& progress) {
  const auto negated = [](std::array<Index, N> all) {
    for (Index& value : all)
      if (value != unknown) value = -value;
    return all;
  };
  std::array maxima{values, negated(values)};
  reduce(maxima.data(), 2 * static_cast<int>(N), MPI_INT64_T, MPI_MAX, comm, progress);
  return {negated(maxima[1]), maxima[0]};
}

}  // namespace xredist::core
