// SPDX-License-Identifier: BSD-3-Clause
#include "watch/watched.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <utility>

namespace xredist::core {
namespace {

[[maybe_unused]] const bool from_the_start = [] {
  const char* const option = std::getenv("XREDIST_WATCH");
  const bool on = option != nullptr && std::string_view(option) != "0";
  watched.store(on, std::memory_order_relaxed);
  return on;
}();

// The place of this thread. No destructor: a mark finds it with few instructions.
constinit thread_local WatchedThread* place = nullptr;
constinit thread_local bool is_ending =
    false;  // destructors of the thread may call the library after it gave its place

// Ends the call that the thread may be in, and gives the thread's place to other threads, when the thread ends.
struct Leaving {
  Leaving() = default;
  Leaving(const Leaving&) = delete;
  Leaving& operator=(const Leaving&) = delete;
  ~Leaving() {
    if (place == nullptr) return;
    {
      const std::scoped_lock lock(place->mutex);
      place->phase = Phase::work;
      place->call.inside = place->taken = false;
    }
    place = nullptr;
    is_ending = true;
  }
};

WatchedThread* taken_place() {
  for (WatchedThread& thread : watched_threads()) {
    const std::scoped_lock lock(thread.mutex);
    if (std::exchange(thread.taken, true)) continue;
    thread.depth = thread.phase_depth = 0;
    thread.waits = false;
    place = &thread;
    static thread_local const Leaving leaving;
    return &thread;
  }
  return nullptr;
}

// Returns the place of this thread, or nullptr if there is none for it.
WatchedThread* this_thread() {
  WatchedThread* const known = place;
  if (known != nullptr) [[likely]]
    return known;
  return is_ending ? nullptr : taken_place();
}

// Copies a text, as one line, into an array that ends with a zero; a longer text is cut off.
template <std::size_t Size>
void set_line(std::array<char, Size>& line, std::string_view text) {
  const std::size_t size = text.copy(line.data(), Size - 1);
  line[size] = '\0';
  const auto breaks = [](char letter) { return static_cast<unsigned char>(letter) < ' '; };
  std::replace_if(line.data(), line.data() + size, breaks, ' ');
}

// The names of functions of the program, which outlive all threads.
struct Names {
  std::mutex mutex{};
  std::size_t count = 0;
  std::array<std::array<char, 40>, 256> all{};
};

// Returns a copy of a name that is never freed.
const char* kept_name(std::string_view name) {
  Names& names = never_destroyed<Names>();
  std::array<char, 40> line{};
  set_line(line, name);
  const std::scoped_lock lock(names.mutex);
  const auto end = names.all.begin() + static_cast<std::ptrdiff_t>(names.count);
  const auto known = std::find(names.all.begin(), end, line);
  if (known == names.all.end()) return "a function of the program";
  if (known == end) *known = line, ++names.count;
  return known->data();
}

void set_phase(WatchedThread& thread, Phase phase) {
  const std::scoped_lock lock(thread.mutex);
  thread.phase = phase;
}

void begin_phase(WatchedThread& thread, Phase phase) {
  if (++thread.phase_depth == 1) set_phase(thread, phase);
}

void end_phase(WatchedThread& thread) {
  if (--thread.phase_depth == 0) set_phase(thread, Phase::work);
}

void end_stated(WatchedThread& thread) {
  if (std::exchange(thread.waits, false)) end_phase(thread);
}

}  // namespace

std::array<WatchedThread, max_watched_threads>& watched_threads() {
  return never_destroyed<std::array<WatchedThread, max_watched_threads>>();
}

WatchedThread* InCall::begin(const char* routine, const CallSize& size) {
  WatchedThread* const thread = this_thread();
  if (thread == nullptr || ++thread->depth > 1) return thread;
  thread->change([&](Call& call) {
    call = {.routine = routine,
            .serial = call.serial + 1,
            .inside = true,
            .m = size.m,
            .n = size.n,
            .context = size.context};
  });
  return thread;
}

void InCall::end(WatchedThread& thread) {
  if (--thread.depth > 0) return;
  end_stated(thread);
  thread.change([](Call& call) { call.inside = false; });
}

void enter_call(std::string_view routine, Index m, Index n) {
  if (!is_watched()) return;
  InCall::begin(kept_name(routine), {.m = m, .n = n});
}

void leave_call() {
  if (WatchedThread* const thread = thread_in_call()) InCall::end(*thread);
}

WatchedThread* InPhase::begin(Phase phase) {
  WatchedThread* const thread = this_thread();
  if (thread != nullptr) begin_phase(*thread, phase);
  return thread;
}

void InPhase::end(WatchedThread& thread) { end_phase(thread); }

void InPhase::answer(std::string_view text) const {
  const std::scoped_lock lock(thread_->mutex);
  if (!is_asked()) return;
  thread_->answer[text.copy(thread_->answer.data(), thread_->answer.size() - 1)] = '\0';
  asked_thread.store(nullptr, std::memory_order_release);
}

bool InPhase::is_stated() const {
  if (thread_ == nullptr || thread_->depth == 0) return true;
  return thread_->call.m >= 0 && thread_->call.processes > 0;
}

void state_wait(const char* text) {
  WatchedThread* const thread = thread_in_call();
  if (thread == nullptr) return;
  if (text == nullptr) return end_stated(*thread);
  {
    const std::scoped_lock lock(thread->mutex);
    set_line(thread->wait, text);
  }
  if (!std::exchange(thread->waits, true)) begin_phase(*thread, Phase::stated);
}

WatchedThread* thread_in_call() {
  WatchedThread* const thread = place;
  return thread != nullptr && thread->depth > 0 ? thread : nullptr;
}

std::optional<std::string> ask(WatchedThread& thread, std::chrono::milliseconds limit) {
  constexpr std::chrono::milliseconds look{5};
  asked_thread.store(&thread, std::memory_order_relaxed);
  for (auto waited = look; waited <= limit && asked_thread.load(std::memory_order_acquire) != nullptr; waited += look)
    std::this_thread::sleep_for(look);
  const std::scoped_lock lock(thread.mutex);
  if (asked_thread.exchange(nullptr, std::memory_order_relaxed) != nullptr) return std::nullopt;
  return thread.answer.data();
}

void leave_watch() noexcept {
  watched.store(false, std::memory_order_relaxed);
  place = nullptr;
}

}  // namespace xredist::core
