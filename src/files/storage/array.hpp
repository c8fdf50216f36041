// SPDX-License-Identifier: BSD-3-Clause
// Calls with a distributed array.
#pragma once

#include "file/numbers.hpp"
#include "storage/agreed_call.hpp"

namespace xredist::files {

/// What a call accesses of a local array. `extents`: of an array without gaps; `ends`: up to the end of the subarray;
/// `held`: of the subarray.
struct LocalNeeds {
  Sizes extents, ends, held;
};

/// Checks that a local array of the caller has what a call needs, and sets its strides. Throws InvalidArgument.
struct LocalFit {
  void (*check)(const void* caller, const LocalNeeds& needs,
                Sizes& strides) = nullptr;  // a pointer, which needs no memory
  const void* caller = nullptr;
};

/// A distributed array whose subarray is written or read, as the program passes it.
struct PassedArray {
  MPI_Comm comm;
  const xredist_array_layout* layout;
  char name;             ///< 'a' or 'b', in messages
  void* data;            ///< writing a file does not change the elements
  const Index* strides;  ///< NULL: the local array has no gaps, unless `fit` sets other strides
  LocalFit fit{};        ///< of a caller that knows more than the address
};

/// Does the work of the other agreed_call() for an array.
Call agreed_call(const PassedArray& array, const xredist_array_file* file, int callers);

}  // namespace xredist::files
