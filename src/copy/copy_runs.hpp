// SPDX-License-Identifier: BSD-3-Clause
// Kernels that copy, or update, the elements of a chunk, given as lists of runs.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "copy/operation.hpp"
#include "layout/layout.hpp"

namespace xredist::core {

/// The origin or target of a move: the local array of A or of B, or a buffer with the elements of a chunk column by
/// column. A rectangle has room for the elements outside of the region; packed elements have no gaps. Whole chunks have
/// the same form in both.
enum class Place { a, b, rectangle, packed };

/// `length` rows (columns) from index `from` on go to index `to` on. The indices are local indices, or positions in a
/// buffer. The first row (column) has index k in the submatrix.
struct CopyRun {
  Index from, to, length, k;
};

/// `count` runs, each at the indices of the previous one plus the steps.
struct RepeatedRun : CopyRun {
  Index count, from_step, to_step;
};

/// All rows (columns) of a chunk.
struct CopyRuns {
  std::vector<CopyRun> once;
  std::vector<RepeatedRun> repeated;
};

/// Calls visit(from, to, length) for all runs of rows (columns).
template <class Visit>
void for_strips(const CopyRuns& runs, Visit visit) {
  for (const CopyRun& run : runs.once) visit(run.from, run.to, run.length);
  for (const RepeatedRun& run : runs.repeated)
    for (Index i = 0; i < run.count; ++i) visit(run.from + i * run.from_step, run.to + i * run.to_step, run.length);
}

/// The first element of a column on either side.
struct Column {
  const std::byte* from;
  std::byte* to;
};
using Columns = std::vector<Column>;

/// Two column-major arrays. Leading dimensions are in elements. `stream`: stores of long runs bypass the caches.
struct CopySides {
  const std::byte* from;
  Index ld_from;
  std::byte* to;
  Index ld_to;
  bool stream = false;
};

/// A copy of elements of 1, 2, 4, 8 or 16 bytes; or an update of elements, which have `bytes` bytes on side `to`.
struct Move {
  Index bytes;
  const Update* update = nullptr;
};

/// Moves all rows of all columns. Sorts the rows. `columns` is work memory. `threads` threads move equal shares of the
/// columns; `threads` must not exceed the number of columns.
void move_runs(const Move& move, CopyRuns& rows, const CopyRuns& cols, const CopySides& sides, Columns& columns,
               int threads);

/// Transposes all elements into a buffer, column by column without gaps. The rows that move are columns of the array
/// `from`. Elements of 4, 8 or 16 bytes. `threads` threads share the rows.
void transpose_runs(Index bytes, const CopyRuns& rows, const CopyRuns& cols, const CopySides& sides, Columns& columns,
                    int threads);

/// An element of a matrix: `units` units of 1, 2, 4, 8 or 16 bytes.
struct Element {
  Index unit;  ///< bytes
  Index units;

  Index bytes() const { return unit * units; }
};

/// Transposes elements of any size as transpose_runs does. A row that moves is a unit: row r is unit r % units of the
/// elements in column r / units of the array `from`. ld_from is in elements, ld_to in units. The first and the last
/// element may lack units, which are in no row.
void transpose_units(const Element& element, const CopyRuns& rows, const CopyRuns& cols, const CopySides& sides,
                     Columns& columns, int threads);

/// Moves the elements in the region. `m`: rows of the submatrix. No run is repeated; runs ascend. Returns the number of
/// elements.
Index move_region(const Move& move, const CopyRuns& rows, const CopyRuns& cols, const CopySides& sides,
                  const Region& region, Index m, Place origin, Place target, int threads);

/// Calls visit(position) for each element of the diagonal, with its position among the elements that move_region packs.
/// The region is a triangle with its diagonal.
void for_diagonal(const CopyRuns& rows, const CopyRuns& cols, const Region& region, Index m,
                  const std::function<void(Index)>& visit);

/// Returns the number of elements that move_region moves. Takes time in proportion to the runs and columns.
Index count_region(const CopyRuns& rows, const CopyRuns& cols, const Region& region, Index m);

}  // namespace xredist::core
