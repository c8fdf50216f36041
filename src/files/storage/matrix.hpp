// SPDX-License-Identifier: BSD-3-Clause
// Calls with a distributed matrix.
#pragma once

#include <optional>

#include "file/numbers.hpp"
#include "storage/agreed_call.hpp"

namespace xredist::files {

/// The local part of a whole matrix.
struct LocalArray {
  char name;                    ///< 'a' or 'b', in messages
  void* data;                   ///< writing a file does not change the elements
  Index ld;                     ///< in elements; 0: local rows up to the end of the submatrix
  std::optional<Index> size{};  ///< number of elements from the first to the last one, if the caller knows it
};

/// A distributed matrix whose submatrix is written or read.
struct DistributedMatrix {
  MPI_Comm comm;
  const xredist_layout* layout;
  LocalArray array;
};

/// Checks the arguments of a call, and that all processes pass equal ones. `callers`: the code of a failure of the
/// caller, whose sentence xredist_error() has. Collective: two reductions. All processes throw the same failure.
Call agreed_call(const DistributedMatrix& matrix, const xredist_file* file, int callers);

}  // namespace xredist::files
