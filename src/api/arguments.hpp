// SPDX-License-Identifier: BSD-3-Clause
// Arguments of the C interface: which of them are valid, and what they mean.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "layout/layout.hpp"
#include "xredist/xredist.h"

namespace xredist::core {

/// Whether MPI runs and comm is an intracommunicator.
bool usable(MPI_Comm comm);

/// Whether all values can be right in a communicator of `size` processes, but for intervals.
bool valid(const xredist_layout* layout, int size);

/// What is wrong with the intervals of a dimension on `procs` processes; an empty text if nothing is, or for NULL.
std::string wrong_cuts(const xredist_cuts* cuts, Index procs);

/// The same for both dimensions of a valid layout.
std::string wrong_cuts(const xredist_layout& layout);

/// Two submatrices, which six arguments of a function say in this order. The first elements are counted from 1.
struct Submatrices {
  const xredist_layout* a;
  std::int64_t ia, ja;
  const xredist_layout* b;
  std::int64_t ib, jb;
};

/// The negative number of the first of these arguments that is wrong, if that of a is -first; 0 if none is. Without
/// what says how many elements move, and without intervals.
int wrong_places(const Submatrices& its, int size, int first);

/// The same where an m x n submatrix reaches beyond intervals. That of A is n x m if it is transposed.
int wrong_ends(const Layout& a, const Layout& b, Index m, Index n, bool transposed, int first);

/// The rank at each position of the grid, row-major.
std::vector<int> ranks_of(const xredist_layout& layout);

/// Valid ones as the library keeps them; nothing for NULL.
std::shared_ptr<const Cuts> kept(const xredist_cuts* cuts, Index procs);

/// i, j: index of the submatrix's first element, from 1. Of valid layouts without wrong intervals.
Layout layout_of(const xredist_layout& layout, Index i, Index j);

/// A number for intervals, right or wrong: different ones hardly ever have the same. 0 for NULL.
Index fingerprint(const xredist_cuts* cuts);

/// A Fortran string without the blanks at its end.
std::string trimmed(const char* text, std::size_t length);

}  // namespace xredist::core
