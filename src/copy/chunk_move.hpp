// SPDX-License-Identifier: BSD-3-Clause
// The move of one chunk.
#pragma once

#include <functional>
#include <span>

#include "copy/chunks.hpp"
#include "copy/copy_runs.hpp"
#include "copy/strided_runs.hpp"

namespace xredist::core {

/// Work memory for the lists of a move. One move uses it at a time.
struct MoveLists {
  CopyRuns rows, cols;
  Columns columns;
  ProductLists product;
  CopyRuns strided;  // exchanged with rows or cols
};

/// The strides of local arrays of any number of axes; nullptr for a local matrix, which has a leading dimension.
struct Strides {
  const ArrayStrides *a = nullptr, *b = nullptr;
};

/// Bytes [begin, end) from the begin of a column.
struct ColumnPart {
  Index begin, end;
  Index before;  ///< bytes of the parts before this one
};

/// A move of the elements of a chunk from one place to another. The constructor lists the runs. Redistribution, chunk,
/// lists and strides outlive the move. An array with strides has leading dimension 1, because its columns are listed by
/// their offsets; only a transposed A has the distance of its rows.
class ChunkMove {
 public:
  ChunkMove(const Redistribution& redistribution, const Chunk& chunk, Place from, Place to, MoveLists& lists,
            const Strides& strides = {});

  /// Returns the number of elements that move. Takes time in proportion to the runs and columns of a trapezoid.
  Index elements() const;
  /// Returns whether runs of rows are long enough to be updated where they are.
  bool has_long_runs() const;
  /// Calls visit(position) for each element of the diagonal of a chunk that is not whole, with its position among
  /// packed elements.
  void for_diagonal(const std::function<void(Index)>& visit) const;
  /// Moves the elements. Returns their number.
  Index run(const Move& move, const CopySides& sides, int threads) const;
  /// Transposes all elements of the chunk from A to a rectangle. `bytes`: of a unit in A. The leading dimension of A is
  /// in elements.
  void transpose(Index bytes, const CopySides& sides, int threads) const;
  /// Calls visit(column, parts) for each column of A from which elements of a whole chunk move: the begin of the column
  /// in bytes, and its parts, ascending. `ld`: of A, that of run() or, if A is transposed, that of transpose().
  void for_columns_of_a(Index ld, const std::function<void(Index, std::span<const ColumnPart>)>& visit) const;

 private:
  void list(CopyRuns& list, const Overlap& o, Index p, Index q, const ChunkSide& side, Index columns) const;
  void list_strided(const Strides& strides) const;

  const Redistribution& redistribution_;
  const Chunk& chunk_;
  Place from_, to_;
  MoveLists& lists_;
};

/// Returns the number of elements of the region in a rectangle of the message from process p of A to process q of B.
/// `rows`, `cols`: the rectangle, counted from 0 among those that p and q share. Takes time in proportion to the runs
/// and columns of a trapezoid.
Index elements_in(const Redistribution& redistribution, Coord p, Coord q, const Interval& rows, const Interval& cols);

}  // namespace xredist::core
