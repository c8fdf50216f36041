// SPDX-License-Identifier: BSD-3-Clause
// A dimension of a matrix that is cut into intervals of any lengths, each with any owner.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "layout/grouped.hpp"
#include "layout/index.hpp"
#include "layout/sentence.hpp"

namespace xredist::core {

/// An interval of a partition: its owner keeps element `begin` at local index `local`.
struct OwnedInterval : Interval {
  Index local;
  std::int32_t owner;

  friend bool operator==(const OwnedInterval&, const OwnedInterval&) = default;
};

/// Returns the local index after that of the last element.
inline Index local_end(const OwnedInterval& interval) { return interval.local + interval.length(); }

/// An invalid entry of the list `bounds`, `owners` or `places`, from 0, and the reason. Without a list, the reason is
/// the whole message.
struct PartitionError {
  const char* list;
  int entry;
  Text reason;
  int other = -1;  ///< another entry of the list, which completes the reason
};

/// Consecutive intervals that cover a dimension. Empty intervals are dropped, and neighbours that are neighbours in the
/// local array of one owner are joined, so partitions that hold the same compare equal.
class Partition {
 public:
  /// Makes interval i of the elements [cuts[i], cuts[i + 1]), on owners[i] or, without owners, on process i. Its first
  /// element has the local index places[i]; without places, an owner's intervals lie in its local array in the same
  /// order, without gaps. error_in() must find nothing. Takes O(cuts + procs).
  Partition(std::span<const Index> cuts, std::span<const int> owners, Index procs, std::span<const Index> places = {});
  /// Makes the partition of consecutive intervals from element 0 on, none of which is empty or continues the one
  /// before in the local array of its owner. `repeats`: some elements have the same place.
  Partition(std::vector<OwnedInterval> intervals, Index procs, bool repeats);

  /// Returns the partition in which each element is `parts` consecutive elements.
  Partition subdivided(Index parts) const;

  /// Returns the first error in the arguments of the constructor. Takes O(cuts + procs); with places that do not
  /// ascend, the time to sort them.
  static std::optional<PartitionError> error_in(std::span<const Index> cuts, std::span<const int> owners, Index procs,
                                                std::span<const Index> places = {});

  /// Returns the number of elements of the whole dimension.
  Index extent() const { return intervals_.empty() ? 0 : intervals_.back().end; }
  Index procs() const { return numbers_.groups(); }
  std::span<const OwnedInterval> intervals() const { return intervals_; }
  const OwnedInterval& operator[](Index number) const { return at(intervals_, number); }
  /// Returns the numbers of process p's intervals, ascending.
  std::span<const std::int32_t> numbers_of(Index p) const { return numbers_[p]; }
  /// Returns the number of the interval that holds element k, or the number of intervals if none does.
  Index number_at(Index k) const;
  /// Returns whether each owner's intervals lie in its local array in the same order, without gaps.
  bool in_order() const { return in_order_; }
  /// Returns whether elements may have the same place.
  bool repeats() const { return repeats_; }
  /// Returns the greatest local index plus 1; 0 without elements.
  Index local_end() const;

  friend bool operator==(const Partition&, const Partition&) = default;

 private:
  void group(Index procs);

  std::vector<OwnedInterval> intervals_;
  Grouped<std::int32_t> numbers_;  // of each owner's intervals
  bool in_order_ = true, repeats_ = false;
};

/// Maximum number of intervals of a partition: interval numbers have 31 bits.
inline constexpr Index max_intervals = (Index{1} << 31) - 2;

}  // namespace xredist::core
