// SPDX-License-Identifier: BSD-3-Clause
// The elements that the processes of two grids share.
#pragma once

#include "layout/overlap.hpp"

namespace xredist::core {

/// A submatrix that moves from grid A to grid B. Sender (p.row, p.col) has a message for receiver (q.row, q.col) iff
/// p.row shares rows with q.row and p.col shares columns with q.col.
struct Traffic {
  Overlap rows, cols;
};

}  // namespace xredist::core
