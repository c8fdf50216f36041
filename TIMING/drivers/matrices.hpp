// SPDX-License-Identifier: BSD-3-Clause
// The matrices of a case on this process: local parts, elements of five types, the check of B.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "schedules/case.hpp"

namespace cases {

/// The local part of a matrix; empty on a process outside the grid. Rows and columns are found element by element,
/// without the library, which is checked with them.
struct Local {
  std::vector<Index> rows, cols;  ///< index in the submatrix, from 0, of each local row and column; may lie outside
  Index ld = 1;
  std::unique_ptr<std::byte[]> data;

  std::byte* at(std::size_t col, int bytes) const { return data.get() + static_cast<Index>(col) * ld * bytes; }
  Index elements() const { return static_cast<Index>(rows.size() * cols.size()); }
};

/// Returns the local part on process `rank`, with uninitialised elements of `bytes` bytes.
Local local_part(const Matrix& x, int rank, int bytes);

/// Wrong elements of B.
struct Wrong {
  Index count = 0;
  std::string first;  ///< position, found value and expected value of the first one
};

struct Element {
  char letter;
  const char* name;
  int bytes;

  void (*fill_a)(const Matrix& x, Local& a);  ///< encodes the position of each element
  void (*blank_b)(Local& b);                  ///< sets all of B to a value that does not occur in A

  /// Compares all of B, also outside the submatrix.
  Wrong (*check)(const Case& c, const Local& b);
};

/// Returns the element type of a letter: i, s, d, c or z.
const Element& element_of(char letter);

}  // namespace cases
