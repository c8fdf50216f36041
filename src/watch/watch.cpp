// SPDX-License-Identifier: BSD-3-Clause
#include "watch/watch.hpp"

#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <thread>

#include "settings/log.hpp"
#include "watch/roll.hpp"
#include "watch/watched.hpp"

namespace xredist::core {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

// The watch looks at the threads so many times within its interval.
constexpr int looks = 10;
constexpr std::chrono::milliseconds min_look{20}, max_look{5000};

std::atomic<bool> finalizes = false;
std::atomic<bool> keeps_files = false;  // of the roll-call

struct Settings {
  WatchOption option;
  Who who;
};

// A call of a thread, and when the watch has first seen the thread in this state: calls do not read the clock.
struct Seen {
  WatchedThread* thread = nullptr;
  Call call{};
  Clock::time_point since{};

  bool inside() const { return call.inside; }
  Seconds lasted(Clock::time_point now) const { return now - since; }
};

// The objects of the watch's thread.
class Watcher {
 public:
  explicit Watcher(const Settings& settings) : settings_(settings), roll_(settings.option.folder, settings.who) {}

  // Looks at all threads once.
  void look() {
    const auto now = Clock::now();
    const Seen& place = update(now);
    const bool waits = place.inside() && place.lasted(now) >= interval();
    if (waits) tell(place, now);
    if (!roll_.exists()) return;
    take_part(place, waits, now);
    keeps_files.store(waited_ || roll_.has_answered(), std::memory_order_relaxed);
  }

 private:
  Seconds interval() const { return Seconds(static_cast<double>(settings_.option.seconds)); }

  // Reads the calls of all threads. Returns the longest call; outside of all calls, the last one.
  const Seen& update(Clock::time_point now) {
    const Seen* found = seen_.data();
    for (std::size_t k = 0; k < seen_.size(); ++k) {
      Seen& seen = seen_[k];
      seen.thread = &watched_threads()[k];
      const Call call = seen.thread->read(&WatchedThread::call);
      if (seen.since == Clock::time_point{} || call.serial != seen.call.serial || call.inside != seen.call.inside)
        seen.since = now;
      seen.call = call;
      if (call.serial == 0) continue;
      const bool earlier = seen.since < found->since;
      if (seen.inside() ? !found->inside() || earlier : !found->inside() && (found->call.serial == 0 || !earlier))
        found = &seen;
    }
    return *found;
  }

  // Prints a line when the call has lasted for the interval, then for twice as long, and so on; of many late calls, one
  // line an interval. The process takes its place in the roll-call.
  void tell(const Seen& place, Clock::time_point now) {
    const Seconds lasted = place.lasted(now);
    if (told_of_ != place.since) told_of_ = place.since, next_ = interval();
    if (lasted < next_ || (last_line_ != Clock::time_point{} && now - last_line_ < interval())) return;
    const std::string where = where_of(place);
    const Call call = place.thread->read(&WatchedThread::call);  // again: the thread may have stated more
    if (call.serial != place.call.serial || !call.inside) return;
    next_ = 2 * lasted;
    last_line_ = now;
    write_log("%s", line_of(settings_.who, call, lasted.count(), where).c_str());
    if (!roll_.exists()) return;
    roll_.answer({Position::State::waits, call, lasted.count(), where});
    answered_ = call;
  }

  // Returns for what a call waits.
  std::string where_of(const Seen& place) const {
    const Phase phase = place.thread->read(&WatchedThread::phase);
    const auto limit =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::min<Seconds>(interval() / 2, Seconds(5)));
    std::optional<std::string> answer;
    if (phase == Phase::exchange) answer = ask(*place.thread, limit);
    if (phase == Phase::stated) answer = place.thread->read(&WatchedThread::wait).data();
    return text_of(place.call, phase, answer ? &*answer : nullptr);
  }

