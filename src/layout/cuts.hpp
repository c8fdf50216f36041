// SPDX-License-Identifier: BSD-3-Clause
// A dimension of a matrix in intervals of any lengths, each with any owner.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "layout/axis.hpp"

namespace xredist::core {

/// The intervals one after the other. Those of one owner lie in its local array in the same order. Empty intervals, and
/// cuts between two intervals of one owner, leave no trace: so axes are equal iff they hold the same.
class Cuts {
 public:
  /// Elements [start, end) are on process `owner`, the first of them at local index `local`.
  struct Interval {
    Index start, end, local;
    std::int32_t owner;
    friend bool operator==(const Interval&, const Interval&) = default;
  };

  /// Interval i has the elements [cuts[i], cuts[i + 1]) and is on owners[i], or on process i if there are no owners.
  /// There must be nothing that wrong() finds. O(cuts).
  Cuts(std::span<const Index> cuts, std::span<const int> owners, Index procs);

  /// What is wrong with such arguments, for an axis on `procs` processes; an empty text if nothing is.
  static std::string wrong(std::span<const Index> cuts, std::span<const int> owners, Index procs);

  /// Elements of the whole dimension.
  Index extent() const { return extent_; }
  /// Intervals that are not empty and lie between owners' changes.
  std::span<const Interval> intervals() const { return intervals_; }
  /// Numbers of the intervals of process p, ascending.
  std::span<const std::int32_t> held_by(Index p) const {
    const std::size_t begin = begins_[static_cast<std::size_t>(p)];
    return {numbers_.data() + begin, begins_[static_cast<std::size_t>(p) + 1] - begin};
  }
  const Interval& operator[](Index number) const { return intervals_[static_cast<std::size_t>(number)]; }
  /// The number of the interval that has element k; the number of intervals if none has.
  Index number_at(Index k) const;

  friend bool operator==(const Cuts&, const Cuts&) = default;

 private:
  Index extent_;
  std::vector<Interval> intervals_;
  std::vector<std::int32_t> numbers_;  // by owner, then ascending
  std::vector<std::size_t> begins_;    // of each owner's numbers, and the end of the last one's
};

/// The most intervals of an axis: their numbers have 31 bits.
inline constexpr Index most_intervals = (Index{1} << 31) - 2;

}  // namespace xredist::core
