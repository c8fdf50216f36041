// SPDX-License-Identifier: BSD-3-Clause
#include "copy/chunks.hpp"

#include <algorithm>
#include <cmath>

namespace xredist::core {
namespace {

// Returns the length of the fewest equal parts of at most `max` elements. (With a short last part, a port would be idle
// between two chunks.)
Index equal_part(Index whole, Index max) {
  if (whole <= max) return whole;
  const Index parts = ceil_div(whole, std::max<Index>(max, 1));
  return ceil_div(whole, parts);
}

// Returns the rows of a chunk of at most `elements` elements, where the rectangle has `rows` rows. Long columns are
// packed fastest. A transposed chunk has four times as many rows as columns: a tile's height of short rows, which are
// read, and the lines that are written stay in the first cache together. Square chunks take up to 1.07 times as long.
Index height_of(const Redistribution& redistribution, Index rows, Index elements) {
  Index max = elements;
  if (redistribution.operation.transposed)
    max = std::min(elements, 2 * static_cast<Index>(std::sqrt(static_cast<double>(elements))));
  if (rows > max_chunk_side) max = std::min(max, max_chunk_rows(redistribution.traffic.rows, redistribution.bytes));
  return equal_part(rows, max);
}

}  // namespace

Index max_chunk_rows(const Overlap& rows, Index bytes) {
  constexpr Index max_bytes = 16;  // of an element
  if (bytes == max_bytes || rows.n == 0) return max_chunk_side;
  const Index average_run = rows.n / (max_blocks(rows.a, rows.n) + max_blocks(rows.b, rows.n));
  return max_chunk_side * std::clamp<Index>(average_run, 1, max_bytes / bytes);
}

Chunks::Side::Side(const Overlap& o, Index p, Index q, const RunTable* table, Index peer, bool in_trapezoid)
    : table_(table != nullptr && !table->empty() ? table : nullptr), peer_(peer), in_trapezoid_(in_trapezoid) {
  if (table_ == nullptr && (in_trapezoid || table != nullptr)) runs_.emplace(o, p, q);
}

// Looks up the position of tabulated runs only in trapezoids: elsewhere the position is not needed.
ChunkSide Chunks::Side::take(Index count) {
  ChunkSide side{-1, -1, begin_, count, table_, peer_};
  begin_ += count;
  if (count == 0) return side;
  if (table_ != nullptr && in_trapezoid_) {
    const RunTable::Pair pair = table_->pair(peer_);
    side.first = index_of(pair, side.begin);
    side.last = index_of(pair, begin_ - 1);
    return side;
  }
  for (Index left = runs_ ? count : 0; left > 0;) {
    const Run run = runs_->next(left);
    const RunSeries series = run.length < left ? runs_->series_from(run, left) : RunSeries{run, 1, 0, 0, 0};
    if (side.first < 0) side.first = run.k;
    side.last = run.k + (series.count - 1) * series.step + run.length - 1;
    left -= series.count * run.length;
  }
  return side;
}

Chunks::Chunks(const Redistribution& redistribution, Coord p, Coord q, Interval rows, Interval cols, Index max_bytes,
               const RunTables* tables, bool sending)
    : redistribution_(&redistribution),
      p_(p),
      q_(q),
      cols_(cols.length()),
      height_(height_of(redistribution, rows.length(), max_bytes / redistribution.bytes)),
      width_(equal_part(cols_, std::min(max_bytes / redistribution.bytes / height_, max_chunk_side))),
      rows_(redistribution.traffic.rows, p.row, q.row, tables != nullptr ? &tables->rows : nullptr,
            sending ? q.row : p.row, !redistribution.whole()),
      first_cols_(redistribution.traffic.cols, p.col, q.col, tables != nullptr ? &tables->cols : nullptr,
                  sending ? q.col : p.col, !redistribution.whole()),
      strip_(first_cols_),
      rows_left_(rows.length()) {
  rows_.take(rows.begin);
  first_cols_.take(cols.begin);
}

std::optional<Chunk> Chunks::next() {
  for (;;) {
    if (cols_left_ == 0) {
      if (rows_left_ == 0) return std::nullopt;
      row_side_ = rows_.take(std::min(height_, rows_left_));
      rows_left_ -= row_side_.count;
      strip_ = first_cols_;
      cols_left_ = cols_;
    }
    const ChunkSide cols = strip_.take(std::min(width_, cols_left_));
    cols_left_ -= cols.count;
    const Region& region = redistribution_->region;
    if (meets(region, row_side_.first, row_side_.last, cols.first, cols.last))
      return Chunk{p_, q_, row_side_, cols, covers(region, row_side_.first, row_side_.last, cols.first, cols.last)};
  }
}

}  // namespace xredist::core
