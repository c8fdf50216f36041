// SPDX-License-Identifier: BSD-3-Clause
// One dimension of a distributed matrix, as seen from the submatrix that is moved.
#pragma once

#include <cstdint>
#include <memory>

namespace xredist::core {

/// Every count, index and offset: 64 bits, in elements unless said otherwise, from 0.
using Index = std::int64_t;

class Cuts;

/// CYCLIC(block) on procs processes, or intervals of any lengths and owners. Element k of the submatrix is element
/// first + k of the matrix.
struct Axis {
  Index block;   ///< of CYCLIC: elements in a block, at least 1
  Index procs;   ///< processes along this dimension, at least 1
  Index source;  ///< of CYCLIC: process that holds the first block of the matrix, in [0, procs)
  Index first;   ///< index in the matrix of the submatrix's first element
  std::shared_ptr<const Cuts> cuts = nullptr;  ///< the intervals; none: CYCLIC. The submatrix is within them.

  friend bool operator==(const Axis& x, const Axis& y);
};

inline bool is_cyclic(const Axis& axis) { return axis.cuts == nullptr; }

/// Process that holds element k of the submatrix.
Index owner(const Axis& axis, Index k);

/// How many of the first `n` elements of the whole matrix process p holds (NUMROC).
Index local_count(const Axis& axis, Index p, Index n);

/// Not less than the blocks, or intervals, of which n elements consist.
Index most_blocks(const Axis& axis, Index n);

/// The blocks or intervals of process p, in order: each holds the submatrix's elements [start, end) and keeps the first
/// of them at a local index. The first one may start below 0. After the last interval comes one that starts beyond all
/// elements. The axis must live as long.
class BlockWalk {
 public:
  /// Stands on p's first block that reaches beyond element k.
  BlockWalk(const Axis& axis, Index p, Index k);

  Index start() const { return start_; }
  Index end() const { return start_ + length_; }
  Index local(Index k) const { return local_ + (k - start_); }

  void step() {
    if (cuts_ == nullptr)
      move(1);
    else
      stand(number_ + 1);
  }
  /// To the first block that reaches beyond element k, for k >= end().
  void skip(Index k) {
    if (cuts_ == nullptr)
      move(k < end() + stride_ ? 1 : (k - end()) / stride_ + 1);
    else
      search(k);
  }

 private:
  void move(Index blocks) {
    start_ += blocks * stride_;
    local_ += blocks * length_;
  }
  [[gnu::noinline]] void begin(Index p, Index k);
  void stand(const std::int32_t* number);
  void search(Index k);

  Index length_, stride_, start_, local_;
  const Cuts* cuts_;
  Index first_;
  const std::int32_t *number_ = nullptr, *last_ = nullptr;  // of p's intervals: this one, and the end
};

/// The blocks or intervals of all processes, in order. The axis must live as long.
class BlockScan {
 public:
  /// Stands on the one that has element k.
  BlockScan(const Axis& axis, Index k);

  Index owner() const { return owner_; }
  Index end() const { return end_; }
  /// Of element k, which is in this block, on its owner.
  Index local(Index k) const;
  /// There must be one more.
  void step();
  /// To the one that has element k, for k >= end().
  void skip(Index k);

 private:
  void stand();

  const Axis* axis_;
  Index owner_, end_, number_;
};

}  // namespace xredist::core
