// SPDX-License-Identifier: BSD-3-Clause
// The part of an array that a call writes or reads. A matrix is an array of two axes, with other names in sentences.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "api/compare.hpp"
#include "file/numbers.hpp"
#include "xredist/file.h"

namespace xredist::files {

static_assert(max_dims == XREDIST_MAX_DIMS);

/// A subarray of a distributed array, and its place in a file: the members of xredist_file and xredist_array_file, with
/// their defaults.
struct Subarray {
  bool is_matrix;
  int dims;
  Sizes shape, first, first_in_file;  ///< elements count from 1
  Sizes whole;                        ///< size of the array in a new or a raw file
  const char* name;
  char type;
  Index bytes;
  char type_in_file;
  const char* descr;
  char format, order, update;
  Index offset;
  bool consumes;
  xredist_progress progress;
  void* progress_context;

  const char* noun() const { return is_matrix ? "matrix" : "array"; }
  /// Returns the sizes along all axes with their names in sentences: "m", or "shape[0]".
  std::vector<Named> named(Sizes Subarray::*sizes) const;
};

/// Return the subarray of a valid file. `dims`: of the layout; 2 for a matrix. Throw InvalidArgument.
Subarray subarray_of(const xredist_file& file, int dims);
Subarray subarray_of(const xredist_array_file& file, int dims);

/// Returns the bytes of an element in memory.
Index bytes_of_element(const Subarray& subarray);

/// The number of values of a subarray that has at most `axes` axes.
constexpr std::size_t values_of_subarray(int axes) { return 4 * as_size(axes) + 10; }

/// Lists a subarray from `next` on, as list_layout() lists a layout. Returns the end of the list.
Compared* list_subarray(const Subarray& subarray, int axes, Compared* next);

}  // namespace xredist::files
