// Arguments of the C interface: which of them are valid, and what they mean.
#pragma once

#include <vector>

#include "layout/layout.hpp"
#include "xredist/xredist.h"

namespace xredist::core {

/// The bound of sizes, indices and block sizes: their products with numbers of processes must fit 64 bits.
inline constexpr Index most_elements = Index{1} << 31 << 9;

/// Whether the bytes of m x n elements may exceed 64 bits.
inline bool too_large(Index m, Index n) { return n > 0 && m > (Index{1} << 59) / n; }

/// Whether all values can be right in a communicator of `size` processes.
bool valid(const xredist_layout* layout, int size);

/// The rank at each position of the grid, row-major.
std::vector<int> ranks_of(const xredist_layout& layout);

/// i, j: index of the submatrix's first element, from 1.
Layout layout_of(const xredist_layout& layout, Index i, Index j);

}  // namespace xredist::core
