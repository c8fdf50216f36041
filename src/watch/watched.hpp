// SPDX-License-Identifier: BSD-3-Clause
// The marks that a thread leaves when it calls the library, waits, and returns. Without the option "watch" a mark is
// one comparison.
#pragma once

#include <atomic>
#include <string_view>

#include "watch/call.hpp"

namespace xredist::core {

/// Whether this process is watched. True from the start if the environment has XREDIST_WATCH, so that the first call is
/// marked too.
inline constinit std::atomic<bool> watched = false;
inline bool is_watched() { return watched.load(std::memory_order_relaxed); }

struct WatchedThread;

/// Marks a call from its begin to the end of this object. A call within a call is not marked.
class InCall {
 public:
  explicit InCall(const char* routine) : InCall(routine, [](Call&) {}) {}
  /// `state`: states what is known of the call already.
  template <class State>
  InCall(const char* routine, const State& state) : thread_(is_watched() ? begin(routine, state) : nullptr) {}
  ~InCall() {
    if (thread_ != nullptr) [[unlikely]]
      end(*thread_);
  }
  InCall(const InCall&) = delete;
  InCall& operator=(const InCall&) = delete;

 private:
  template <class State>
  [[gnu::noinline, gnu::cold]] static WatchedThread* begin(const char* routine, const State& state) {
    Call call;
    call.set_routine(routine);
    state(call);
    return begin(call);
  }
  static WatchedThread* begin(const Call& call);
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

 private:
  static WatchedThread* begin(Phase phase);
  static void end(WatchedThread& thread);

  WatchedThread* thread_;
};

/// Mark the begin and the end of a call that is no object's life. The end of a call that was not marked is none.
void enter_call(std::string_view routine, Index m, Index n);
void leave_call();
/// Marks a phase of the call, and states for what this thread waits in it. nullptr: ends the phase.
void state_wait(const char* text);

/// Returns the facts about this thread's call, to be changed; nullptr outside of a call.
Call* facts_of_call();
/// Publishes the facts, which have been changed. Called inside a call only.
void publish_facts();

/// Changes the facts about this thread's call. Does nothing outside of a call.
template <class Change>
[[gnu::noinline, gnu::cold]] void state_facts(const Change& change) {
  if (Call* const facts = facts_of_call()) {
    change(*facts);
    publish_facts();
  }
}
/// States facts about this thread's call, if the process is watched.
template <class Change>
void state_if_watched(const Change& change) {
  if (is_watched()) [[unlikely]]
    state_facts(change);
}

/// Returns whether the watch wants to know for what this thread waits. A thread asks while it waits.
bool is_asked();
/// Tells for what this thread waits. Does nothing if nobody has asked.
void answer(std::string_view text);

}  // namespace xredist::core
