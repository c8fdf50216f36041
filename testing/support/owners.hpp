// SPDX-License-Identifier: BSD-3-Clause
// Reference for the owners of elements. It uses nothing of the library, because the library is checked with it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace xredist::testing {

/// Returns the process that owns element k (from 0) of a block-cyclic axis.
constexpr std::int64_t owner_in_blocks(std::int64_t k, std::int64_t block, std::int64_t source, std::int64_t procs) {
  return (k / block + source) % procs;
}

/// Returns the process that owns element k (from 0) of an axis in intervals. Interval i is [cuts[i], cuts[i + 1]).
inline int owner_in_intervals(std::int64_t k, const std::vector<std::int64_t>& cuts, const std::vector<int>& owners) {
  const auto end = std::upper_bound(cuts.begin() + 1, cuts.end(), k);
  return owners[static_cast<std::size_t>(end - cuts.begin()) - 1];
}

/// Returns the place of element k (from 0) in the local array of its owner.
inline std::int64_t place_in_intervals(std::int64_t k, const std::vector<std::int64_t>& cuts,
                                       const std::vector<std::int64_t>& places) {
  const auto end = std::upper_bound(cuts.begin() + 1, cuts.end(), k);
  return places[static_cast<std::size_t>(end - cuts.begin()) - 1] + k - end[-1];
}

}  // namespace xredist::testing
