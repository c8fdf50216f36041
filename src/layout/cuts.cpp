// SPDX-License-Identifier: BSD-3-Clause
#include "layout/cuts.hpp"

#include <algorithm>
#include <numeric>

#include "layout/layout.hpp"

namespace xredist::core {

std::string Cuts::wrong(std::span<const Index> cuts, std::span<const int> owners, Index procs) {
  const auto entry = [](const char* array, std::size_t i, Index value) {
    return std::string(array).append("[") + std::to_string(i) + "] is " + std::to_string(value);
  };
  if (cuts.front() != 0) return entry("bounds", 0, cuts.front()) + ", must be 0";
  for (std::size_t i = 1; i < cuts.size(); ++i)
    if (cuts[i] < cuts[i - 1]) return entry("bounds", i, cuts[i]) + ", less than the one before";
  if (cuts.back() > most_elements) return entry("bounds", cuts.size() - 1, cuts.back()) + ", must be at most 2^40";
  for (std::size_t i = 0; i < owners.size(); ++i)
    if (owners[i] < 0 || owners[i] >= procs)
      return entry("owners", i, owners[i]) + ", must be in 0 .. " + std::to_string(procs - 1);
  if (owners.empty() && std::ssize(cuts) - 1 > procs)
    return "owners is NULL, with more intervals than the " + std::to_string(procs) + " processes";
  return {};
}

Cuts::Cuts(std::span<const Index> cuts, std::span<const int> owners, Index procs)
    : extent_(cuts.back()), begins_(static_cast<std::size_t>(procs) + 1, 0) {
  std::vector<Index> held(static_cast<std::size_t>(procs), 0);
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    const std::int32_t owner = owners.empty() ? static_cast<std::int32_t>(i) : owners[i];
    if (cuts[i] == cuts[i + 1]) continue;
    if (!intervals_.empty() && intervals_.back().owner == owner) {
      intervals_.back().end = cuts[i + 1];
    } else {
      intervals_.push_back({cuts[i], cuts[i + 1], held[static_cast<std::size_t>(owner)], owner});
      ++begins_[static_cast<std::size_t>(owner) + 1];
    }
    held[static_cast<std::size_t>(owner)] += cuts[i + 1] - cuts[i];
  }
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  std::vector<std::size_t> next(begins_.begin(), begins_.end() - 1);
  numbers_.resize(intervals_.size());
  for (std::size_t i = 0; i < intervals_.size(); ++i)
    numbers_[next[static_cast<std::size_t>(intervals_[i].owner)]++] = static_cast<std::int32_t>(i);
}

Index Cuts::number_at(Index k) const {
  return std::ranges::upper_bound(intervals_, k, {}, &Interval::end) - intervals_.begin();
}

}  // namespace xredist::core
