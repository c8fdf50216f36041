// SPDX-License-Identifier: BSD-3-Clause
// Moves chunks: A -> buffer, buffer -> B, A -> B.
#pragma once

#include <array>

#include "copy/chunks.hpp"
#include "copy/copy_runs.hpp"

namespace xredist::core {

/// A local array, column-major. The leading dimension ld is in elements.
struct ConstArray {
  const std::byte* data;
  Index ld;
};
struct Array {
  std::byte* data;
  Index ld;
};

/// Packs, unpacks and copies chunks. In a buffer, the elements of a chunk that belong to the region lie column by
/// column of B without gaps, in the type that packets carry. The packer keeps its memory, so repeated calls allocate
/// nothing.
///
/// Packing transposes, and converts to a smaller type. Unpacking does the rest of the operation: run by run in B where
/// runs are long, otherwise on a contiguous copy of the chunk in the cache.
class Packer {
 public:
  /// `threads` threads share the columns of a chunk if each has at least `min_share` bytes: to start a thread takes
  /// longer than to copy less.
  explicit Packer(Index threads = 1, Index min_share = Index{32} << 10) : threads_(threads), min_share_(min_share) {}
  void set_threads(Index threads) { threads_ = threads; }
  /// Allocates the work memory for chunks of `elements` elements.
  void reserve(const Redistribution& redistribution, const Scalars& scalars, Index elements);

  /// Returns the bytes of the chunk in a buffer.
  Index bytes_of(const Redistribution& redistribution, const Chunk& chunk);
  /// Packs a chunk. Returns its bytes in the buffer.
  Index pack(const Redistribution& redistribution, const Chunk& chunk, ConstArray a, std::byte* buffer);
  /// Unpacks a chunk. Returns its bytes in the buffer, or -1 if these are more than `available` bytes: then B is
  /// unchanged.
  Index unpack(const Redistribution& redistribution, const Chunk& chunk, const std::byte* buffer, Index available,
               Array b, const Scalars& scalars = {});
  /// Moves a chunk from A to B, which must not overlap.
  void copy(const Redistribution& redistribution, const Chunk& chunk, ConstArray a, Array b,
            const Scalars& scalars = {});

 private:
  /// The origin or target of a move: a local array, or a buffer.
  enum class Place { a, b, buffer };
  class Lister;
  void list(const Redistribution& redistribution, const Chunk& chunk, Place from, Place to);
  Index listed_elements(const Redistribution& redistribution, const Chunk& chunk) const;
  Index move_listed(const Redistribution& redistribution, const Chunk& chunk, const Move& move, const CopySides& sides,
                    View view);
  Index update_aside(const Redistribution& redistribution, const Chunk& chunk, const Update& how,
                     const CopySides& sides);
  bool has_long_runs(const Chunk& chunk) const;
  int threads_for(const Chunk& chunk, Index bytes) const;
  std::byte* room(std::size_t which, Index bytes);

  Index threads_, min_share_;
  CopyRuns rows_, cols_;  // of the chunk that is moved
  Columns columns_;
  std::array<std::vector<std::byte>, 4> rooms_;
};

}  // namespace xredist::core
