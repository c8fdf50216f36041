// SPDX-License-Identifier: BSD-3-Clause
#include "copy/chunks.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

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

// Example: doubles between blocks of 64 and blocks of 128 on 2 processes each. There is a block for 42 rows, so the
// limit is 2 * 2048 rows, a column of 32 KB. Between blocks of 1 and 128 there is a block for each row: 2048 rows.
Index max_chunk_rows(const Overlap& rows, Index bytes) {
  constexpr Index max_bytes = 16;  // of an element
  if (bytes == max_bytes || rows.n == 0) return max_chunk_side;
  const Index average_run = rows.n / (max_blocks(rows.a, rows.n) + max_blocks(rows.b, rows.n));
  return max_chunk_side * std::clamp<Index>(average_run, 1, max_bytes / bytes);
}

Chunks::Side::Side(const Overlap& o, Index p, Index q, const RunTable* table, Index peer, bool in_trapezoid)
    : in_trapezoid_(in_trapezoid) {
  if (table != nullptr && !table->empty())
    cursor_ = TableCursor{table, peer, 0};
  else if (in_trapezoid || table != nullptr)
    cursor_.emplace<Runs>(o, p, q);
}

// Passes elements. Looks up the indices of tabulated runs only in trapezoids.
Chunks::Span Chunks::Side::pass(Index count) {
  Span span;
  if (count == 0) return span;
  begin_ += count;
  if (auto* tabulated = std::get_if<TableCursor>(&cursor_)) {
    if (in_trapezoid_) {
      const RunTable::Pair pair = tabulated->pair();
      span = {index_of(pair, tabulated->number), index_of(pair, tabulated->number + count - 1)};
    }
    tabulated->number += count;
  } else if (auto* runs = std::get_if<Runs>(&cursor_)) {
    for (Index left = count; left > 0;) {
      const RunSeries series = runs->next_series(left);
      const Run& run = series.first;
      if (span.first < 0) span.first = run.k;
      span.last = run.k + (series.count - 1) * series.step + run.length - 1;
      left -= series.count * run.length;
    }
  }
  return span;
}

// Outside of trapezoids the cursor passes a part only when the next one is taken, so that the runs of the last part are
// not walked here.
ChunkSide Chunks::Side::take(Index count, Span& span) {
  pass(std::exchange(taken_, 0));
  ChunkSide side{begin_, count, cursor_};
  if (in_trapezoid_)
    span = pass(count);
  else
    taken_ = count;
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
  rows_.pass(rows.begin);
  first_cols_.pass(cols.begin);
}

std::optional<Chunk> Chunks::next() {
  for (;;) {
    if (cols_left_ == 0) {
      if (rows_left_ == 0) return std::nullopt;
      row_side_ = rows_.take(std::min(height_, rows_left_), row_span_);
      rows_left_ -= row_side_.count;
      strip_ = first_cols_;
      cols_left_ = cols_;
    }
    Span span;
    const ChunkSide cols = strip_.take(std::min(width_, cols_left_), span);
    cols_left_ -= cols.count;
    const Region& region = redistribution_->region;
    if (meets(region, row_span_.first, row_span_.last, span.first, span.last))
      return Chunk{p_, q_, row_side_, cols, covers(region, row_span_.first, row_span_.last, span.first, span.last)};
  }
}

}  // namespace xredist::core
