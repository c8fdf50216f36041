// SPDX-License-Identifier: BSD-3-Clause
// A mutex that its owner may lock again, and can give up as a whole.
#pragma once

#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

namespace xredist::core {

/// A mutex that one thread may lock several times. MPI calls the library back, and destructors lock, while a call holds
/// the lock. std::recursive_mutex could not be given up from any depth.
class ReentrantMutex {
 public:
  void lock() {
    const std::thread::id me = std::this_thread::get_id();
    if (owner_.load(std::memory_order_relaxed) != me) {
      mutex_.lock();
      owner_.store(me, std::memory_order_relaxed);
    }
    ++depth_;
  }
  void unlock() {
    if (--depth_ > 0) return;
    owner_.store({}, std::memory_order_relaxed);
    mutex_.unlock();
  }

  /// Unlocks the mutex, however often this thread has locked it. Returns that number for acquire().
  int release() {
    const int depth = std::exchange(depth_, 1);
    unlock();
    return depth;
  }
  /// Locks the mutex `depth` times.
  void acquire(int depth) {
    lock();
    depth_ = depth;
  }

 private:
  std::mutex mutex_;
  std::atomic<std::thread::id> owner_{};  // only the owner itself finds its own id here, so no order is needed
  int depth_ = 0;                         // of the owner
};

}  // namespace xredist::core
