// SPDX-License-Identifier: BSD-3-Clause
#include "plan/pieces.hpp"

#include <algorithm>
#include <cmath>

namespace xredist::core {
namespace {

// Divides `whole` into as few equal parts of at most `most` as possible and returns their length. (If a short rest
// followed long parts, a port would be idle between two pieces.)
Index even_part(Index whole, Index most) {
  most = std::clamp<Index>(most, 1, longest_side);
  const Index parts = (whole + most - 1) / most;
  return (whole + parts - 1) / parts;
}

// Long columns are packed fastest. What is transposed is read along the other side, so its pieces are square.
Index most_rows(const Redistribution& redistribution, Index elements) {
  if (!redistribution.operation.transposed) return elements;
  return static_cast<Index>(std::sqrt(static_cast<double>(elements)));
}

}  // namespace

Redistribution redistribution_of(const Layout& a, const Layout& b, Index m, Index n, const Region& region, Index bytes,
                                 const Operation& operation) {
  const Axis &rows = operation.transposed ? a.cols : a.rows, &cols = operation.transposed ? a.rows : a.cols;
  return {{Overlap(rows, b.rows, m), Overlap(cols, b.cols, n)},
          region,
          bytes_of(operation.carried(bytes), bytes),
          operation};
}

// Where all elements move, those of a table are not looked for.
Pieces::Cutter::Cutter(const Overlap& o, Index p, Index q, const RunTable* table, Index peer, bool by_number,
                       bool located)
    : table_(table != nullptr && !table->empty() ? table : nullptr), peer_(peer), by_number_(by_number) {
  if (table_ == nullptr && (by_number || located)) runs_.emplace(o, p, q);
}

PieceSide Pieces::Cutter::take(Index count) {
  PieceSide side{-1, -1, begin_, count, table_, peer_};
  begin_ += count;
  if (count == 0) return side;
  if (table_ != nullptr && by_number_) {
    const RunTable::Pair pair = table_->pair(peer_);
    side.first = TableRuns(pair, side.begin).next(1).k;
    side.last = TableRuns(pair, begin_ - 1).next(1).k;
    return side;
  }
  for (Index left = runs_ ? count : 0; left > 0;) {
    const Run run = runs_->next(left);
    if (side.first < 0) side.first = run.k;
    side.last = run.k + run.length - 1;
    left -= run.length;
  }
  return side;
}

Pieces::Pieces(const Redistribution& redistribution, Coord p, Coord q, Interval rows, Interval cols, Index limit,
               const RunTables* tables, bool sending, bool located)
    : redistribution_(&redistribution),
      p_(p),
      q_(q),
      cols_(cols.end - cols.begin),
      height_(even_part(rows.end - rows.begin, most_rows(redistribution, limit / redistribution.bytes))),
      width_(even_part(cols_, limit / redistribution.bytes / height_)),
      rows_(redistribution.traffic.rows, p.row, q.row, tables != nullptr ? &tables->rows : nullptr,
            sending ? q.row : p.row, redistribution.region.kind != Region::Kind::all, located),
      first_cols_(redistribution.traffic.cols, p.col, q.col, tables != nullptr ? &tables->cols : nullptr,
                  sending ? q.col : p.col, redistribution.region.kind != Region::Kind::all, located),
      strip_(first_cols_),
      rows_left_(rows.end - rows.begin) {
  rows_.take(rows.begin);
  first_cols_.take(cols.begin);
}

std::optional<Piece> Pieces::next() {
  for (;;) {
    if (cols_left_ == 0) {
      if (rows_left_ == 0) return std::nullopt;
      row_side_ = rows_.take(std::min(height_, rows_left_));
      rows_left_ -= row_side_.count;
      strip_ = first_cols_;
      cols_left_ = cols_;
    }
    const PieceSide cols = strip_.take(std::min(width_, cols_left_));
    cols_left_ -= cols.count;
    if (meets(redistribution_->region, row_side_.first, row_side_.last, cols.first, cols.last))
      return Piece{p_, q_, row_side_, cols};
  }
}

}  // namespace xredist::core
