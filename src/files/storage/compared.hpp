// SPDX-License-Identifier: BSD-3-Clause
// Arguments that all processes must pass alike, and their comparison.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "file/numbers.hpp"
#include "xredist/xredist.h"

namespace xredist::files {

/// An argument that should be equal on all processes.
struct Compared {
  const char* name;
  Index value;                ///< more than -2^63
  bool shows_values = false;  ///< whether the sentence about a difference has the values
};

/// Returns an argument whose values a sentence shows.
constexpr Compared compared(const char* name, Index value) { return {name, value, true}; }

/// Return numbers that stand for texts, partitions and the ranks of a layout. The digest of NULL is 0.
Index digest_of(std::string_view text);
Index digest_of(const xredist_partition* partition);
Index digest_of_ranks(const xredist_layout& layout);

/// Throws InvalidArgument unless the ranks of a layout are different numbers from 0 to size - 1.
void demand_ranks(const xredist_layout& layout, int size);

/// Finds the maxima of `values` over all processes, in place. Collective: one reduction. Throws.
void find_maxima(Index* values, int count, MPI_Comm comm);
/// Throws the failure that an argument differs between processes.
[[noreturn]] void fail_as_different(const Compared& argument, Index least, Index greatest);

/// Compares arguments by one reduction. All processes throw the same failure, about the first one that differs. Needs
/// no memory. Collective.
template <std::size_t N>
void demand_equal(const std::array<Compared, N>& arguments, MPI_Comm comm) {
  std::array<Index, 2 * N> maxima;
  std::ranges::transform(arguments, maxima.begin(), &Compared::value);
  std::transform(maxima.begin(), maxima.begin() + N, maxima.begin() + N, [](Index value) { return -value; });
  find_maxima(maxima.data(), static_cast<int>(maxima.size()), comm);
  for (std::size_t k = 0; k < N; ++k)
    if (maxima[k] != -maxima[k + N]) fail_as_different(arguments[k], -maxima[k + N], maxima[k]);
}

}  // namespace xredist::files
