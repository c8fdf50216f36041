// SPDX-License-Identifier: BSD-3-Clause
#include "watch/watched.hpp"

#include <cstdlib>
#include <new>
#include <thread>
#include <utility>

#include "watch/threads.hpp"

namespace xredist::core {
namespace {

[[maybe_unused]] const bool from_the_start = [] {
  const char* const option = std::getenv("XREDIST_WATCH");
  const bool on = option != nullptr && std::string_view(option) != "0";
  watched.store(on, std::memory_order_relaxed);
  return on;
}();

// Gives the thread's place to other threads when the thread ends.
struct Place {
  WatchedThread* thread = nullptr;
  bool ended = false;  // destructors of the thread may call the library after the place was given up

  Place() = default;
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() {
    if (thread != nullptr) thread->taken.store(false, std::memory_order_release);
    thread = nullptr;
    ended = true;
  }
};
thread_local Place place;

WatchedThread* taken_place() {
  for (WatchedThread& thread : watched_threads()) {
    if (thread.taken.exchange(true, std::memory_order_acq_rel)) continue;
    thread.depth = thread.phase_depth = 0;
    thread.waits = false;
    return &thread;
  }
  return nullptr;
}

// Returns the place of this thread, or nullptr if there is none for it.
WatchedThread* this_thread() {
  if (place.thread == nullptr && !place.ended) place.thread = taken_place();
  return place.thread;
}

void begin_phase(WatchedThread& thread, Phase phase) {
  if (++thread.phase_depth == 1) thread.phase.store(phase, std::memory_order_relaxed);
}

void end_phase(WatchedThread& thread) {
  if (--thread.phase_depth == 0) thread.phase.store(Phase::work, std::memory_order_relaxed);
}

void end_stated(WatchedThread& thread) {
  if (std::exchange(thread.waits, false)) end_phase(thread);
}

}  // namespace

std::span<WatchedThread> watched_threads() {
  static std::array<WatchedThread, max_watched_threads>* const all = [] {
    alignas(std::array<WatchedThread, max_watched_threads>) static std::byte
        memory[sizeof(std::array<WatchedThread, max_watched_threads>)];
    return new (memory) std::array<WatchedThread, max_watched_threads>;
  }();
  return *all;
}

WatchedThread* InCall::begin(const Call& call) {
  WatchedThread* const thread = this_thread();
  if (thread == nullptr || ++thread->depth > 1) return thread;
  const Index serial = thread->facts.serial + 1;
  thread->facts = call;
  thread->facts.serial = serial, thread->facts.inside = 1;
  thread->call.write(thread->facts);
  return thread;
}

void InCall::end(WatchedThread& thread) {
  if (--thread.depth > 0) return;
  end_stated(thread);
  thread.facts.inside = 0;
  thread.call.write(thread.facts);
}

void enter_call(std::string_view routine, Index m, Index n) {
  if (!is_watched()) return;
  Call call;
  call.set_routine(routine);
  call.m = m, call.n = n;
  InCall::begin(call);
}

void leave_call() {
  if (place.thread != nullptr && place.thread->depth > 0) InCall::end(*place.thread);
}

WatchedThread* InPhase::begin(Phase phase) {
  WatchedThread* const thread = this_thread();
  if (thread != nullptr) begin_phase(*thread, phase);
  return thread;
}

void InPhase::end(WatchedThread& thread) { end_phase(thread); }

void state_wait(const char* text) {
  WatchedThread* const thread = place.thread;
  if (thread == nullptr || thread->depth == 0) return;
  if (text == nullptr) return end_stated(*thread);
  {
    const std::scoped_lock lock(thread->mutex);
    set_line(thread->wait, text);
  }
  if (!std::exchange(thread->waits, true)) begin_phase(*thread, Phase::stated);
}

Call* facts_of_call() {
  WatchedThread* const thread = this_thread();
  return thread != nullptr && thread->depth > 0 ? &thread->facts : nullptr;
}

void publish_facts() { place.thread->call.write(place.thread->facts); }

bool is_asked() {
  const WatchedThread* const thread = is_watched() ? this_thread() : nullptr;
  return thread != nullptr && thread->asked.load(std::memory_order_relaxed);
}

void answer(std::string_view text) {
  WatchedThread& thread = *this_thread();
  const std::scoped_lock lock(thread.mutex);
  if (!thread.asked.load(std::memory_order_relaxed)) return;
  thread.answer[text.copy(thread.answer.data(), thread.answer.size() - 1)] = '\0';
  thread.asked.store(false, std::memory_order_release);
}

std::optional<std::string> ask(WatchedThread& thread, std::chrono::milliseconds limit) {
  constexpr std::chrono::milliseconds look{5};
  thread.asked.store(true, std::memory_order_relaxed);
  for (auto waited = look; waited <= limit && thread.asked.load(std::memory_order_acquire); waited += look)
    std::this_thread::sleep_for(look);
  const std::scoped_lock lock(thread.mutex);
  if (thread.asked.exchange(false, std::memory_order_relaxed)) return std::nullopt;
  return thread.answer.data();
}

std::string stated_wait(WatchedThread& thread) {
  const std::scoped_lock lock(thread.mutex);
  return thread.wait.data();
}

}  // namespace xredist::core
