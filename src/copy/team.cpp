// SPDX-License-Identifier: BSD-3-Clause
#include "copy/team.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#ifdef __linux__
#include <sched.h>
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <optional>
#include <thread>
#include <vector>

namespace xredist::core {
namespace {

// Time that a helper without work stays awake. Between chunks about 2 us pass; to wake a thread takes 5 to 50 us.
constexpr std::chrono::microseconds max_idle{50};
// Time for which the number of busy cores holds: reading it takes 5 to 50 us.
[[maybe_unused]] constexpr std::chrono::milliseconds look_interval{10};
using Clock = std::chrono::steady_clock;

// Blocks all signals in this thread, and so in the threads that it starts meanwhile: the program's handlers run, and
// its threads wait for signals, where they would without helpers.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockedSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_;
};

// A thread's helpers. Work is an offer: its number in the upper bits, the number of shares that no thread has begun in
// the lower ones. A share is taken by a compare-and-swap, which fails if the offer is an old one.
// Only the first wanted_ helpers take shares.
class Team {
 public:
  Team() = default;
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  ~Team() {
    offer_.store(stop);
    offer_.notify_all();
    for (std::thread& helper : helpers_) getpid() == process_ ? helper.join() : helper.detach();  // forks have none
    ended = true;
  }

  void run(int count, int threads, const std::function<void(int)>& function) {
    while (std::ssize(helpers_) < threads - 1 && add_helper()) {
    }
    wanted_.store(threads - 1, std::memory_order_relaxed);
    function_.store(&function, std::memory_order_relaxed);
    done_.store(0, std::memory_order_relaxed);
    number_ += one_offer;
    offer_.store(number_ + static_cast<std::uint64_t>(count));
    offer_.notify_all();
    while (take_share()) {
    }
    while (done_.load(std::memory_order_acquire) < count) std::this_thread::yield();
  }

  static thread_local bool ended;  // whether the thread has destroyed its team, because it ends

  int awake() const { return awake_.load(std::memory_order_relaxed); }

 private:
  // Returns whether the system had another thread.
  bool add_helper() {
    const BlockedSignals blocked;
    try {
      helpers_.emplace_back([this, number = static_cast<int>(helpers_.size())] { help(number); });
      return true;
    } catch (const std::exception&) {
      return false;
    }
  }

  // An offer stays until all its shares are done, so the function belongs to the share that was taken.
  bool take_share() {
    std::uint64_t offer = offer_.load();
    while (offer % one_offer != 0) {
      const std::function<void(int)>* const function = function_.load(std::memory_order_relaxed);
      if (!offer_.compare_exchange_weak(offer, offer - 1)) continue;
      (*function)(static_cast<int>(offer % one_offer) - 1);
      done_.fetch_add(1, std::memory_order_release);
      return true;
    }
    return false;
  }

  void help(int number) {
    ++awake_;
    for (std::uint64_t seen = offer_.load(); seen != stop; seen = offer_.load()) {
      if ((number < wanted_.load(std::memory_order_relaxed) && take_share()) || changes(seen, max_idle)) continue;
      --awake_;
      offer_.wait(seen);
      ++awake_;
    }
  }

  // Returns whether another offer than `seen` comes within `limit`.
  bool changes(std::uint64_t seen, std::chrono::microseconds limit) const {
    for (const auto end = Clock::now() + limit; Clock::now() < end; std::this_thread::yield())
      if (offer_.load() != seen) return true;
    return false;
  }

  static constexpr std::uint64_t one_offer = 1 << 16, stop = ~std::uint64_t{0} * one_offer;
  const pid_t process_ = getpid();
  std::atomic<std::uint64_t> offer_ = 0;
  std::atomic<const std::function<void(int)>*> function_ = nullptr;
  std::atomic<int> wanted_ = 0, done_ = 0, awake_ = 0;
  std::uint64_t number_ = 0;
  std::vector<std::thread> helpers_;
};

thread_local bool Team::ended = false;

Team& team_of_thread() {
  thread_local Team team;
  return team;
}

#ifdef __linux__
// Returns the number of threads of all processes that run or could run, as in "0.20 0.18 0.12 3/80 11206".
std::optional<int> runnable() {
  const int file = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  std::array<char, 128> text{};
  const ssize_t length = read(file, text.data(), text.size() - 1);
  close(file);
  int count = 0;
  if (length < 0 || std::sscanf(text.data(), "%*s %*s %*s %d/", &count) != 1) return std::nullopt;
  return count;
}

Index cores_of_process() {
  cpu_set_t cores;
  return sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 1024;
}
#endif

}  // namespace

void in_parallel(int count, int threads, const std::function<void(int)>& function) {
  team_of_thread().run(count, threads, function);
}

Index threads_with_cores(Index threads) {
  if (threads == 1 || Team::ended) return 1;
#ifdef __linux__
  static const Index cores = std::thread::hardware_concurrency();
  thread_local Clock::time_point next_look{};
  thread_local Index cores_left = 1024;  // to this thread and its helpers
  if (const auto now = Clock::now(); now >= next_look) {
    next_look = now + look_interval;
    if (const auto active = runnable(); active && cores > 0)
      cores_left = std::min(cores - (*active - 1 - team_of_thread().awake()), cores_of_process());
  }
  return std::clamp<Index>(cores_left, 1, threads);
#else
  return threads;
#endif
}

}  // namespace xredist::core
