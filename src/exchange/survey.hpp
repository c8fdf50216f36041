// SPDX-License-Identifier: BSD-3-Clause
// What the processes of a communicator find out about the links between them.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "plan/links.hpp"

namespace xredist::core {

class Turn;

struct Survey {
  Links links;
  std::vector<const std::byte*> memory;  ///< of each of links.neighbours, mapped, so that nothing can fail later
};

/// Collective. Processes of one node share memory if every process, on every node, can map the segments of all its
/// neighbours; otherwise none does. `share`: whether sharing is wanted; equal on all processes. The network is measured
/// once in the life of a process. Throws OutOfMemorySomewhere.
Survey survey_of(MPI_Comm comm, bool share, Turn& turn);

}  // namespace xredist::core
