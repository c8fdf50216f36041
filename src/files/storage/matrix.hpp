// SPDX-License-Identifier: BSD-3-Clause
// The distributed matrix of a call, and the arguments that describe its place in a file.
#pragma once

#include <optional>
#include <string_view>

#include "file/numbers.hpp"
#include "xredist/file.h"

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

int rank_in(MPI_Comm comm);
int size_of(MPI_Comm comm);

/// Returns the bytes of the option "buffer". Collective. Throws.
Index buffer_of(MPI_Comm comm);

/// Throws InvalidArgument unless `count` rows (columns) from `first` on, counted from 1, end with number `end` at the
/// latest. `whole`: begins the part of the sentence that `end` completes.
void demand_end(const char* first_name, Index first, const char* count_name, Index count, std::string_view whole,
                Index end);

/// Checks the arguments of a call, and that all processes pass equal ones. `callers`: the code of a failure of the
/// caller, whose sentence xredist_error() has. Collective. Returns the file with its defaults; all processes throw the
/// same failure.
xredist_file agreed_file(const DistributedMatrix& matrix, const xredist_file* file, int callers);

/// Returns the matrix with its leading dimension, if its arguments are right.
DistributedMatrix with_leading_dimension(const DistributedMatrix& matrix, const xredist_file& file);

}  // namespace xredist::files
