// SPDX-License-Identifier: BSD-3-Clause
// Items by their numbers: counts, and values in groups.
#pragma once

#include <cstddef>
#include <functional>
#include <iterator>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "layout/index.hpp"

namespace xredist::core {

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
