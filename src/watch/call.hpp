// SPDX-License-Identifier: BSD-3-Clause
// The facts that the watch knows about a call of the library.
#pragma once

#include <array>
#include <cstdint>

#include "layout/index.hpp"

namespace xredist::core {

/// The part of a call in which it waits for other processes, or for the file system.
enum class Phase : std::uint8_t {
  work,         ///< plans or copies, and waits for nobody
  reduction,    ///< agrees with all processes by a reduction
  broadcast,    ///< learns from one process by a broadcast
  barrier,      ///< waits until all processes are ready
  duplication,  ///< duplicates the communicator
  network,      ///< explores the network and the shared memory
  exchange,     ///< waits for the exchange of this call
  request,      ///< waits for a request of MPI that the caller has made
  stated,       ///< waits for what the caller has stated (xredist_watch_wait)
};

/// The facts about a call. Zero: unknown, unless stated otherwise.
struct Call {
  const char* routine = "";             ///< never freed, and never changed
  Index serial = 0;                     ///< number of the call on its thread
  bool inside = false;                  ///< from the begin of the call to its end
  Index m = -1, n = -1;                 ///< size of the submatrix; -1: unknown
  Index jobs = 0;                       ///< of a batch, of which the first one has this size
  std::array<std::int32_t, 4> grids{};  ///< rows and columns of A's grid and of B's
  std::int32_t context = -1;            ///< handle of the BLACS context; -1: none
  std::int32_t processes = 0;           ///< of the context or communicator
  Index communicator = 0;               ///< a number that all its processes have, and hardly another one
  Index number = 0;                     ///< of the call on its context or communicator, from 1

  friend bool operator==(const Call&, const Call&) = default;
};

}  // namespace xredist::core
