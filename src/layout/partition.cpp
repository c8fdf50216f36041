// SPDX-License-Identifier: BSD-3-Clause
#include "layout/partition.hpp"

#include <algorithm>
#include <numeric>

#include "layout/layout.hpp"

namespace xredist::core {

std::optional<PartitionError> Partition::error_in(std::span<const Index> cuts, std::span<const int> owners,
                                                  Index procs) {
  const auto of_bound = [&](std::size_t i, const char* reason) {
    return PartitionError{"bounds", static_cast<int>(i), " is " + std::to_string(cuts[i]) + reason};
  };
  if (cuts.front() != 0) return of_bound(0, ", must be 0");
  for (std::size_t i = 1; i < cuts.size(); ++i)
    if (cuts[i] < cuts[i - 1]) return of_bound(i, ", less than the one before");
  if (cuts.back() > max_elements) return of_bound(cuts.size() - 1, ", must be at most 2^40");
  for (std::size_t i = 0; i < owners.size(); ++i)
    if (owners[i] < 0 || owners[i] >= procs)
      return PartitionError{"owners", static_cast<int>(i),
                            " is " + std::to_string(owners[i]) + ", must be in 0 .. " + std::to_string(procs - 1)};
  if (owners.empty() && std::ssize(cuts) - 1 > procs)
    return PartitionError{"", -1,
                          "owners is NULL, with more intervals than the " + std::to_string(procs) + " processes"};
  return {};
}

Partition::Partition(std::span<const Index> cuts, std::span<const int> owners, Index procs) {
  std::vector<Index> held(as_size(procs), 0);
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    const std::int32_t owner = owners.empty() ? static_cast<std::int32_t>(i) : owners[i];
    if (cuts[i] == cuts[i + 1]) continue;
    if (!intervals_.empty() && intervals_.back().owner == owner)
      intervals_.back().end = cuts[i + 1];
    else
      intervals_.push_back({{cuts[i], cuts[i + 1]}, at(held, owner), owner});
    at(held, owner) += cuts[i + 1] - cuts[i];
  }
  std::vector<std::int32_t> all(intervals_.size());
  std::iota(all.begin(), all.end(), 0);
  numbers_ = {procs, all, [this](std::int32_t i) { return (*this)[i].owner; }};
}

Partition Partition::subdivided(Index parts) const {
  Partition result = *this;
  for (OwnedInterval& interval : result.intervals_) {
    interval.begin *= parts;
    interval.end *= parts;
    interval.local *= parts;
  }
  return result;
}

Index Partition::number_at(Index k) const {
  return std::ranges::upper_bound(intervals_, k, {}, &OwnedInterval::end) - intervals_.begin();
}

}  // namespace xredist::core
