// SPDX-License-Identifier: BSD-3-Clause
// Copies of pieces: A -> buffer, buffer -> B, A -> B.
#pragma once

#include <array>

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

/// Whether elements of B become those of A, bit by bit, at the same places.
bool is_copy(const Redistribution& redistribution, const Scalars& scalars);

/// Copies pieces. In a buffer, those elements of a piece that belong to the region lie column by column of B without
/// gaps, in the type that travels. Memory is kept, so that repeated calls allocate nothing.
///
/// Packing transposes, and converts to a smaller type; unpacking does the rest of the operation, run by run where runs
/// are long, otherwise on pieces that lie in the cache without gaps. How elements are found in A and B does not depend
/// on the operation.
class Packer {
 public:
  /// `threads` copy the columns of a piece together, at least `least_share` bytes each: below that, to have them start
  /// takes longer than they save.
  explicit Packer(Index threads = 1, Index least_share = Index{32} << 10)
      : threads_(threads), least_share_(least_share) {}
  void set_threads(Index threads) { threads_ = threads; }
  /// Allocates what pieces of so many elements need.
  void reserve(const Redistribution& redistribution, const Scalars& scalars, Index elements);

  /// Both return the number of bytes that the piece takes in the buffer.
  Index pack(const Redistribution& redistribution, const Piece& piece, ConstArray a, std::byte* buffer);
  Index unpack(const Redistribution& redistribution, const Piece& piece, const std::byte* buffer, Array b,
               const Scalars& scalars = {});
  /// A and B must not overlap.
  void copy(const Redistribution& redistribution, const Piece& piece, ConstArray a, Array b,
            const Scalars& scalars = {});

 private:
  /// Where a copy reads or writes: a local array, or a buffer.
  enum class Place { a, b, buffer };
  class Lister;
  void list(const Redistribution& redistribution, const Piece& piece, Place from, Place to);
  Index move(const Redistribution& redistribution, const Piece& piece, Index bytes, const CopySides& sides, Place from,
             Place to);
  /// Of the rows that are listed.
  bool has_long_runs(const Piece& piece) const;
  Index change_listed(const Redistribution& redistribution, const Piece& piece, const Change& how,
                      const CopySides& sides, View view);
  void transpose_piece(const Redistribution& redistribution, const Piece& piece, ConstArray a, std::byte* to);
  int shares_of(const Piece& piece, Index bytes) const;
  std::byte* room(std::size_t which, Index bytes);

  Index threads_, least_share_;
  CopyRuns rows_, cols_;
  Columns columns_;
  std::array<std::vector<std::byte>, 4> rooms_;
};

}  // namespace xredist::core
