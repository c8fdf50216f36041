// SPDX-License-Identifier: BSD-3-Clause
// The elements of a piece are copied, or change what is there, by lists of runs.
#pragma once

#include <cstddef>
#include <vector>

#include "layout/layout.hpp"
#include "plan/operation.hpp"

namespace xredist::core {

/// Which side is a buffer, in which elements lie column by column without gaps.
enum class View { pack, unpack, copy };

/// `length` rows (or columns) from index `from` on are copied to index `to` on. The indices are local ones, or places
/// in the buffer; the first of the rows (columns) has index k in the submatrix.
struct CopyRun {
  Index from, to, length, k;
};

/// `count` such runs, each with indices that are greater than the last one's by the steps.
struct RepeatedRun {
  CopyRun run;
  Index count, from_step, to_step;
};

/// All rows (or columns) of a piece.
struct CopyRuns {
  std::vector<CopyRun> once;
  std::vector<RepeatedRun> repeated;
};

/// Where a column begins on either side.
struct Column {
  const std::byte* from;
  std::byte* to;
};
using Columns = std::vector<Column>;

/// Two column-major arrays; leading dimensions in elements. `stream`: long runs are written past the caches.
struct CopySides {
  const std::byte* from;
  Index ld_from;
  std::byte* to;
  Index ld_to;
  bool stream = false;
};

/// Copies all rows of all columns; elements of 4, 8 or 16 bytes. Sorts the rows; `columns` is memory to work with.
/// `shares`: so many threads copy a share of the columns each; at most as many as there are columns.
void copy_runs(Index bytes, CopyRuns& rows, const CopyRuns& cols, const CopySides& sides, Columns& columns, int shares);

/// The same where elements of `to` are changed by those of `from`. Long runs: there is no code for single lengths.
void change_runs(const Change& how, const CopyRuns& rows, const CopyRuns& cols, const CopySides& sides,
                 Columns& columns, int shares);

/// Those of them that are in the region, of m rows; no run is repeated. Both return the number of elements.
Index copy_region(Index bytes, const CopyRuns& rows, const CopyRuns& cols, const CopySides& sides, const Region& region,
                  Index m, View view, int shares);
Index change_region(const Change& how, const CopyRuns& rows, const CopyRuns& cols, const CopySides& sides,
                    const Region& region, Index m, View view, int shares);

/// The number of elements that copy_region would copy.
Index count_region(const CopyRuns& rows, const CopyRuns& cols, const Region& region, Index m);

}  // namespace xredist::core
