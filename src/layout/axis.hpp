// SPDX-License-Identifier: BSD-3-Clause
// One dimension of a block-cyclic distribution, as seen from the submatrix that is moved.
#pragma once

#include <cstdint>

namespace xredist::core {

/// Every count, index and offset: 64 bits, in elements unless said otherwise, from 0.
using Index = std::int64_t;

/// CYCLIC(block) on procs processes. Element k of the submatrix is element first + k of the matrix.
struct Axis {
  Index block;   ///< elements in a block, at least 1
  Index procs;   ///< processes along this dimension, at least 1
  Index source;  ///< process that holds the first block of the matrix, in [0, procs)
  Index first;   ///< index in the matrix of the submatrix's first element

  friend bool operator==(const Axis&, const Axis&) = default;
};

/// Process that holds element k of the submatrix.
Index owner(const Axis& axis, Index k);

/// How many of the first `n` elements of the whole matrix process p holds (NUMROC).
Index local_count(const Axis& axis, Index p, Index n);

/// The blocks of process p, in order: each holds the submatrix's elements [start, start + block)
/// and keeps the first of them at local index `local`. The first block may start below 0.
class BlockWalk {
 public:
  /// Stands on p's first block that reaches beyond element k.
  BlockWalk(const Axis& axis, Index p, Index k);

  Index start() const { return start_; }
  Index end() const { return start_ + block_; }
  Index local(Index k) const { return local_ + (k - start_); }

  void step() { move(1); }
  /// To the first block that reaches beyond element k, for k >= end().
  void skip(Index k) { move(k < end() + stride_ ? 1 : (k - end()) / stride_ + 1); }

 private:
  void move(Index blocks) {
    start_ += blocks * stride_;
    local_ += blocks * block_;
  }

  Index block_, stride_, start_, local_;
};

}  // namespace xredist::core
