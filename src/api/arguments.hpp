// Arguments of the C interface: which are valid, and what they mean.
#pragma once

#include <vector>

#include "layout/layout.hpp"
#include "xredist/xredist.h"

namespace xredist::core {

/// Sizes, indices and blocks: their products with numbers of processes must fit 64 bits.
inline constexpr Index most_elements = Index{1} << 31 << 9;

/// More elements than 64 bits can count in bytes.
inline bool too_large(Index m, Index n) { return n > 0 && m > (Index{1} << 59) / n; }

/// Whether all of it can be right in a communicator of `size` processes.
bool valid(const xredist_layout* layout, int size);

/// The rank at each position of the grid, row-major.
std::vector<int> ranks_of(const xredist_layout& layout);

/// i, j: from 1.
Layout layout_of(const xredist_layout& layout, Index i, Index j);

}  // namespace xredist::core
