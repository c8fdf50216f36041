// SPDX-License-Identifier: BSD-3-Clause
// Interchanges of lines (rows or columns) of a matrix, as LU factorisations list them, composed to one permutation.
#pragma once

#include <span>
#include <vector>

#include "layout/index.hpp"

namespace xredist::core {

/// Interchanges line first + k with line pivots[k], for all k in ascending (forward) or descending order. Lines are
/// numbered from 0 in the whole matrix.
struct Interchanges {
  Index first;
  std::span<const Index> pivots;
  bool forward;
};

/// Line `to` gets the elements that line `from` had before all interchanges.
struct LineMove {
  Index to, from;

  friend bool operator==(const LineMove&, const LineMove&) = default;
};

/// Composes interchanges. Returns a move for each line that changes: at most two for each interchange, in an order that
/// depends on the interchanges only. Takes O(interchanges). Throws std::bad_alloc.
std::vector<LineMove> composed(const Interchanges& interchanges);

}  // namespace xredist::core
