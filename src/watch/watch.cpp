// SPDX-License-Identifier: BSD-3-Clause
#include "watch/watch.hpp"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <mutex>
#include <new>
#include <optional>
#include <thread>

#include "settings/log.hpp"
#include "watch/threads.hpp"
#include "watch/watched.hpp"

namespace xredist::core {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

// The watch looks at the threads so many times within its interval.
constexpr int looks = 10;
constexpr std::chrono::milliseconds min_look{20}, max_look{5000};

struct Settings {
  WatchOption option;
  Who who;
};

// A call of a thread, and when the watch has first seen the thread in this state: calls do not read the clock.
struct Seen {
  Call call{};
  Clock::time_point since{};
};

// The thread's own objects.
class Watcher {
 public:
  // Looks at all threads once.
  void look(const Settings& settings) {
    const auto now = Clock::now();
    std::optional<std::size_t> longest;
    for (std::size_t k = 0; k < seen_.size(); ++k) {
      const Call call = watched_threads()[k].call.read();
      if (call.serial != seen_[k].call.serial || call.inside != seen_[k].call.inside) seen_[k].since = now;
      seen_[k].call = call;
      if (call.inside != 0 && (!longest || seen_[k].since < seen_[*longest].since)) longest = k;
    }
    if (longest) tell(watched_threads()[*longest], seen_[*longest], settings, now);
  }

 private:
  // Prints a line when the call has lasted for the interval, then for twice as long, and so on.
  void tell(WatchedThread& thread, const Seen& seen, const Settings& settings, Clock::time_point now) {
    const Seconds interval(static_cast<double>(settings.option.seconds)), lasted = now - seen.since;
    if (told_of_ != seen.since) told_of_ = seen.since, next_ = interval;
    next_ = std::max(next_, interval);
    if (lasted < next_) return;
    const Phase phase = thread.phase.load(std::memory_order_relaxed);
    const auto limit =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::min<Seconds>(interval / 2, Seconds(5)));
    const std::optional<std::string> answer = phase == Phase::exchange ? ask(thread, limit) : std::nullopt;
    if (const Call call = thread.call.read(); call.serial != seen.call.serial || call.inside == 0) return;
    next_ = 2 * lasted;
    const std::string where = text_of(seen.call, phase, answer ? &*answer : nullptr);
    write_log("%s", line_of(settings.who, seen.call, lasted.count(), where).c_str());
  }

  std::array<Seen, max_watched_threads> seen_{};
  Clock::time_point told_of_{};  // the call of the last line, by its begin
  Seconds next_{};               // when the next line about this call is due
};

// What the program's threads tell the watch. Never destroyed: the thread runs until the process ends.
struct Shared {
  std::mutex mutex;
  Settings settings;
  bool started = false;
};

Shared& shared() {
  alignas(Shared) static std::byte memory[sizeof(Shared)];
  static Shared* const made = new (memory) Shared;
  return *made;
}

Settings current_settings() {
  const std::scoped_lock lock(shared().mutex);
  return shared().settings;
}

[[noreturn]] void run() {
  Watcher watcher;
  for (;;) {
    try {
      const Settings settings = current_settings();
      const std::chrono::milliseconds interval = std::chrono::seconds(settings.option.seconds);
      std::this_thread::sleep_for(std::clamp(interval / looks, min_look, max_look));
      if (is_watched()) watcher.look(settings);
    } catch (const std::exception&) {  // no memory for a line
    }
  }
}

// Starts the thread with all signals blocked: the program's handlers run in the program's threads.
void start_thread() {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::thread(run).detach();
  } catch (...) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace

void watch(const WatchOption& option, const Who& who) noexcept try {
  const std::scoped_lock lock(shared().mutex);
  shared().settings = {option, who};
  if (!shared().started && option.seconds > 0) {
    start_thread();
    shared().started = true;
  }
  watched.store(option.seconds > 0, std::memory_order_relaxed);
} catch (const std::exception&) {
  write_log("XREDIST_WATCH: there is no memory, or no thread, for the watch");
}

}  // namespace xredist::core
