// SPDX-License-Identifier: BSD-3-Clause
// Calls with a distributed array.
#pragma once

#include "file/numbers.hpp"
#include "storage/agreed_call.hpp"

namespace xredist::files {

/// A distributed array whose subarray is written or read, as the program passes it.
struct PassedArray {
  MPI_Comm comm;
  const xredist_array_layout* layout;
  char name;             ///< 'a' or 'b', in messages
  void* data;            ///< writing a file does not change the elements
  const Index* strides;  ///< NULL: the local array has no gaps
};

/// Does the work of the other agreed_call() for an array.
Call agreed_call(const PassedArray& array, const xredist_array_file* file, int callers);

}  // namespace xredist::files
