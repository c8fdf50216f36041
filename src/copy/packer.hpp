// SPDX-License-Identifier: BSD-3-Clause
// Moves chunks: A -> buffer, buffer -> B, A -> B.
#pragma once

#include <optional>
#include <vector>

#include "copy/chunk_move.hpp"

namespace xredist::core {

/// A local array: a matrix, column-major, whose leading dimension ld is in elements of the matrix; or an array of any
/// number of axes with strides, which outlive the move.
struct ConstArray {
  const std::byte* data;
  Index ld;
  const ArrayStrides* strides = nullptr;
};
struct Array {
  std::byte* data;
  Index ld;
  const ArrayStrides* strides = nullptr;
};

/// Packs, unpacks and copies chunks. In a buffer, the elements of a chunk that belong to the region lie column by
/// column of B without gaps, in the type that packets carry. The packer keeps its memory, so repeated calls allocate
/// nothing.
///
/// Packing transposes, makes the diagonal real, and converts to a smaller type. Unpacking does the rest of the
/// operation: run by run in B where runs are long, otherwise on a contiguous copy of the chunk in the cache.
class Packer {
 public:
  /// At most `threads` threads share the columns of a chunk, each with at least `min_share` bytes: starting a thread
  /// takes longer than copying fewer bytes.
  explicit Packer(Index threads = 1, Index min_share = Index{32} << 10) : threads_(threads), min_share_(min_share) {}
  void set_threads(Index threads) { threads_ = threads; }
  /// Allocates the work areas that the operation needs for chunks of `elements` elements.
  void reserve(const Redistribution& redistribution, const Scalars& scalars, Index elements);

  /// Returns the bytes of the chunk in a buffer.
  Index bytes_of(const Redistribution& redistribution, const Chunk& chunk);
  /// Packs a chunk. Returns its bytes in the buffer.
  Index pack(const Redistribution& redistribution, const Chunk& chunk, ConstArray a, std::byte* buffer);
  /// Unpacks a chunk. Returns its bytes in the buffer, or nothing if these are more than `available` bytes: then B is
  /// unchanged.
  std::optional<Index> unpack(const Redistribution& redistribution, const Chunk& chunk, const std::byte* buffer,
                              Index available, Array b, const Scalars& scalars = {});
  /// Moves a chunk from A to B, which must not overlap.
  void copy(const Redistribution& redistribution, const Chunk& chunk, ConstArray a, Array b,
            const Scalars& scalars = {});
  /// Calls visit(column, parts) for each column of A from which elements of a whole chunk move: the begin of the column
  /// in bytes, and its parts, ascending. Visits each byte once.
  void for_columns_of_a(const Redistribution& redistribution, const Chunk& chunk, ConstArray a,
                        const std::function<void(Index, std::span<const ColumnPart>)>& visit);

 private:
  Index pack_transposed(const Redistribution& redistribution, const Chunk& chunk, ConstArray a, std::byte* packed);
  void update_in_copy(const Redistribution& redistribution, const Chunk& chunk, const ChunkMove& move,
                      const Update& how, const CopySides& sides, const ArrayStrides* strides);
  int threads_for(const Chunk& chunk, Index bytes) const;

  Index threads_, min_share_;
  MoveLists lists_, aside_;              // aside_: of the way from B to updated_
  std::vector<std::byte> unconverted_;   // packed elements of A before they are converted to a smaller type
  std::vector<std::byte> transposed_;    // the transposed rectangle of a chunk of a trapezoid
  std::vector<std::byte> updated_;       // the copy of the chunk of B that is updated
  std::vector<std::byte> intermediate_;  // a chunk that is copied by packing and unpacking
};

}  // namespace xredist::core
