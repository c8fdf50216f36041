// SPDX-License-Identifier: BSD-3-Clause
// The five element types: how matrices are filled, and whether B holds what it must.
#pragma once

#include <string>

#include "cases/local.hpp"

namespace cases {

/// Elements of B that are wrong, on this process.
struct Wrong {
  Index count = 0;
  std::string first;  ///< where, what is there, what should be
};

struct Element {
  char letter;
  const char* name;
  int bytes;

  /// Every element of A encodes its place in the matrix. Before a call, all of B has a value that occurs nowhere in A.
  void (*fill_a)(const Matrix& x, Local& a);
  void (*blank_b)(Local& b);

  /// Compares all of B, also outside the submatrix.
  Wrong (*check)(const Case& c, const Local& b);
};

/// letter: i, s, d, c or z.
const Element& element_of(char letter);

}  // namespace cases
