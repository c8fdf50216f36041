// SPDX-License-Identifier: BSD-3-Clause
// Lists of runs of arrays whose elements have strides. Indices of an array are offsets in such lists.
#pragma once

#include <vector>

#include "copy/copy_runs.hpp"
#include "copy/strides.hpp"
#include "layout/run_cursor.hpp"

namespace xredist::core {

/// One side of a move along a list: an array, or a buffer with the elements in the order of the list.
struct StridedSide {
  Place place;
  const ArrayStrides* strides;  ///< of an array; nullptr for a buffer

  /// Returns the index on this side of the first element of a run; the side is an array.
  Index local(const Run& run) const { return place == Place::a ? run.a : run.b; }
  /// Return the strides of the rows, and of a group of columns; nullptr for a buffer.
  const GroupStrides* rows() const { return strides != nullptr ? &strides->rows : nullptr; }
  const GroupStrides* col(std::size_t group) const { return strides != nullptr ? &at(strides->cols, group) : nullptr; }
};

/// Lists of the factors of a product: work memory.
struct ProductLists {
  /// The origin and the target of an element.
  struct Offsets {
    Index from, to;
  };
  /// Elements [first, first + length) of the first factor, each at the offsets of the one before plus the steps.
  struct Piece {
    Index first, length;
    Offsets at, step;
  };
  /// Another factor. Its elements are listed in the order in which they are visited, cyclically.
  struct Digit {
    Index elements = 0;              ///< that the process shares with the peer along the factor
    Index now = 0, zero = 0;         ///< places in the list: of the current element, and of element 0
    std::vector<Offsets> offsets{};  ///< of the elements that are visited
  };

  std::vector<Piece> pieces{};  ///< all elements of the first factor, if these are visited
  std::vector<Digit> digits{};
};

/// Replaces the local indices of rows (columns) by offsets. from, to: the strides of the group; nullptr: a buffer. A
/// list of rows that are adjacent on both sides stays as it is. `work` keeps its memory.
void apply_strides(CopyRuns& list, const GroupStrides* from, const GroupStrides* to, CopyRuns& work);

/// Lists `count` elements of a product. `work` keeps its memory.
void list_product(CopyRuns& list, const ProductCursor& cursor, Index count, const StridedSide& from,
                  const StridedSide& to, ProductLists& work);

}  // namespace xredist::core
