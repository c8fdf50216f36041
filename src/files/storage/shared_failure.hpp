// SPDX-License-Identifier: BSD-3-Clause
// Failures of this room, and one outcome on all processes of a communicator. Functions throw; those that a program can
// call return the codes of xredist.h.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "xredist/xredist.h"

namespace xredist::files {

/// A failure of which xredist_error() has the sentence already.
struct Failure {
  int code;
};

/// The failure that an argument is invalid. Needs no memory.
struct InvalidArgument : Failure {
  explicit InvalidArgument(const char* sentence) : Failure{xredist_fail(XREDIST_INVALID_ARGUMENT, sentence)} {}
  explicit InvalidArgument(const std::string& sentence) : InvalidArgument(sentence.c_str()) {}
};

/// Returns the code of the exception under way, whose sentence xredist_error() has afterwards.
int code_of_current() noexcept;

/// Throws the failure of a call of the library that has just returned this code, unless the call has succeeded.
inline void demand_success(int code) {
  if (code != XREDIST_SUCCESS) throw Failure{code};
}

/// Runs the body of a function that a program calls, and returns its code.
template <class Body>
int coded(const Body& body) noexcept try {
  body();
  return XREDIST_SUCCESS;
} catch (...) {
  return code_of_current();
}

/// Runs `compute` on each process, and returns its value; `true` for a function of type void. If it throws on some
/// processes, all throw the same failure, as xredist_agree() returns it. Needs no memory to fail. Collective: one
/// reduction.
template <class Compute>
auto on_all(MPI_Comm comm, const Compute& compute) {
  using Value = decltype(compute());
  if constexpr (std::is_void_v<Value>) {
    return on_all(comm, [&] { return compute(), true; });
  } else {
    std::optional<Value> mine;
    demand_success(xredist_agree(comm, coded([&] { mine.emplace(compute()); })));
    return *std::move(mine);
  }
}

/// Broadcasts `bytes` bytes from rank 0. Collective.
void broadcast_bytes(MPI_Comm comm, void* data, int bytes);

/// Runs `compute` on rank 0. All processes return its value, or throw its failure. Collective: one broadcast.
template <class Compute>
auto from_first(MPI_Comm comm, const Compute& compute) {
  struct {
    std::array<char, 512> sentence{};
    int code = XREDIST_SUCCESS;
    decltype(compute()) value{};
  } shared;
  static_assert(std::is_trivially_copyable_v<decltype(shared)>);
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) {
    shared.code = coded([&] { shared.value = compute(); });
    std::string_view(xredist_error()).copy(shared.sentence.data(), shared.sentence.size() - 1);
  }
  broadcast_bytes(comm, &shared, static_cast<int>(sizeof shared));
  demand_success(xredist_fail(shared.code, shared.sentence.data()));
  return shared.value;
}

}  // namespace xredist::files
