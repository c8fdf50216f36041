// SPDX-License-Identifier: BSD-3-Clause
#include "layout/partition.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "layout/layout.hpp"

namespace xredist::core {

namespace {

std::int32_t owner_of(std::span<const int> owners, std::size_t i) {
  return owners.empty() ? static_cast<std::int32_t>(i) : owners[i];
}

// Returns whether each owner's intervals lie in its local array in the same order, without gaps.
bool are_in_order(std::span<const OwnedInterval> intervals, Index procs) {
  std::vector<Index> held(as_size(procs), 0);
  return std::ranges::all_of(intervals, [&](const OwnedInterval& interval) {
    return std::exchange(at(held, interval.owner), local_end(interval)) == interval.local;
  });
}

// Returns whether the places of each owner's intervals ascend, so that none of them share local elements.
bool ascend(std::span<const Index> cuts, std::span<const int> owners, Index procs, std::span<const Index> places) {
  std::vector<Index> end(as_size(procs), 0);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Index length = cuts[i + 1] - cuts[i];
    if (length == 0) continue;
    Index& last = at(end, owner_of(owners, i));
    if (places[i] < last) return false;
    last = places[i] + length;
  }
  return true;
}

// Returns the error of a place, or of two intervals that share local elements. The other lists have no errors.
std::optional<PartitionError> error_of_places(std::span<const Index> cuts, std::span<const int> owners, Index procs,
                                              std::span<const Index> places) {
  const auto length = [&](std::size_t i) { return cuts[i + 1] - cuts[i]; };
  for (std::size_t i = 0; i < places.size(); ++i)
    if (places[i] < 0 || places[i] > max_elements - length(i))
      return PartitionError{"places", static_cast<int>(i),
                            Text() << " is " << places[i] << ", must be in 0 .. 2^40 less the interval's length"};
  if (places.empty()) return {};
  // The quick look takes memory for each process, of which only the owners that have places need to exist.
  constexpr Index max_looked_at = 4096;
  if (procs <= std::max<Index>(max_looked_at, std::ssize(places)) && ascend(cuts, owners, procs, places)) return {};
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (length(i) > 0) order.push_back(i);
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(owner_of(owners, i), places[i]); });
  for (std::size_t k = 1; k < order.size(); ++k) {
    const std::size_t before = order[k - 1], i = order[k];
    if (owner_of(owners, i) != owner_of(owners, before) || places[before] + length(before) <= places[i]) continue;
    const auto [first, second] = std::minmax(before, i);
    return PartitionError{"places", static_cast<int>(second),
                          Text() << " is " << places[second] << ": the interval has local elements of ",
                          static_cast<int>(first)};
  }
  return {};
}

}  // namespace

std::optional<PartitionError> Partition::error_in(std::span<const Index> cuts, std::span<const int> owners, Index procs,
                                                  std::span<const Index> places) {
  const auto of_bound = [&](std::size_t i, const char* reason) {
    return PartitionError{"bounds", static_cast<int>(i), Text() << " is " << cuts[i] << reason};
  };
  if (cuts.front() != 0) return of_bound(0, ", must be 0");
  for (std::size_t i = 1; i < cuts.size(); ++i)
    if (cuts[i] < cuts[i - 1]) return of_bound(i, ", less than the one before");
  if (cuts.back() > max_elements) return of_bound(cuts.size() - 1, ", must be at most 2^40");
  for (std::size_t i = 0; i < owners.size(); ++i)
    if (owners[i] < 0 || owners[i] >= procs)
      return PartitionError{"owners", static_cast<int>(i),
                            Text() << " is " << owners[i] << ", must be in 0 .. " << procs - 1};
  if (owners.empty() && std::ssize(cuts) - 1 > procs)
    return PartitionError{"", -1, Text() << "owners is NULL, with more intervals than the " << procs << " processes"};
  return error_of_places(cuts, owners, procs, places);
}

Partition::Partition(std::span<const Index> cuts, std::span<const int> owners, Index procs,
                     std::span<const Index> places) {
  std::vector<Index> held(as_size(procs), 0);
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    const std::int32_t owner = owner_of(owners, i);
    if (cuts[i] == cuts[i + 1]) continue;
    const Index place = places.empty() ? at(held, owner) : places[i];
    if (!intervals_.empty() && intervals_.back().owner == owner && core::local_end(intervals_.back()) == place)
      intervals_.back().end = cuts[i + 1];
    else
      intervals_.push_back({{cuts[i], cuts[i + 1]}, place, owner});
    at(held, owner) += cuts[i + 1] - cuts[i];
  }
  in_order_ = places.empty() || are_in_order(intervals_, procs);
  group(procs);
}

Partition::Partition(std::vector<OwnedInterval> intervals, Index procs, bool repeats)
    : intervals_(std::move(intervals)), in_order_(are_in_order(intervals_, procs)), repeats_(repeats) {
  group(procs);
}

void Partition::group(Index procs) {
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

Index Partition::local_end() const {
  Index end = 0;
  for (const OwnedInterval& interval : intervals_) end = std::max(end, core::local_end(interval));
  return end;
}

Index Partition::number_at(Index k) const {
  return std::ranges::upper_bound(intervals_, k, {}, &OwnedInterval::end) - intervals_.begin();
}

}  // namespace xredist::core
