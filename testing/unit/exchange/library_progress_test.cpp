// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/library_progress.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace xredist::core {
namespace {

TEST(ReentrantMutex, IsHeldUntilEachLockHasBeenUndone) {
  ReentrantMutex mutex;
  mutex.lock();
  mutex.lock();
  std::atomic<int> depth = 2, seen = -1;
  std::thread other([&] {
    const std::scoped_lock lock(mutex);
    seen = depth.load();
  });
  std::this_thread::yield();
  depth = 1;
  mutex.unlock();
  std::this_thread::yield();
  depth = 0;
  mutex.unlock();
  other.join();
  EXPECT_EQ(seen, 0);
}

// A call may lock again inside of the library, and wait there.
TEST(LibraryProgress, LetsOtherThreadsInFromAnyDepth) {
  ReentrantMutex mutex;
  Queue queue;
  LibraryProgress progress(mutex, queue, true);
  for (const int depth : {1, 2, 3}) {
    for (int k = 0; k < depth; ++k) mutex.lock();
    int entered = 0;
    progress.run_unlocked([&] {
      std::thread([&] {
        const std::scoped_lock lock(mutex);
        ++entered;
      }).join();
    });
    EXPECT_EQ(entered, 1);
    EXPECT_EQ(mutex.release(), depth) << "the thread holds the mutex as before";
  }
}

TEST(LibraryProgress, HoldsTheMutexAgainAfterAnException) {
  ReentrantMutex mutex;
  Queue queue;
  LibraryProgress progress(mutex, queue, true);
  mutex.lock();
  mutex.lock();
  EXPECT_THROW(progress.run_unlocked([] { throw 1; }), int);
  EXPECT_EQ(mutex.release(), 2);
}

}  // namespace
}  // namespace xredist::core