  // A process that waits begins the roll-call. The others look for it once in an interval and at MPI_Finalize, and
  // answer when something has changed since their last answer.
  void take_part(const Seen& place, bool waits, Clock::time_point now) {
    if (waited_ && !waits) roll_.end();
    const bool begins = waits && !waited_;
    const bool finalized = !waits && finalizes.load(std::memory_order_relaxed),
               finalizes_now = finalized && !finalized_;
    waited_ = waits, finalized_ = finalized;
    if (!begins && !finalizes_now && now < next_roll_) return;
    next_roll_ = now + std::chrono::duration_cast<Clock::duration>(interval());
    if (waits) return roll_.call();
    if (!roll_.is_called()) return roll_.withdraw();
    if (roll_.has_answered() && answered_ == place.call && !finalizes_now) return;
    answered_ = place.call;
    roll_.answer({place.inside() ? Position::State::inside : Position::State::outside, place.call,
                  place.lasted(now).count(), finalized ? "MPI_Finalize has been called" : ""});
  }

  const Settings settings_;
  std::array<Seen, max_watched_threads> seen_{};
  Clock::time_point told_of_{};  // the call of the last line, by its begin
  Seconds next_{};               // when the next line about this call is due
  Clock::time_point last_line_{};

  Roll roll_;
  Clock::time_point next_roll_{};
  bool waited_ = false;     // at the last look
  Call answered_{};         // the call of the last answer
  bool finalized_ = false;  // at the last look
};

// What the program's threads tell the watch.
struct Shared {
  std::mutex mutex;
  std::condition_variable wake, looked;
  Settings settings;
  int changes = 0;                // of the settings
  int requests = 0, answers = 0;  // of looks out of turn
  bool started = false;
};

Shared& shared() { return never_destroyed<Shared>(); }

// Watches until the settings change.
void watch_with(const Settings& settings, int changes) {
  const std::chrono::milliseconds interval = std::chrono::seconds(settings.option.seconds);
  Watcher watcher(settings);
  Shared& all = shared();
  const auto is_woken = [&] { return all.changes != changes || all.requests != all.answers; };
  std::unique_lock lock(all.mutex);
  for (;;) {
    all.wake.wait_for(lock, std::clamp(interval / looks, min_look, max_look), is_woken);
    if (all.changes != changes) return;
    const int requests = all.requests;
    lock.unlock();
    try {
      if (is_watched()) watcher.look();
    } catch (const std::exception&) {  // no memory for a line
    }
    lock.lock();
    all.answers = requests;
    all.looked.notify_all();
  }
}

[[noreturn]] void run() {
  for (;;) {
    try {
      Settings settings;
      int changes = 0;
      {
        const std::scoped_lock lock(shared().mutex);
        settings = shared().settings, changes = shared().changes;
      }
      watch_with(settings, changes);
    } catch (const std::exception&) {  // no memory for the names of files
    }
  }
}

// Starts the thread with all signals blocked: the program's handlers run in the program's threads.
void start_thread() {
  if (pthread_atfork(nullptr, nullptr, leave_watch) != 0) throw std::bad_alloc();
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
  ++shared().changes;
  shared().wake.notify_one();
  if (!shared().started && option.seconds > 0) {
    start_thread();
    shared().started = true;
  }
  watched.store(option.seconds > 0, std::memory_order_relaxed);
} catch (const std::exception&) {
  write_log("XREDIST_WATCH: there is no memory, or no thread, for the watch");
}

// The program may end before the next look in turn, and leave files of a roll-call that is over.
void tell_watch_of_finalize() noexcept {
  constexpr std::chrono::seconds limit{1};
  finalizes.store(true, std::memory_order_relaxed);
  if (!keeps_files.load(std::memory_order_relaxed)) return;
  std::unique_lock lock(shared().mutex);
  const int request = ++shared().requests;
  shared().wake.notify_one();
  shared().looked.wait_for(lock, limit, [&] { return shared().answers >= request; });
}

}  // namespace xredist::core
