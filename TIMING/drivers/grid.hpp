// SPDX-License-Identifier: BSD-3-Clause
// Process grids of BLACS.
#pragma once

#include <vector>

namespace drivers {

/// A BLACS context of nprow x npcol processes, given row-major. Made by all processes; freed with the object.
class Context {
 public:
  Context(int nprow, int npcol, const std::vector<int>& ranks);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  int handle() const { return handle_; }  ///< -1 outside the grid
  bool member() const { return handle_ >= 0; }
  int row() const { return row_; }
  int col() const { return col_; }

 private:
  int handle_ = -1, row_ = -1, col_ = -1;
};

}  // namespace drivers
