// SPDX-License-Identifier: BSD-3-Clause
#include "copy/team.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <thread>
#include <vector>

namespace xredist::core {
namespace {

constexpr int max_shares = 12;

// Each share adds its number, and a plain variable shows ThreadSanitizer whether calls and shares are ordered.
void expect_each_share_once(int rounds) {
  for (int round = 0; round < rounds; ++round) {
    const int count = 1 + round % max_shares, threads = 1 + round % 4;
    std::vector<int> times(max_shares);
    in_parallel(count, threads, [&](int k) { ++times.at(static_cast<std::size_t>(k)); });
    for (int k = 0; k < max_shares; ++k) ASSERT_EQ(times.at(static_cast<std::size_t>(k)), k < count) << round;
  }
}

TEST(Team, DoEachShareOnce) { expect_each_share_once(20'000); }

TEST(Team, BelongToTheCallingThread) {
  std::vector<std::thread> callers;
  for (int k = 0; k < 3; ++k) callers.emplace_back([] { expect_each_share_once(2'000); });
  for (std::thread& caller : callers) caller.join();
}

TEST(Team, WorkBesideTheCaller) {
  std::atomic<int> begun = 0;
  in_parallel(2, 2, [&](int) {  // each share waits for the other one
    ++begun;
    while (begun < 2) std::this_thread::yield();
  });
  EXPECT_EQ(begun, 2);
}

// The calling thread still receives signals, and the helpers leave all of them to the program's threads.
TEST(Team, BlockSignals) {
  std::atomic<int> begun = 0, blocked = 0;
  const std::thread::id caller = std::this_thread::get_id();
  std::thread::id on[2];
  in_parallel(2, 2, [&](int share) {
    ++begun;
    while (begun < 2) std::this_thread::yield();
    on[share] = std::this_thread::get_id();
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    const bool all = sigismember(&mask, SIGINT) == 1 && sigismember(&mask, SIGALRM) == 1 && sigismember(&mask, SIGUSR1);
    if (on[share] == caller)
      EXPECT_FALSE(all);
    else
      blocked += all;
  });
  EXPECT_NE(on[0], on[1]);
  EXPECT_EQ(blocked, 1);
}

TEST(Team, SleepBetweenCalls) {
  in_parallel(8, 4, [](int) {});
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const std::clock_t before = std::clock();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_LT(static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC, 0.1);
}

TEST(Team, AreNotNeededInAForkedProcess) {
  in_parallel(8, 2, [](int) {});
  const pid_t child = fork();
  if (child == 0) {
    int done = 0;
    in_parallel(8, 2, [&](int) { ++done; });
#ifdef __SANITIZE_ADDRESS__  // LeakSanitizer may wait for a lock that another thread held at the fork
    _exit(done == 8 ? 0 : 1);
#else
    std::exit(done == 8 ? 0 : 1);
#endif
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(ThreadsWithCores, AreAtMostThoseWanted) {
  EXPECT_EQ(threads_with_cores(1), 1);
  for (const Index threads : {2, 3, 1024}) {
    EXPECT_GE(threads_with_cores(threads), 1);
    EXPECT_LE(threads_with_cores(threads), threads);
  }
}

#ifdef __linux__
TEST(ThreadsWithCores, AreOneOnABusyMachine) {
  std::atomic<bool> stop = false;
  std::vector<std::thread> busy;
  for (unsigned k = 0; k <= std::thread::hardware_concurrency(); ++k)
    busy.emplace_back([&] {
      while (!stop) {
      }
    });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(threads_with_cores(1024), 1);
  stop = true;
  for (std::thread& thread : busy) thread.join();
}
#endif

}  // namespace
}  // namespace xredist::core
