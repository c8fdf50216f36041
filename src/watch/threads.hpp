// SPDX-License-Identifier: BSD-3-Clause
// The threads of this process that have called the library while it was watched.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "watch/call.hpp"

namespace xredist::core {

/// A thread that calls the library, in memory that is never freed: the watch may read it at any time.
struct WatchedThread {
  std::atomic<bool> taken = false;  ///< by a thread that lives
  Published call;
  std::atomic<Phase> phase = Phase::work;

  // The answer to a question of the watch.
  std::mutex mutex;
  std::array<char, 1024> answer{};  ///< guarded by the mutex, ends with a zero
  std::array<char, 128> wait{};     ///< of Phase::stated; guarded and ended likewise

  // Of the thread itself.
  int depth = 0;        ///< calls within the call, with itself
  int phase_depth = 0;  ///< phases within the phase, with itself
  bool waits = false;   ///< has begun Phase::stated, which the end of the call ends too
};

/// All threads, of which some may be taken. A process with more threads at once does not watch the others.
inline constexpr std::size_t max_watched_threads = 64;
std::span<WatchedThread> watched_threads();

/// Asks a thread for what it waits, and returns its answer. Returns nothing if the thread has not answered in time: it
/// computes, or waits inside MPI or the system.
std::optional<std::string> ask(WatchedThread& thread, std::chrono::milliseconds limit);

/// Returns for what a thread waits, as state_wait() has stated last.
std::string stated_wait(WatchedThread& thread);

}  // namespace xredist::core
