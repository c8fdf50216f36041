// Copies of pieces: A -> buffer, buffer -> B, A -> B.
#pragma once

#include "plan/copying.hpp"
#include "plan/pieces.hpp"

namespace xredist::core {

/// A column-major array in memory; the leading dimension ld is in elements.
struct ConstArray {
  const std::byte* data;
  Index ld;
};
struct Array {
  std::byte* data;
  Index ld;
};

/// Copies pieces. In a buffer, those elements of a piece that belong to the region lie column by column without gaps.
/// The lists of runs are kept, so that repeated calls allocate nothing.
class Packer {
 public:
  /// Both return the number of bytes that the piece takes in the buffer.
  Index pack(const Redistribution& redistribution, const Piece& piece, ConstArray a, std::byte* buffer);
  Index unpack(const Redistribution& redistribution, const Piece& piece, const std::byte* buffer, Array b);
  /// A and B must not overlap.
  void copy(const Redistribution& redistribution, const Piece& piece, ConstArray a, Array b);

 private:
  Index move(const Redistribution& redistribution, const Piece& piece, const CopySides& sides, View view);

  CopyRuns rows_, cols_;
  Columns columns_;
};

}  // namespace xredist::core
