// SPDX-License-Identifier: BSD-3-Clause
// Arguments of the C interface: errors in them, and the layouts that they describe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "layout/layout.hpp"
#include "xredist/xredist.h"

namespace xredist::core {

/// An argument, or an entry of it if it is a descriptor, as messages name it.
struct ArgumentRef {
  std::string_view argument;
  int entry = -1;
  const char* detail = "";
};

/// An argument that a function does not accept, and why. Without an argument, the reason is the whole message.
struct ArgumentError {
  ArgumentRef argument;
  std::string reason;
};
using Checked = std::optional<ArgumentError>;

/// Returns the first error, if there is one.
Checked first_of(std::initializer_list<Checked> errors);

/// Returns -k for an error of argument k of a function with these arguments, 0 for none.
int code_of(const Checked& error, std::initializer_list<std::string_view> arguments);

/// Returns whether MPI runs and comm is an intracommunicator.
bool usable(MPI_Comm comm);

/// Checks the intervals of a dimension on `procs` processes; NULL is right.
Checked intervals_error(const ArgumentRef& argument, const xredist_partition* cuts, Index procs);

/// Two submatrices. First elements are counted from 1.
struct Submatrices {
  const xredist_layout* a;
  std::int64_t ia, ja;
  const xredist_layout* b;
  std::int64_t ib, jb;
};

/// Checks m and n.
Checked size_error(Index m, Index n);

/// Checks submatrices that are m x n, that of A n x m if it is transposed, in a communicator of `size` processes.
Checked submatrix_error(const Submatrices& matrices, Index m, Index n, bool transposed, int size);

/// Returns the rank at each position of the grid, row-major.
std::vector<int> ranks_of(const xredist_layout& layout);

/// Returns the axis with a valid partition; if `partition` is NULL, CYCLIC(block) from `source`. `first`: index in the
/// matrix of the submatrix's first element.
Axis make_axis(const xredist_partition* partition, Index block, Index procs, Index source, Index first);

/// Returns a layout that is right, seen from its element (i, j), counted from 1.
Layout layout_of(const xredist_layout& layout, Index i, Index j);

/// Returns a hash of intervals, right or wrong; 0 for NULL.
Index fingerprint(const xredist_partition* cuts);

/// Returns a Fortran string without its trailing blanks.
std::string trimmed(const char* text, std::size_t length);

}  // namespace xredist::core
