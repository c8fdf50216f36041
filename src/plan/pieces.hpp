// SPDX-License-Identifier: BSD-3-Clause
// A message cut into pieces that fit into a buffer. Sender and receiver cut alike, each for itself.
#pragma once

#include <optional>

#include "layout/layout.hpp"
#include "layout/run_table.hpp"
#include "plan/operation.hpp"
#include "schedule/schedule.hpp"

namespace xredist::core {

/// Rows or columns of a piece: `count` consecutive elements of the message's axis.
struct PieceSide {
  Index first, last;      ///< index in the submatrix of its first and of its last element; -1 where nothing asks for it
  Index begin, count;     ///< number of its first element among those of the message, and how many there are
  const RunTable* table;  ///< where its runs are found, if they are written down
  Index peer;             ///< in the table
};

/// A piece of the message from p of A to q of B.
struct Piece {
  Coord p, q;
  PieceSide rows, cols;
};

/// The runs of a process's messages, as far as they are written down; empty tables otherwise.
struct RunTables {
  RunTable rows, cols;
};

/// What moves. Equal on all processes that take part. Rows and columns are those of B: if A is transposed, the rows of
/// A in `traffic`, and of its grid wherever its processes are named, are columns of the array.
struct Redistribution {
  Traffic traffic;
  Region region;
  Index bytes;  ///< of an element on its way: 4, 8 or 16
  Operation operation{};

  Index bytes_a() const { return bytes_of(operation.a, bytes); }
  Index bytes_b() const { return bytes_of(operation.b, bytes); }
};

/// m x n: the submatrix of B. `bytes`: of an element, if the operation does not know its types.
Redistribution redistribution_of(const Layout& a, const Layout& b, Index m, Index n, const Region& region, Index bytes,
                                 const Operation& operation = {});

/// The greatest length of either side of a piece, which bounds the lists of its runs.
inline constexpr Index longest_side = 2048;

/// The pieces, of at most `limit` bytes each, of a message p -> q or of that part of it that `rows` and `cols` say
/// (counted as in Message). They come strip of rows after strip of rows; pieces without elements of the region are left
/// out.
/// `tables`: nullptr, or those of p (`sending`) or of q; they outlive the pieces. `located`: whether it matters where
/// the pieces of a rectangle are, and not only how many elements they have.
class Pieces {
 public:
  Pieces(const Redistribution& redistribution, Coord p, Coord q, Interval rows, Interval cols, Index limit,
         const RunTables* tables = nullptr, bool sending = true, bool located = true);

  std::optional<Piece> next();

 private:
  // Cuts off one side after the other.
  class Cutter {
   public:
    Cutter(const Overlap& o, Index p, Index q, const RunTable* table, Index peer, bool by_number, bool located);
    PieceSide take(Index count);

   private:
    std::optional<Runs> runs_;  // unless they are written down, or do not matter
    const RunTable* table_;
    Index peer_, begin_ = 0;
    bool by_number_;  // its elements are known by their place in the matrix
  };

  const Redistribution* redistribution_;
  Coord p_, q_;
  Index cols_, height_, width_;
  Cutter rows_, first_cols_, strip_;  // first_cols_: at the first column of each strip
  Index rows_left_, cols_left_ = 0;
  PieceSide row_side_{};
};

}  // namespace xredist::core
