// SPDX-License-Identifier: BSD-3-Clause
// The arguments of a call of file.h: their checks, and their agreement on all processes.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "api/array_part.hpp"
#include "api/failure.hpp"
#include "storage/distributed.hpp"
#include "storage/subarray.hpp"

namespace xredist::files {

/// The local part of a whole matrix.
struct LocalMatrix {
  void* data;                   ///< writing a file does not change the elements
  Index ld;                     ///< in elements; 0: local rows up to the end of the submatrix
  std::optional<Index> size{};  ///< number of elements from the first to the last one, if the caller knows it
};

/// A distributed matrix whose submatrix is written or read, as the program passes it.
struct PassedMatrix {
  MPI_Comm comm;
  const xredist_layout* layout;
  LocalMatrix local;
};

/// Checks that a local array of the caller has what a call accesses. Returns whether the array has strides of its own,
/// and sets them. Throws InvalidArgument. Made by std::ref, the function needs no memory.
using LocalFit = std::function<bool(const ArrayPart& accessed, Sizes& strides)>;

/// A distributed array whose subarray is written or read, as the program passes it.
struct PassedArray {
  MPI_Comm comm;
  const xredist_array_layout* layout;
  void* data;
  const Index* strides;  ///< nullptr: the local array has no gaps, unless `fit` sets other strides
  LocalFit fit{};        ///< of a caller that knows more than the address
};

enum class Direction { write, read };

/// A call whose arguments are right, and equal on all processes.
struct Call {
  std::unique_ptr<const DistributedArray> array;
  Subarray subarray;
};

/// Check the arguments of a call, and that all processes are in the same function and pass equal arguments. `callers`:
/// a failure of the caller, or nullptr. Collective: two reductions. All processes throw the same failure.
Call agreed_call(Direction direction, const PassedMatrix& matrix, const xredist_file* file, const Failure* callers);
Call agreed_call(Direction direction, const PassedArray& array, const xredist_array_file* file, const Failure* callers);

/// Returns the bytes of the option "buffer". Collective the first time. Throws.
Index buffer_of(MPI_Comm comm);

}  // namespace xredist::files
