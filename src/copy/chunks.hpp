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
  bool whole;              ///< all elements of the rectangle move
  int job = 0;             ///< index of its job in the batch
  Index store = in_array;  ///< offset in the store (bytes), if this process forwards the chunk; else A or B has it
};

/// The tabulated runs of a process's messages. A table is empty if its axis has too many runs.
struct RunTables {
  RunTable rows, cols;
};

/// Maximum number of columns of a chunk, and maximum of the mean number of runs in its rows. Bounds the lists of runs.
inline constexpr Index max_chunk_side = 2048;

/// Returns the maximum number of rows of a chunk: a column has at most 32 KB, and less if elements and runs are short.
Index max_chunk_rows(const Overlap& rows, Index bytes);

/// Enumerates the chunks of a transfer, a rectangle of the message p -> q, of at most `max_bytes` each, strip of rows
/// after strip of rows. Chunks without an element of the region are left out. Sender, forwarder and receiver obtain the
/// same chunks.
class Chunks {
 public:
  /// `rows`, `cols`: the rectangle, counted as in Message. `tables`: those of p (if `sending`) or of q, which outlive
  /// the chunks; nullptr on a process that only forwards the message, and needs no positions of chunks in A and B.
  Chunks(const Redistribution& redistribution, Coord p, Coord q, Interval rows, Interval cols, Index max_bytes,
         const RunTables* tables, bool sending);

  std::optional<Chunk> next();

 private:
  // The indices in the submatrix of the first and the last element of a part; -1 outside of trapezoids.
  struct Span {
    Index first = -1, last = -1;
  };
  // Takes consecutive parts of one side.
  class Side {
   public:
    Side(const Overlap& o, Index p, Index q, const RunTable* table, Index peer, bool in_trapezoid);
    Span pass(Index count);
    ChunkSide take(Index count, Span& span);

   private:
    RunCursor cursor_;
    Index begin_ = 0, taken_ = 0;  // taken_: elements from begin_ on that the cursor has not passed
    bool in_trapezoid_;            // indices decide which elements move
  };

  const Redistribution* redistribution_;
  Coord p_, q_;
  Index cols_, height_, width_;
  Side rows_, first_cols_, strip_;  // first_cols_: at the first column of each strip
  Index rows_left_, cols_left_ = 0;
  ChunkSide row_side_{};
  Span row_span_{};
};

}  // namespace xredist::core
