// SPDX-License-Identifier: BSD-3-Clause
// Indices: their type, arithmetic, intervals, and containers that they index.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace xredist::core {

/// Type of every count, index and offset: 64 bits, in elements unless a comment says otherwise, from 0.
using Index = std::int64_t;

/// Type of intermediate results that may exceed 64 bits.
__extension__ using Wide = __int128;

/// Returns the residue of x in [0, y), also for negative x; y > 0.
constexpr Index modulo(Index x, Index y) { return ((x % y) + y) % y; }

/// Returns x / y rounded up, also for negative x; y > 0.
constexpr Index ceil_div(Index x, Index y) { return x >= 0 ? (x + y - 1) / y : -(-x / y); }

/// The indices [begin, end).
struct Interval {
  Index begin, end;

  constexpr Index length() const { return end - begin; }
  friend bool operator==(const Interval&, const Interval&) = default;
};

/// Converts a count or an index, which must not be negative, to the type that the standard library takes.
template <std::integral Integer>
constexpr std::size_t as_size(Integer count) {
  return static_cast<std::size_t>(count);
}

/// Returns container[index] for an index of any integer type, which must not be negative.
template <class Container, std::integral Integer>
constexpr decltype(auto) at(Container&& container, Integer index) {
  return std::forward<Container>(container)[static_cast<std::size_t>(index)];
}

/// Returns how many items have each number in [0, count). number(item) is an item's number.
template <class Items, class Number = std::identity>
std::vector<int> count_each(Index count, const Items& items, Number number = {}) {
  std::vector<int> counts(as_size(count), 0);
  for (const auto& item : items) ++at(counts, std::invoke(number, item));
  return counts;
}

/// Values in groups, which are numbered from 0 and stored one after the other.
template <class Value>
class Grouped {
 public:
  Grouped() = default;

  /// Groups items: value(item) belongs to group(item), which is in [0, groups). The items of a group keep their order.
  /// Takes O(items + groups).
  template <class Items, class Group, class Project = std::identity>
  Grouped(Index groups, const Items& items, Group group, Project value = {})
      : values_(std::size(items)), begins_(as_size(groups) + 2, 0) {
    for (const auto& item : items) ++at(begins_, std::invoke(group, item) + 2);
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    // begins_[g + 1] is the place of the next value of group g, and in the end the begin of group g + 1.
    for (const auto& item : items) values_[at(begins_, std::invoke(group, item) + 1)++] = std::invoke(value, item);
    begins_.pop_back();
  }

  bool empty() const { return values_.empty(); }
  Index groups() const { return begins_.empty() ? 0 : std::ssize(begins_) - 1; }
  std::span<const Value> operator[](Index group) const { return {values_.data() + begin(group), length(group)}; }
  std::span<Value> operator[](Index group) { return {values_.data() + begin(group), length(group)}; }

  /// Returns the index of the first value of the group among the values of all groups.
  std::size_t begin(Index group) const { return at(begins_, group); }

  /// Returns the values of all groups.
  const std::vector<Value>& values() const& { return values_; }
  std::span<Value> values() & { return values_; }
  std::vector<Value> values() && { return std::move(values_); }

  friend bool operator==(const Grouped&, const Grouped&) = default;

 private:
  std::size_t length(Index group) const { return begin(group + 1) - begin(group); }

  std::vector<Value> values_;
  std::vector<std::size_t> begins_;  // index of the first value of each group, and the number of all values
};

}  // namespace xredist::core
