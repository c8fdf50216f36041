// SPDX-License-Identifier: BSD-3-Clause
// The local part of a matrix on a process.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "cases/case.hpp"

namespace cases {

/// The rows and columns that a process holds are found element by element, and not by the library, because the library
/// is checked with them. A process outside the grid holds nothing.
struct Local {
  std::vector<Index> rows,
      cols;  ///< the index in the submatrix, from 0, of each local row and column; it may lie outside
  Index ld = 1;
  std::unique_ptr<std::byte[]> data;

  std::byte* at(std::size_t col, int bytes) const { return data.get() + static_cast<Index>(col) * ld * bytes; }
  Index elements() const { return static_cast<Index>(rows.size() * cols.size()); }
};

/// Of process `rank`, for elements of so many bytes.
Local local_part(const Matrix& x, int rank, int bytes);

}  // namespace cases
