// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/library_progress.hpp"

#include <atomic>
#include <exception>
#include <thread>

namespace xredist::core {

void LibraryProgress::complete(MPI_Request& request) {
  if (!many_threads_ && queue_.empty())
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  else
    queue_.wait(request, *this);
}

void LibraryProgress::pause() {
  if (many_threads_) run_unlocked([] { std::this_thread::yield(); });
}

void LibraryProgress::run_unlocked(const std::function<void()>& operation) {
  struct Unlocked {
    explicit Unlocked(ReentrantMutex& held) : mutex(held), depth(held.release()) {}
    ~Unlocked() { mutex.acquire(depth); }
    ReentrantMutex& mutex;
    const int depth;
  };
  const Unlocked unlocked(mutex_);
  operation();
}

// Without another thread the operation blocks this one. That is right unless a process waits for an exchange that is
// under way.
void LibraryProgress::run_beside(const std::function<void()>& operation) {
  std::atomic<bool> ended = false;
  std::thread thread;
  try {
    thread = std::thread([&] {
      operation();
      ended = true;
    });
  } catch (const std::exception&) {
    return run_unlocked(operation);
  }
  while (!ended) {
    queue_.advance();
    pause();
  }
  thread.join();
}

}  // namespace xredist::core
