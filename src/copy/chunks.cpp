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

// Passes elements, at least one. Returns their indices in the submatrix, from the first to the last.
Interval pass_indices(Runs& runs, Index count) {
  RunSeries series = runs.next_series(count);
  const Index begin = series.first.k;
  while ((count -= series.count * series.first.length) > 0) series = runs.next_series(count);
  return {begin, series.first.k + (series.count - 1) * series.step + series.first.length};
}

// As above. The cursor must not be empty.
Interval pass_indices(RunCursor& cursor, Index count) {
  if (auto* runs = std::get_if<Runs>(&cursor)) return pass_indices(*runs, count);
  auto& tabulated = std::get<TableCursor>(cursor);
  const RunTable::Pair pair = tabulated.pair();
  const Index first = std::exchange(tabulated.number, tabulated.number + count);
  return {index_of(pair, first), index_of(pair, first + count - 1) + 1};
}

// Passes elements, at least one.
void pass(RunCursor& cursor, Index count) {
  if (auto* tabulated = std::get_if<TableCursor>(&cursor))
    tabulated->number += count;
  else if (auto* of_product = std::get_if<ProductCursor>(&cursor))
    of_product->number += count;
  else if (auto* runs = std::get_if<Runs>(&cursor))
    pass_indices(*runs, count);
}

// Returns whether an element of the diagonal may be in the rectangle with these indices in the submatrix.
bool meets_diagonal(const Interval& rows, const Interval& cols) {
  return rows.begin < cols.end && cols.begin < rows.end;
}

// Returns a cursor at the first element of a pair. `table`: nullptr on a process that only forwards the elements; then
// only a trapezoid needs their indices.
RunCursor first_of(const Overlap& o, Index p, Index q, const RunTable* table, Index peer, bool in_trapezoid) {
  if (table != nullptr && !table->empty()) return TableCursor{table, peer, 0};
  if (in_trapezoid || table != nullptr) return Runs(o, p, q);
  return {};
}

RunCursor first_row(const Redistribution& redistribution, Coord p, Coord q, const RunTables* tables, bool sending) {
  return first_of(redistribution.traffic.rows, p.row, q.row, tables != nullptr ? &tables->rows : nullptr,
                  sending ? q.row : p.row, !redistribution.whole());
}

RunCursor first_col(const Redistribution& redistribution, Coord p, Coord q, const RunTables* tables, bool sending) {
  const Overlap& cols = redistribution.traffic.cols;
  const Index peer = sending ? q.col : p.col;
  if (is_product(cols)) return tables != nullptr ? ProductCursor{&tables->factors, peer, 0} : RunCursor();
  return first_of(cols, p.col, q.col, tables != nullptr ? &tables->cols : nullptr, peer, !redistribution.whole());
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

template <class First>
ChunkCursor::Side::Side(First first, const Interval& elements, bool in_trapezoid)
    : cursor_(first()), begin_(elements.begin), left_(elements.length()), in_trapezoid_(in_trapezoid) {
  if (begin_ > 0) pass(cursor_, begin_);
}

std::optional<Interval> ChunkCursor::Side::take(Index max, ChunkSide& part) {
  const Index count = std::min(max, left_);
  part.begin = begin_, part.count = count;
  part.cursor = cursor_;
  begin_ += count;
  left_ -= count;
  if (in_trapezoid_) return pass_indices(cursor_, count);
  if (left_ > 0) pass(cursor_, count);  // the runs of the last part are not walked
  return std::nullopt;
}

ChunkCursor::ChunkCursor(const Redistribution& redistribution, Coord p, Coord q, Interval rows, Interval cols,
                         Index max_bytes, const RunTables* tables, bool sending)
    : redistribution_(&redistribution),
      height_(height_of(redistribution, rows.length(), max_bytes / redistribution.bytes)),
      width_(equal_part(cols.length(), std::min(max_bytes / redistribution.bytes / height_, max_chunk_side))),
      rows_([&] { return first_row(redistribution, p, q, tables, sending); }, rows, !redistribution.whole()),
      cols_([&] { return first_col(redistribution, p, q, tables, sending); }, cols, !redistribution.whole()),
      strip_(cols_) {
  current_.p = p, current_.q = q, current_.whole = true;
  row_indices_ = rows_.take(height_, current_.rows);
  advance();
}

void ChunkCursor::advance() {
  for (;;) {
    if (strip_.empty()) {
      done_ = rows_.empty();
      if (done_) return;
      row_indices_ = rows_.take(height_, current_.rows);
      strip_ = cols_;
    }
    const std::optional<Interval> cols = strip_.take(width_, current_.cols);
    if (!cols) return;
    const Region& region = redistribution_->region;
    if (!meets(region, *row_indices_, *cols)) continue;
    const bool changes_diagonal = redistribution_->operation.real_diagonal && meets_diagonal(*row_indices_, *cols);
    current_.whole = !changes_diagonal && covers(region, *row_indices_, *cols);
    return;
  }
}

}  // namespace xredist::core
