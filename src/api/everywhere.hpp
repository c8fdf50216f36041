// SPDX-License-Identifier: BSD-3-Clause
// One outcome on all processes of a communicator: a value on each, or the same failure on all.
#pragma once

#include <array>

#include "api/failure.hpp"
#include "exchange/communicator.hpp"
#include "exchange/extremes.hpp"
#include "exchange/progress.hpp"

namespace xredist::core {

/// The processes whose attempts have failed, as two values that processes compare.
struct Failing {
  /// The minimum is the lowest rank that has failed, `unknown` if none has. Processes whose failure is that of another
  /// one count after all others: the size of the communicator is added to their ranks.
  Index rank = unknown;
  Index failed = 0;  ///< the minimum is 1 if all have failed for a reason of their own
};

/// Returns what this process contributes to the comparison.
Failing failing(const Failure* mine, MPI_Comm comm);

/// Throws, on all processes, the failure of the lowest rank that has failed, or rather of one that has caused the
/// failure of others. "process 3: " precedes the sentence unless all have failed, or the sentence names a process.
/// `lowest`: the minima of what the processes contributed. Returns if no process has failed. Collective in the case of
/// a failure.
void throw_lowest(const Failure* mine, const Failing& lowest, MPI_Comm comm, Progress& progress);

/// Returns the value of each process. If any attempt has failed, all processes throw the same failure, as
/// throw_lowest() describes. Needs no memory to fail. Collective: one reduction.
template <class Value>
Value everywhere(Attempt<Value> mine, MPI_Comm comm, Progress& progress) {
  const auto [rank, failed] = failing(mine.failure(), comm);
  const auto [min, max] = extremes(std::array{rank, failed}, comm, progress);
  throw_lowest(mine.failure(), {min[0], min[1]}, comm, progress);
  return std::move(mine).value();
}

/// Runs `compute` on this process, and returns its value or throws as above. The value of a function of type void is
/// `true`.
template <class Compute>
requires std::is_invocable_v<Compute>
auto everywhere(const Compute& compute, MPI_Comm comm, Progress& progress) {
  return everywhere(attempt(compute), comm, progress);
}

/// A failure as processes send it; the code of success is no failure.
struct Told {
  std::array<char, 512> sentence{};
  int code = XREDIST_SUCCESS;

  void set(const Failure& failure) { sentence = failure.sentence, code = failure.code; }
  void demand_success() const {
    if (code != XREDIST_SUCCESS) throw Failure(code, sentence.data());
  }
};

/// Returns the value of rank 0 on all processes, or throws its failure. `mine`: of rank 0; ignored on other processes.
/// Collective: one broadcast.
template <class Value>
Value from_first(const Attempt<Value>& mine, MPI_Comm comm, Progress& progress) {
  struct {
    Told told;
    Value value{};
  } shared;
  static_assert(std::is_trivially_copyable_v<decltype(shared)>);
  if (const auto* value = mine.get())
    shared.value = *value;
  else
    shared.told.set(*mine.failure());
  broadcast(&shared, static_cast<int>(sizeof shared), MPI_BYTE, comm, progress);
  shared.told.demand_success();
  return shared.value;
}

}  // namespace xredist::core
