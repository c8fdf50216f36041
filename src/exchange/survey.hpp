// SPDX-License-Identifier: BSD-3-Clause
// The links between the processes of a communicator, as the processes find them.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "exchange/progress.hpp"
#include "exchange/shared_memory.hpp"
#include "route/links.hpp"

namespace xredist::core {

struct Survey {
  Links links;
  std::vector<SharedMemory::Segment> memory;  ///< of each of links.neighbours, mapped, so that nothing can fail later
};

/// Stands for the processes of a communicator, by rank.
using ProcessesDigest = std::array<std::uint64_t, 2>;

/// A survey that serves every communicator of the same processes in the same order.
struct KnownSurvey {
  ProcessesDigest processes;
  bool share;  ///< as in survey_of
  Survey survey;
};

/// The state that a process keeps about its node and its network, for all communicators.
struct Host {
  SharedMemory shared_memory;
  Speed network{}, memory{};         ///< as measured once: between nodes, and between processes of this node
  std::vector<KnownSurvey> known{};  ///< recent surveys, the oldest first
};

/// Surveys the processes of comm. Collective. Processes of one node share memory if every process, on every node, can
/// map the segments of all its neighbours; otherwise none does. `share`: whether sharing is wanted; equal on all
/// processes. The network is measured once in the life of a process. If all processes know a survey of these processes,
/// two reductions of a few numbers take the place of a new one. Throws OutOfMemorySomewhere.
Survey survey_of(MPI_Comm comm, bool share, Host& host, Progress& progress);

}  // namespace xredist::core
