// SPDX-License-Identifier: BSD-3-Clause
// The distributed matrix of a call, and the arguments that describe its place in a file.
#pragma once

#include <optional>

#include "api/arguments.hpp"
#include "api/everywhere.hpp"
#include "copy/operation.hpp"
#include "exchange/channels.hpp"
#include "xredist/file.h"

namespace xredist::core {

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
  Type integer;  ///< the type that 'I' names
};

/// Returns the channel of the communicator, which may be made now. Collective. Throws.
Channel& channel_for_files(MPI_Comm comm);

/// Checks the arguments of a call, and that all processes pass equal ones. `callers`: a failure of the caller, or
/// nullptr. Collective. Returns the file with its defaults; all processes throw the same failure.
xredist_file agreed_file(const DistributedMatrix& matrix, const xredist_file* file, const Failure* callers,
                         const Channel& channel);

/// Returns the value of `compute` on each process of the channel, as everywhere() does. Collective.
template <class Compute>
auto on_all(const Channel& channel, const Compute& compute) {
  auto mine = attempt(compute);
  LibraryLock lock;
  return everywhere(std::move(mine), channel.comm(), lock->progress);
}

/// Returns the value that `compute` has on rank 0 of the channel, as from_first() does. Collective.
template <class Compute>
auto from_first(const Channel& channel, const Compute& compute) {
  LibraryLock lock;
  return from_first(compute, channel.comm(), lock->progress);
}

/// Returns the matrix with its leading dimension, if its arguments are right.
DistributedMatrix with_leading_dimension(const DistributedMatrix& matrix, const xredist_file& file, int rank);

}  // namespace xredist::core
