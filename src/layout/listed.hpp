// SPDX-License-Identifier: BSD-3-Clause
// Rows or columns that a list names, as the elements of an axis.
#pragma once

#include <optional>
#include <span>

#include "layout/axis.hpp"

namespace xredist::core {

/// Two positions of a list, the first less than the second.
struct Positions {
  Index first, second;
};

/// Returns the positions of the first entry that the list has already, and of that earlier entry. Takes O(entries) if
/// the entries are not far apart, otherwise the time to sort them.
std::optional<Positions> repeated_in(std::span<const Index> list);

/// Returns the axis whose element k is element list[k] - `base` of the whole matrix, which `axis` has. A list of
/// neighbours is the axis itself from the first of them on. Otherwise the axis has a partition, in which entries that
/// are neighbours on one owner share an interval. Takes O(entries + procs), and the time to find the interval of each
/// entry if `axis` has a partition. `repeats`: repeated_in() finds an entry.
Axis listed(const Axis& axis, std::span<const Index> list, Index base, bool repeats);

}  // namespace xredist::core
