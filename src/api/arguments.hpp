// SPDX-License-Identifier: BSD-3-Clause
// Arguments of the C interface: which of them are valid, and what they mean.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "layout/layout.hpp"
#include "xredist/xredist.h"

namespace xredist::core {

/// Whether all values can be right in a communicator of `size` processes.
bool valid(const xredist_layout* layout, int size);

/// The rank at each position of the grid, row-major.
std::vector<int> ranks_of(const xredist_layout& layout);

/// i, j: index of the submatrix's first element, from 1.
Layout layout_of(const xredist_layout& layout, Index i, Index j);

/// A Fortran string without the blanks at its end.
std::string trimmed(const char* text, std::size_t length);

}  // namespace xredist::core
