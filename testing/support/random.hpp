// SPDX-License-Identifier: BSD-3-Clause
// The random numbers of all tests, and random process grids.
#pragma once

#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include "grid_shape.hpp"

namespace xredist::testing {

/// Draws numbers, the same on all processes and with all standard libraries.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  /// Returns a number from 0 to n - 1.
  std::int64_t below(std::int64_t n) { return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(n)); }
  /// Returns a number from `least` to `most`.
  int in(int least, int most) { return least + static_cast<int>(below(most - least + 1)); }
  /// Returns true once in n times.
  bool one_in(int n) { return below(n) == 0; }
  char one_of(std::string_view letters) {
    return letters[static_cast<std::size_t>(below(static_cast<std::int64_t>(letters.size())))];
  }
  template <class Values>
  void shuffle(Values& values) {
    for (std::size_t k = values.size(); k > 1; --k)
      std::swap(values[k - 1], values[static_cast<std::size_t>(below(static_cast<std::int64_t>(k)))]);
  }

 private:
  std::mt19937_64 engine_;
};

/// Returns places of the intervals [cuts[i], cuts[i + 1]) in any order in the local arrays of their owners, some with
/// gaps between them.
inline std::vector<std::int64_t> random_places(Random& random, const std::vector<std::int64_t>& cuts,
                                               const std::vector<int>& owners) {
  std::vector<std::size_t> order(owners.size());
  std::iota(order.begin(), order.end(), 0);
  random.shuffle(order);
  const std::int64_t gaps = random.below(3);
  std::map<int, std::int64_t> ends;
  std::vector<std::int64_t> places(owners.size());
  for (const std::size_t i : order) {
    places[i] = ends[owners[i]] + random.below(gaps + 1);
    ends[owners[i]] = places[i] + cuts[i + 1] - cuts[i];
  }
  return places;
}

/// Returns all ranks of a communicator, in order or in any order.
inline std::vector<int> random_ranks(Random& random, int processes) {
  std::vector<int> ranks(static_cast<std::size_t>(processes));
  std::iota(ranks.begin(), ranks.end(), 0);
  if (!random.one_in(3)) random.shuffle(ranks);
  return ranks;
}

/// Returns a grid of any shape on any of the processes of a communicator.
inline GridShape random_grid(Random& random, int processes) {
  const int nprow = random.in(1, processes), npcol = random.in(1, processes / nprow);
  const std::vector<int> ranks = random_ranks(random, processes);
  const auto first = ranks.begin() + random.in(0, processes - nprow * npcol);
  return {nprow, npcol, std::vector<int>(first, first + nprow * npcol)};
}

}  // namespace xredist::testing
