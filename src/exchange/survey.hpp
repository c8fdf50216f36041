// SPDX-License-Identifier: BSD-3-Clause
// The links between the processes of a communicator, as the processes find them.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "exchange/progress.hpp"
#include "exchange/shared_memory.hpp"
#include "route/links.hpp"

namespace xredist::core {

struct Survey {
  Links links;
  std::vector<SharedMemory::Segment> memory;  ///< of each of links.neighbours, mapped, so that nothing can fail later
};

/// Stands for the processes of a communicator, by rank: the sum of a digest of each process.
using ProcessesDigest = std::array<std::uint64_t, 2>;

/// A survey that serves every communicator of the same processes in the same order. Communicators share it.
struct KnownSurvey {
  ProcessesDigest processes;
  int rank, size;  ///< of this process, and the number of processes
  bool share;      ///< as in survey_of
  std::shared_ptr<const Survey> survey;
};

/// The state that a process keeps about its node and its network, for all communicators.
struct Host {
  Host();

  std::uint64_t process;  ///< a number that no other process has
  SharedMemory shared_memory{};
  Speed network{}, memory{};         ///< as measured once: between nodes, and between processes of this node
  std::vector<KnownSurvey> known{};  ///< recent surveys, the oldest first
};

/// The numbers whose sums over the processes of a communicator say who they are, and whether each of them already has
/// the survey that it guesses to be that of the communicator. Sums are modulo 2^64.
struct SurveyGuess {
  ProcessesDigest processes{}, guessed{};
  std::uint64_t none = 0;  ///< number of processes without a guess
};

/// Returns the most recent survey of as many processes in which this process has this rank, if there is one. Local.
std::optional<KnownSurvey> guessed_survey(const Host& host, int rank, int size);
/// Returns what this process adds to the sums.
SurveyGuess guess_of(const Host& host, const std::optional<KnownSurvey>& guessed, int rank);
/// Returns whether all processes have guessed right, from the guess of this one. Equal on all processes.
bool all_guessed(const SurveyGuess& sums, const std::optional<KnownSurvey>& guessed);

/// Surveys the processes of comm, which have this digest. Collective. Processes of one node share memory if every
/// process, on every node, can map the segments of all its neighbours; otherwise none does. `share`: whether sharing is
/// wanted; equal on all processes. The network is measured once in the life of a process. If all processes know a
/// survey of these processes, a reduction of two numbers takes the place of a new one. Throws OutOfMemorySomewhere.
std::shared_ptr<const Survey> survey_of(MPI_Comm comm, const ProcessesDigest& processes, bool share, Host& host,
                                        Progress& progress);

}  // namespace xredist::core
