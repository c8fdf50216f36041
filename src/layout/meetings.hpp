// SPDX-License-Identifier: BSD-3-Clause
// Who shares elements with whom along an axis, without how many.
#pragma once

#include <cstdint>
#include <vector>

#include "layout/overlap.hpp"

namespace xredist::core {

/// Finds the receivers that a sender meets. If both axes are CYCLIC, walks the sender's blocks until it has met all
/// receivers, without lengths and without divisions: in planning_benchmark, 1000x1000/64x64:999x1001/36x36 on 10^5 x
/// 10^5 elements takes 0.3 ms, but 1.4 ms with partners().
class Meetings {
 public:
  /// The overlap must outlive this object.
  explicit Meetings(const Overlap& o);

  /// Returns the receivers that process p meets, in ascending order; valid until the next call.
  const std::vector<int>& of(Index p);

 private:
  struct BlockPosition {
    int q;         ///< process of B
    Index offset;  ///< in q's block
  };
  BlockPosition position_of(Index k) const;
  BlockPosition next(BlockPosition position) const;
  void meet(BlockPosition position, Index length);
  void read_bits();

  const Overlap& o_;
  Index block_ = 1;                  // of B, if both axes are CYCLIC
  BlockPosition cycle_{};            // of A, as a distance in B: processes and elements
  std::vector<std::uint64_t> bits_;  // of each receiver, whether it is in met_
  std::vector<int> met_;
};

}  // namespace xredist::core
