// SPDX-License-Identifier: BSD-3-Clause
// How a submatrix of a file is cut into panels, and panels into slabs of writers (or readers). Here the rows of a
// matrix are contiguous within a column: for a file in C order, the matrix is the transpose.
#pragma once

#include <array>
#include <vector>

#include "file/numbers.hpp"

namespace xredist::files {

/// The submatrix of a matrix in a file.
struct FilePlace {
  Index offset = 0;        ///< bytes before the first element of the matrix
  Index ld = 0;            ///< rows of the matrix
  Index row = 0, col = 0;  ///< first element of the submatrix, from 0
  Index bytes = 0;         ///< of an element

  /// Returns the byte at which element (i, j) of the submatrix begins.
  Index byte_of(Index i, Index j) const { return offset + ((col + j) * ld + row + i) * bytes; }
};

/// Minimum size of a slab (bytes), but for the last slab of a panel, and unless slabs are limited to less.
inline constexpr Index min_slab_bytes = Index{4} << 20;
/// Maximum number of writers.
inline constexpr Index max_writers = 64;

/// A panel: a part of the submatrix that is exchanged at once. It is whole columns, or rows of one column.
struct Panel {
  Interval rows, cols;
  bool cuts_rows;  ///< slabs are intervals of rows, otherwise of columns
  /// Slab k is [bounds[k], bounds[k + 1]) of the panel's rows (columns). All bounds from that of the last slab on are
  /// equal. An array, so that no process lacks the memory for a panel that others exchange.
  std::array<Index, max_writers + 1> bounds;

  /// Returns the rows and columns of the submatrix that are slab k.
  Interval slab_rows(Index k) const { return cuts_rows ? slab(k, rows) : rows; }
  Interval slab_cols(Index k) const { return cuts_rows ? cols : slab(k, cols); }

 private:
  Interval slab(Index k, const Interval& of) const {
    return {of.begin + bounds[as_size(k)], of.begin + bounds[as_size(k + 1)]};
  }
};

/// What the panels of a submatrix depend on.
struct PanelLimits {
  Index processes;                 ///< that may write
  Index slab_bytes;                ///< maximum size of a slab
  Index period_rows, period_cols;  ///< panels of whole columns (rows) that begin at multiples of a period are equal:
                                   ///< the length after which the distribution of the matrix repeats itself; 0: never
  Index stripe;                    ///< slabs begin near multiples of this number of bytes in the file, if it is large
};

/// The panels of a rows x cols submatrix.
class Panels {
 public:
  Panels(const FilePlace& place, Index rows, Index cols, const PanelLimits& limits);

  /// Returns the number of writers; 0 if there are no elements.
  Index writers() const { return writers_; }
  /// Returns the maximum number of elements of a slab.
  Index slab_elements() const;

  Index count() const { return rows_ == 0 || cols_ == 0 ? 0 : ceil_div(rows_, height_) * ceil_div(cols_, width_); }
  /// Returns panel k in [0, count()). Panels follow each other in the order of the file.
  Panel operator[](Index k) const;

 private:
  FilePlace place_;
  Index rows_, cols_, writers_ = 0, height_ = 1, width_ = 1;
  Index share_ = 1;      // maximum rows (columns) of a slab
  Index min_share_ = 1;  // minimum rows (columns) of a slab
  Index stripe_ = 0;     // bytes, or 0
  bool cuts_rows_ = false;
};

/// Contiguous bytes of a file.
struct Extent {
  Index offset;  ///< in the file
  Index local;   ///< in the slab
  Index bytes;
};

/// Returns the extents of a slab, whose columns are one after the other in memory.
std::vector<Extent> extents_of(const FilePlace& place, const Interval& rows, const Interval& cols);

}  // namespace xredist::files
