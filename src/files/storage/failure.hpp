// SPDX-License-Identifier: BSD-3-Clause
// Failures of this room, and one outcome on all processes of a communicator. Functions throw; those that a program can
// call return the codes of xredist.h and leave the sentence in xredist_error().
#pragma once

#include <array>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "xredist/xredist.h"

namespace xredist::files {

/// A code and its sentence. Needs no memory, so that every failure can be reported and sent to other processes.
struct Failure : std::exception {
  Failure(int of_failure, std::string_view text) noexcept : code(of_failure) {
    text.copy(sentence.data(), sentence.size() - 1);
  }
  const char* what() const noexcept override { return sentence.data(); }

  int code;
  std::array<char, 512> sentence{};
};

/// The failure that an argument is invalid.
struct InvalidArgument : Failure {
  explicit InvalidArgument(std::string_view text) noexcept : Failure(XREDIST_INVALID_ARGUMENT, text) {}
};

/// Returns the code of the exception under way, after its sentence has become that of xredist_error().
int code_of_current() noexcept;

/// Throws the failure of a call of the library that has returned this code, unless the call has succeeded.
void demand_success(int code);

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
  if (shared.code != XREDIST_SUCCESS) throw Failure(shared.code, shared.sentence.data());
  return shared.value;
}

}  // namespace xredist::files
