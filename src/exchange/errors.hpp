// SPDX-License-Identifier: BSD-3-Clause
// Errors of options, agreement, memory and exchanges. api/failure.hpp turns these and all other exceptions into
// failures.
#pragma once

#include <cstddef>
#include <new>
#include <stdexcept>
#include <string>

namespace xredist::core {

/// An option has an invalid value.
struct BadOption : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The library is called before MPI_Init, or after MPI_Finalize.
struct MpiNotRunning : std::logic_error {
  using std::logic_error::logic_error;
};

/// The processes do not pass the same arguments.
struct Disagreement : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Another process does not carry out this exchange (permanent: nor any later one).
struct PeerFailed : std::runtime_error {
  PeerFailed(int rank, bool ever)
      : std::runtime_error("process " + std::to_string(rank) + " of the context has given up " +
                           (ever ? "after arguments differed between processes" : "for lack of memory")),
        permanent(ever) {}
  bool permanent;
};

/// An allocation of the given size has failed on this process.
struct OutOfMemory : std::bad_alloc {
  explicit OutOfMemory(std::size_t bytes) : text("out of memory: " + std::to_string(bytes) + " bytes wanted") {}
  const char* what() const noexcept override { return text.c_str(); }
  std::string text;
};

/// Another process has withdrawn, and there is no memory to record from which exchange.
struct WithdrawalNotRecorded : std::bad_alloc {
  const char* what() const noexcept override { return "out of memory for the messages of processes that have failed"; }
};

/// Thrown by all processes of a communicator if any of them lacks memory.
struct OutOfMemorySomewhere : std::bad_alloc {
  const char* what() const noexcept override { return "out of memory, on one process at least"; }
};

}  // namespace xredist::core
