// SPDX-License-Identifier: BSD-3-Clause
// How a call of the library waits: exchanges move on, and other threads may use the library.
#pragma once

#include "exchange/progress.hpp"
#include "exchange/queue.hpp"
#include "exchange/reentrant_mutex.hpp"

namespace xredist::core {

/// The progress of a thread that has locked the library's mutex, at any depth.
class LibraryProgress final : public Progress {
 public:
  /// `many_threads`: several threads may call MPI at once. Mutex and queue outlive this object.
  LibraryProgress(ReentrantMutex& mutex, Queue& queue, bool many_threads)
      : mutex_(mutex), queue_(queue), many_threads_(many_threads) {}

  void complete(MPI_Request& request) override;
  void pause() override;
  void run_unlocked(const std::function<void()>& operation) override;
  void run_beside(const std::function<void()>& operation) override;
  bool many_threads() const override { return many_threads_; }

 private:
  ReentrantMutex& mutex_;
  Queue& queue_;
  const bool many_threads_;
};

}  // namespace xredist::core
