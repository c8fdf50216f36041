// SPDX-License-Identifier: BSD-3-Clause
// A matrix on a process grid, and the elements of a submatrix that are moved.
#pragma once

#include "layout/axis.hpp"

namespace xredist::core {

/// Maximum size, index and block size: their products with numbers of processes must fit 64 bits.
inline constexpr Index max_elements = Index{1} << 40;

/// Returns whether m x n elements may take more bytes than 64 bits can count.
inline bool too_large(Index m, Index n) { return n > 0 && m > ((Index{1} << 59) - 1) / n; }

/// Coordinates of a process in its grid.
struct Coord {
  Index row, col;
  friend bool operator==(const Coord&, const Coord&) = default;
};

/// A matrix that is distributed on a grid of rows.procs x cols.procs processes.
struct Layout {
  Axis rows, cols;

  friend bool operator==(const Layout&, const Layout&) = default;
};

/// Returns the axis in which each element of `axis` is `parts` consecutive elements. A block that would exceed
/// max_elements contains all elements, however long it is.
Axis subdivided(const Axis& axis, Index parts);

/// The elements (i, j) of an m x n submatrix that move.
struct Region {
  enum class Kind { all, upper, lower };
  Kind kind = Kind::all;
  Index shift = 0;  ///< upper: i - j <= shift; lower: i - j >= shift

  friend bool operator==(const Region&, const Region&) = default;
};

/// Returns the trapezoid of P?TRMR2D. The diagonal is placed so that the larger trapezoid moves: through the bottom
/// right corner for 'U' with m > n and for 'L' with m < n, otherwise through the top left corner. Any uplo but 'U'
/// means lower; any diag but 'N' excludes the diagonal of 'U', only 'U' excludes the diagonal of 'L'.
Region trapezoid(char uplo, char diag, Index m, Index n);

/// Returns the rows of column j that move, out of m.
Interval rows_of(const Region& region, Index j, Index m);

/// Returns whether any element (i, j) with i in `rows` and j in `cols` moves. Neither is empty.
bool meets(const Region& region, const Interval& rows, const Interval& cols);
/// Returns whether all of these elements move.
bool covers(const Region& region, const Interval& rows, const Interval& cols);

}  // namespace xredist::core
