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

/// Checks that a local array of the caller has what a call accesses. Returns whether the array has strides of its own,
/// and sets them. Throws InvalidArgument. Made by std::ref, the function needs no memory.
using LocalFit = std::function<bool(const ArrayPart& accessed, Sizes& strides)>;

/// A local matrix or array, as the program passes it. Writing a file does not change the elements.
struct LocalArray {
  void* data;
  Index ld = 0;                    ///< of a matrix, in elements; 0: local rows up to the end of the submatrix
  std::optional<Index> size{};     ///< of a matrix: number of elements from the first to the last one, if known
  const Index* strides = nullptr;  ///< of an array; nullptr: no gaps, unless `fit` sets other strides
  LocalFit fit{};                  ///< of a caller that knows more of an array than the address
};

/// A distributed matrix or array whose submatrix, or subarray, is written or read, as the program passes it.
template <class Layout>
struct Passed {
  MPI_Comm comm;
  const Layout* layout;
  LocalArray local;
};
using PassedMatrix = Passed<xredist_layout>;
using PassedArray = Passed<xredist_array_layout>;

enum class Direction { write, read };

/// A call whose arguments are right, and equal on all processes.
struct Call {
  std::unique_ptr<const DistributedArray> array;
  Subarray subarray;
};

/// Checks the arguments of a call, and that all processes are in the same function and pass equal arguments. `callers`:
/// a failure of the caller, or nullptr. Collective: two reductions. All processes throw the same failure.
template <class Layout, class File>
Call agreed_call(Direction direction, const char* function, const Passed<Layout>& passed, const File* file,
                 const Failure* callers);

/// Returns the bytes of the option "buffer". Collective the first time. Throws.
Index buffer_of(MPI_Comm comm);

}  // namespace xredist::files
