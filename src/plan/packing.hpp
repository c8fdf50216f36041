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
  /// `threads` copy the columns of a piece together, at least `least_share` bytes each: below that, to have them start
  /// takes longer than they save.
  explicit Packer(Index threads = 1, Index least_share = Index{32} << 10)
      : threads_(threads), least_share_(least_share) {}
  void set_threads(Index threads) { threads_ = threads; }

  /// Both return the number of bytes that the piece takes in the buffer.
  Index pack(const Redistribution& redistribution, const Piece& piece, ConstArray a, std::byte* buffer);
  Index unpack(const Redistribution& redistribution, const Piece& piece, const std::byte* buffer, Array b);
  /// A and B must not overlap.
  void copy(const Redistribution& redistribution, const Piece& piece, ConstArray a, Array b);

 private:
  Index move(const Redistribution& redistribution, const Piece& piece, const CopySides& sides, View view);
  int shares_of(const Piece& piece, Index bytes) const;

  Index threads_, least_share_;
  CopyRuns rows_, cols_;
  Columns columns_;
};

}  // namespace xredist::core
