// SPDX-License-Identifier: BSD-3-Clause
// The marks that a thread leaves when it calls the library, waits, and returns. Without the option "watch" a mark is
// one comparison.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "watch/threads.hpp"

namespace xredist::core {

/// Whether this process is watched. True from the start if the environment has XREDIST_WATCH, so that the first call is
/// marked too.
inline constinit std::atomic<bool> watched = false;
inline bool is_watched() { return watched.load(std::memory_order_relaxed); }

/// The thread that the watch asks for what it waits, until it answers or the time is over; nullptr: nobody is asked.
inline constinit std::atomic<WatchedThread*> asked_thread = nullptr;
inline bool is_anybody_asked() { return asked_thread.load(std::memory_order_relaxed) != nullptr; }

/// What is known of a call when it begins: the handle of the BLACS context, and the size of the submatrix; -1: unknown.
struct CallSize {
  std::int32_t context = -1;
  Index m = -1, n = -1;
};

/// Marks a call from its begin to the end of this object. A call within a call is not marked.
class InCall {
 public:
  /// `routine` is never freed.
  explicit InCall(const char* routine, const CallSize& size = {})
      : thread_(is_watched() ? begin(routine, size) : nullptr) {}
  ~InCall() {
    if (thread_ != nullptr) [[unlikely]]
      end(*thread_);
  }
  InCall(const InCall&) = delete;
  InCall& operator=(const InCall&) = delete;

 private:
  [[gnu::cold]] static WatchedThread* begin(const char* routine, const CallSize& size);
  static void end(WatchedThread& thread);
  friend void enter_call(std::string_view routine, Index m, Index n);
  friend void leave_call();

  WatchedThread* thread_;
};

/// Marks a phase of the call until the end of this object. A phase within a phase is not marked.
class InPhase {
 public:
  explicit InPhase(Phase phase) : thread_(is_watched() ? begin(phase) : nullptr) {}
  ~InPhase() {
    if (thread_ != nullptr) [[unlikely]]
      end(*thread_);
  }
  InPhase(const InPhase&) = delete;
  InPhase& operator=(const InPhase&) = delete;

  /// Returns whether the watch wants to know for what this thread waits. A thread asks while it waits.
  bool is_asked() const { return is_anybody_asked() && asked_thread.load(std::memory_order_relaxed) == thread_; }
  /// Tells for what this thread waits. Does nothing if nobody has asked.
  void answer(std::string_view text) const;
  /// Returns whether the size and the communicator of the call have been stated, or there is no call.
  bool is_stated() const;

 private:
  static WatchedThread* begin(Phase phase);
  static void end(WatchedThread& thread);

  WatchedThread* thread_;
};

/// Mark the begin and the end of a call that is no object's life. The end of a call that was not marked is none. The
/// name is copied; after many different ones, "a function of the program" replaces new ones.
void enter_call(std::string_view routine, Index m, Index n);
void leave_call();
/// Marks a phase of the call, and states for what this thread waits in it. nullptr: ends the phase.
void state_wait(const char* text);

/// Returns this thread if it is inside a call, or nullptr.
WatchedThread* thread_in_call();
/// Changes the facts about this thread's call, or about the outer call of calls within calls. Does nothing outside of a
/// call.
template <class Change>
[[gnu::noinline, gnu::cold]] void state_facts(const Change& change) {
  if (WatchedThread* const thread = thread_in_call()) thread->change(change);
}
/// Changes these facts if the process is watched.
template <class Change>
void state_if_watched(const Change& change) {
  if (is_watched()) [[unlikely]]
    state_facts(change);
}

}  // namespace xredist::core
