// SPDX-License-Identifier: BSD-3-Clause
// The links between the processes of a communicator, as the processes find them.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "exchange/progress.hpp"
#include "exchange/shared_memory.hpp"
#include "route/links.hpp"

namespace xredist::core {

/// The state that a process keeps about its node and its network, for all communicators.
struct Host {
  SharedMemory shared_memory;
  Speed network{}, memory{};  ///< as measured once: between nodes, and between processes of this node
};

struct Survey {
  Links links;
  std::vector<const std::byte*> memory;  ///< of each of links.neighbours, mapped, so that nothing can fail later
};

/// Surveys the processes of comm. Collective. Processes of one node share memory if every process, on every node, can
/// map the segments of all its neighbours; otherwise none does. `share`: whether sharing is wanted; equal on all
/// processes. The network is measured once in the life of a process. Throws OutOfMemorySomewhere.
Survey survey_of(MPI_Comm comm, bool share, Host& host, Progress& progress);

}  // namespace xredist::core
