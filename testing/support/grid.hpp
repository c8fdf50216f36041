// SPDX-License-Identifier: BSD-3-Clause
// BLACS grids of any processes in any order.
#pragma once

#include "grid_shape.hpp"
#include "xredist/integer.h"

namespace xredist::testing {

/// Returns the grid of the first nprow * npcol processes, row-major.
GridShape row_major(int nprow, int npcol, int first = 0);
GridShape column_major(int nprow, int npcol);

/// A BLACS context for a grid. All processes construct it; the destructor frees it.
class Context {
 public:
  explicit Context(const GridShape& shape);
  /// Makes the context of processes of a communicator, which has the system handle: other processes take no part.
  Context(const GridShape& shape, xredist_int system);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  xredist_int handle() const { return handle_; }  ///< -1 outside the grid
  bool member() const { return row_ >= 0; }
  int row() const { return static_cast<int>(row_); }
  int col() const { return static_cast<int>(col_); }

 private:
  xredist_int handle_, row_ = -1, col_ = -1;
};

}  // namespace xredist::testing
