// SPDX-License-Identifier: BSD-3-Clause
// One dimension of a distributed matrix, as seen from the submatrix that is moved.
#pragma once

#include <cstdint>
#include <memory>
#include <variant>

#include "layout/index.hpp"

namespace xredist::core {

class Partition;

/// Blocks of equal length, dealt to the processes in turn: CYCLIC(block).
struct BlockCyclic {
  Index block;   ///< elements in a block, at least 1
  Index source;  ///< process that holds the first block of the matrix, in [0, procs)

  friend bool operator==(const BlockCyclic&, const BlockCyclic&) = default;
};

/// Several axes as one, which Overlap::factors() has. An axis of this kind has neither blocks nor intervals.
struct ProductOfAxes {
  friend bool operator==(const ProductOfAxes&, const ProductOfAxes&) = default;
};

/// A dimension of a matrix on `procs` processes. Element k of the submatrix is element first + k of the matrix.
struct Axis {
  Index procs = 1;  ///< at least 1
  Index first = 0;  ///< index in the matrix of the submatrix's first element
  std::variant<BlockCyclic, std::shared_ptr<const Partition>, ProductOfAxes> distribution = BlockCyclic{1, 0};

  Axis() = default;
  Axis(Index block_length, Index process_count, Index source_process, Index first_element)
      : procs(process_count), first(first_element), distribution(BlockCyclic{block_length, source_process}) {}
  /// Makes an axis with a partition, which must contain the submatrix.
  Axis(std::shared_ptr<const Partition> partition_of_matrix, Index first_element);

  /// Return the members of BlockCyclic; the axis must be CYCLIC.
  Index block() const { return std::get<BlockCyclic>(distribution).block; }
  Index source() const { return std::get<BlockCyclic>(distribution).source; }
  /// Returns nullptr if the axis has no partition.
  const Partition* partition() const {
    const auto* shared = std::get_if<std::shared_ptr<const Partition>>(&distribution);
    return shared == nullptr ? nullptr : shared->get();
  }

  /// Returns whether both axes have the same distribution, not only the same Partition object.
  friend bool operator==(const Axis& x, const Axis& y);
};

inline bool is_cyclic(const Axis& axis) { return std::holds_alternative<BlockCyclic>(axis.distribution); }

// The functions and classes below take an axis that is CYCLIC or has a partition.

/// Returns the process that holds element k of the submatrix.
Index owner(const Axis& axis, Index k);

/// Returns how many of the first `n` elements of the whole matrix process p holds (NUMROC). Takes O(p's intervals) if
/// the partition is not in order.
Index local_count(const Axis& axis, Index p, Index n);

/// Returns whether each process stores its elements in the order of the matrix, without gaps.
bool in_order(const Axis& axis);

/// Returns whether elements may have the same place on their process.
bool repeats(const Axis& axis);

Interval local_range_in_partition(const Axis& axis, Index p, Index n);

/// Returns the local indices on process p from the least to the greatest one of the elements [0, n) of the submatrix.
/// If the axis is not in order, other elements, or none, may have some of them.
inline Interval local_range(const Axis& axis, Index p, Index n) {
  if (!is_cyclic(axis)) return local_range_in_partition(axis, p, n);
  return {local_count(axis, p, axis.first), local_count(axis, p, axis.first + n)};
}

/// Returns the size of process p's local array up to the last place of the first `n` elements of the whole matrix:
/// local_count(), if the axis is in order.
Index local_extent(const Axis& axis, Index p, Index n);

/// Writes the elements of process p among the first `n` of the whole matrix to `held`, in local order. Element 0 of the
/// matrix is written as `base`, a place without an element as `base` - 1. `held` has local_extent() entries.
void list_elements(const Axis& axis, Index p, Index n, Index base, Index* held);

/// Returns an upper bound on the number of blocks, or intervals of the partition, that cover n elements.
Index max_blocks(const Axis& axis, Index n);

/// Enumerates the blocks (or intervals) of process p in ascending order. Each block holds the elements [start, end) of
/// the submatrix; the first block may start below 0. After the last interval of a partition follows one that starts
/// beyond all elements. The axis must outlive the walk.
class BlockWalk {
 public:
  /// Starts at p's first block that ends after element k.
  BlockWalk(const Axis& axis, Index p, Index k);

  Index start() const { return start_; }
  Index end() const { return start_ + length_; }
  /// Returns the elements from the start of a block to that of the next; 0 if the axis is a partition.
  Index stride() const { return stride_; }
  /// Returns the local index of element k, which must be in this block.
  Index local(Index k) const { return local_ + (k - start_); }

  /// Goes to the next block.
  void step() {
    if (partition_ == nullptr)
      advance(1);
    else
      set_interval(interval_ + 1);
  }
  /// Goes to the first block that ends after element k, for k >= end().
  void skip(Index k) {
    if (partition_ == nullptr)
      advance(k < end() + stride_ ? 1 : (k - end()) / stride_ + 1);
    else
      search(k);
  }

 private:
  void advance(Index blocks) {
    start_ += blocks * stride_;
    local_ += blocks * length_;
  }
  void begin_cyclic(const Axis& axis, Index p, Index k);
  [[gnu::noinline]] void begin_partition(Index p, Index k);
  void set_interval(const std::int32_t* interval);
  void search(Index k);

  Index length_ = 0, stride_ = 0, start_ = 0, local_ = 0;
  const Partition* partition_;
  Index first_;
  const std::int32_t *interval_ = nullptr, *last_ = nullptr;  // among p's intervals: the current one, and the end
};

/// Enumerates the blocks (or intervals) of all processes in ascending order. The axis must outlive the scan.
class BlockScan {
 public:
  /// Starts at the block that holds element k.
  BlockScan(const Axis& axis, Index k);

  Index owner() const { return owner_; }
  Index end() const { return end_; }
  /// Returns the local index of element k, which must be in this block, on the block's owner.
  Index local(Index k) const;
  /// Goes to the next block, which must exist.
  void step();
  /// Goes to the block that holds element k, for k >= end().
  void skip(Index k);

 private:
  void set_interval(Index number);

  const Axis* axis_;
  Index owner_ = 0, end_ = 0, number_ = 0;
};

}  // namespace xredist::core
