// SPDX-License-Identifier: BSD-3-Clause
// The part of an array that a call writes or reads. A matrix is an array of two axes, with other names in sentences.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "file/numbers.hpp"
#include "storage/compared.hpp"
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
  /// Returns the names of sizes in sentences: "m", or "shape[0]".
  std::string name_of(Sizes Subarray::*sizes, int axis) const;
};

/// Return a valid subarray. Throw InvalidArgument.
Subarray subarray_of(const xredist_file& file);
Subarray subarray_of(const xredist_array_file& file, int dims);

/// Returns the bytes of an element in memory.
Index bytes_of_element(const Subarray& subarray);

/// Follows the name of an array, or of a stride, in the sentence that the array would exceed memory.
inline constexpr const char* exceeds_memory_text = ": the local array would have 2^63 bytes or more";

/// Adds the members, which all processes must pass alike.
void compare(const Subarray& subarray, ComparedArguments& arguments);

/// Throws InvalidArgument: "m is 3, must be 4", where ", must be 4" is the rest.
[[noreturn]] void refuse(const std::string& name, Index value, const std::string& rest);

/// Throws InvalidArgument unless the value is in least .. 2^40.
void demand_bounds(const std::string& name, Index value, Index least);

/// Throws InvalidArgument unless `count` elements from `first` on, counted from 1, end with number `end` at the latest.
/// `whole`: begins the part of the sentence that `end` completes.
void demand_end(const std::string& first_name, Index first, const std::string& count_name, Index count,
                std::string_view whole, Index end);

/// Throws InvalidArgument unless the subarray ends along an axis with element `end` of the distributed array (of the
/// array in the file) at the latest.
void demand_end(const Subarray& subarray, Sizes Subarray::*first, int axis, std::string_view whole, Index end);

}  // namespace xredist::files
