// SPDX-License-Identifier: BSD-3-Clause
// The threads of this process that have called the library while it was watched.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <new>
#include <optional>
#include <string>

#include "watch/call.hpp"

namespace xredist::core {

/// Returns an object in static memory that is never destroyed. The watch may use the object until the process ends.
template <class T>
T& never_destroyed() {
  alignas(T) static std::byte memory[sizeof(T)];
  static T* const made = new (memory) T;
  return *made;
}

/// A thread that calls the library. The thread changes the members, and the watch reads them.
struct WatchedThread {
  // Guarded by the mutex. The thread reads `call` without it, because no other thread changes `call`.
  std::mutex mutex{};
  bool taken = false;  ///< by a thread that lives
  Call call{};
  Phase phase = Phase::work;
  std::array<char, 1024> answer{};  ///< to a question of the watch; ends with a zero
  std::array<char, 128> wait{};     ///< of Phase::stated; ends with a zero

  // Of the thread itself.
  int depth = 0;        ///< calls within the call, with itself
  int phase_depth = 0;  ///< phases within the phase, with itself
  bool waits = false;   ///< has begun Phase::stated, which the end of the call ends too

  /// Returns a copy of a guarded member.
  template <class Member>
  Member read(Member WatchedThread::*member) {
    const std::scoped_lock lock(mutex);
    return this->*member;
  }
  /// Calls `change` with the facts about the call. `change` is short, and does not throw.
  template <class Change>
  void change(const Change& change) {
    const std::scoped_lock lock(mutex);
    change(call);
  }
};

/// Threads. A process that has more at once does not watch the others.
inline constexpr std::size_t max_watched_threads = 64;

/// Returns the places of all threads, of which some may be taken.
std::array<WatchedThread, max_watched_threads>& watched_threads();

/// Asks a thread for what it waits, and returns its answer. Returns nothing if the thread has not answered in time: it
/// computes, or waits inside MPI or the system.
std::optional<std::string> ask(WatchedThread& thread, std::chrono::milliseconds limit);

/// Forgets the place of the calling thread, and watches no more. Called in a child process after fork(): the watch does
/// not run there, and may have held any mutex.
void leave_watch() noexcept;

}  // namespace xredist::core
