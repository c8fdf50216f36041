// SPDX-License-Identifier: BSD-3-Clause
// Local arrays with numbered elements.
#pragma once

#include <cstring>
#include <vector>

#include "random/random_call.hpp"

namespace xredist::testing {

using Bytes = std::vector<std::byte>;

/// The local array of a process. Each element consists of copies of one number of 4 bytes.
struct LocalArray {
  Held rows, cols;
  Index bytes;
  Bytes memory;

  LocalArray(const Layout& layout, Coord at, const Call& call)
      : rows(held_by(layout.rows, at.row, call.m)),
        cols(held_by(layout.cols, at.col, call.n)),
        bytes(call.bytes),
        memory(as_size(rows.count * cols.count * bytes), std::byte{0}) {}

  std::byte* element(Index i, Index j) {
    return memory.data() + (at(rows.local, i) + at(cols.local, j) * rows.count) * bytes;
  }
  void put(Index i, Index j, std::uint32_t number) {
    for (Index k = 0; k < bytes; k += 4) std::memcpy(element(i, j) + k, &number, 4);
  }
  bool has(Index i, Index j, std::uint32_t number) {
    for (Index k = 0; k < bytes; k += 4)
      if (std::memcmp(element(i, j) + k, &number, 4) != 0) return false;
    return true;
  }
};

}  // namespace xredist::testing
