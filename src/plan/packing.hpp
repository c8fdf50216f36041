// Copies of pieces: A -> buffer, buffer -> B, A -> B.
#pragma once

#include <vector>

#include "plan/pieces.hpp"

namespace xredist::core {

/// A column-major array in memory. ld in elements.
struct ConstArray {
  const std::byte* data;
  Index ld;
};
struct Array {
  std::byte* data;
  Index ld;
};

/// Copies pieces; keeps the memory of the lists of runs.
/// A buffer holds a piece's elements that are in the region, column by column, without gaps.
class Packer {
 public:
  /// Both return the number of bytes that the piece has in the buffer.
  Index pack(const Redistribution& redistribution, const Piece& piece, ConstArray a, std::byte* buffer);
  Index unpack(const Redistribution& redistribution, const Piece& piece, const std::byte* buffer, Array b);
  /// A and B must not overlap.
  void copy(const Redistribution& redistribution, const Piece& piece, ConstArray a, Array b);

  /// `length` elements from `from` on go to `to` on; the first of them is row or column k of the
  /// submatrix. Local indices, or places in the buffer's column.
  struct CopyRun {
    Index from, to, length, k;
  };

 private:
  std::vector<CopyRun> rows_, cols_;
};

}  // namespace xredist::core
