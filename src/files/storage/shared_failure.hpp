// SPDX-License-Identifier: BSD-3-Clause
// One outcome of a call on all processes of a communicator.
#pragma once

#include <string_view>
#include <utility>

#include "api/everywhere.hpp"
#include "api/failure.hpp"
#include "exchange/library.hpp"
#include "storage/marks.hpp"

namespace xredist::files {

using namespace core;

/// The failure that a file cannot be opened, read or written, or that its contents do not fit.
struct FileFailure : Failure {
  explicit FileFailure(std::string_view text) noexcept : Failure(XREDIST_FILE_ERROR, text) {}
};

/// Runs `compute` on each process, and returns its value; `true` for a function of type void. If it throws on some
/// processes, all throw the same failure, as xredist_agree() returns it. Needs no memory to fail. Collective: one
/// reduction.
template <class Compute>
auto on_all(MPI_Comm comm, const Compute& compute) {
  auto mine = attempt(compute);
  demand_success(xredist_agree(comm, code_of(mine.failure())));
  return std::move(mine).value();
}

/// Runs `compute` on rank 0. All processes return its value, or throw its failure. Collective: one broadcast.
template <class Compute>
auto on_first(MPI_Comm comm, const Compute& compute) {
  using Value = decltype(compute());
  const auto mine = rank_in(comm) == 0 ? attempt(compute) : Attempt<Value>(Value{});
  const InWait wait("the first process opens or creates the file, and has not answered");
  LibraryLock lock;
  return from_first(mine, comm, lock->progress);
}

}  // namespace xredist::files
