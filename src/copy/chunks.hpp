// SPDX-License-Identifier: BSD-3-Clause
// Transfers cut into chunks that fit into a slot.
#pragma once

#include <optional>

#include "copy/redistribution.hpp"
#include "layout/run_cursor.hpp"

namespace xredist::core {

/// The rows or columns of a chunk: consecutive elements of the message along one axis.
struct ChunkSide {
  Index begin, count;  ///< elements begin, begin + 1 ... of the message along this axis; `count` of them
  RunCursor cursor;    ///< at the first element
};

/// A part of a transfer that fits into a slot: a rectangle of the message from process p of A to process q of B.
struct Chunk {
  static constexpr Index in_array = -1;

  Coord p, q;
  ChunkSide rows, cols;
  bool whole;              ///< all elements of the rectangle move, and none of them is on a diagonal that becomes real
  int job = 0;             ///< index of its job in the batch
  Index store = in_array;  ///< offset in the store (bytes), if this process forwards the chunk; else A or B has it
};

/// The tabulated runs of a process's messages. A table is empty if its axis has too many runs, and that of the columns
/// if these are a product.
struct RunTables {
  RunTable rows{}, cols{};
  ProductRuns factors{};  ///< of the columns, if these are a product
};

/// Maximum number of columns of a chunk, and maximum of the mean number of runs in its rows. Bounds the lists of runs.
inline constexpr Index max_chunk_side = 2048;

/// Returns the maximum number of rows of a chunk: a column has at most 32 KB, and less if elements and runs are short.
Index max_chunk_rows(const Overlap& rows, Index bytes);

/// Walks the chunks of a transfer, a rectangle of the message p -> q, of at most `max_bytes` each, strip of rows after
/// strip of rows. Chunks without an element of the region are left out. Sender, forwarder and receiver obtain the same
/// chunks. The current chunk may be looked at before it is taken.
class ChunkCursor {
 public:
  /// `rows`, `cols`: the rectangle, counted from 0 among those that p and q share; not empty. `tables`: those of p (if
  /// `sending`) or of q, which outlive the cursor; nullptr on a process that only forwards the message, and needs no
  /// positions of chunks in A and B.
  ChunkCursor(const Redistribution& redistribution, Coord p, Coord q, Interval rows, Interval cols, Index max_bytes,
              const RunTables* tables, bool sending);

  bool done() const { return done_; }
  /// Returns the current chunk. Must not be called when done.
  const Chunk& current() const { return current_; }
  /// Goes to the next chunk.
  void advance();

 private:
  // One side of the transfer, from which parts are taken one after the other.
  class Side {
   public:
    // first(): the cursor at element 0.
    template <class First>
    Side(First first, const Interval& elements, bool in_trapezoid);
    bool empty() const { return left_ == 0; }
    // Takes the next part, of at most `max` elements. Returns its indices in the submatrix, from the first element to
    // the last. Only a trapezoid needs them: they decide which elements move.
    std::optional<Interval> take(Index max, ChunkSide& part);

   private:
    RunCursor cursor_;  // at the first element that is left
    Index begin_, left_;
    bool in_trapezoid_;
  };

  const Redistribution* redistribution_;
  Index height_, width_;
  Side rows_, cols_;                       // the rows below the strip; all columns
  Side strip_;                             // the columns that are left in the strip
  std::optional<Interval> row_indices_{};  // of the strip
  Chunk current_;                          // with the rows of the strip
  bool done_ = false;
};

}  // namespace xredist::core
