// SPDX-License-Identifier: BSD-3-Clause
// The thread of the watch, beside threads that call the library. ThreadSanitizer watches in the preset tsan.
#include "watch/watch.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "settings/log.hpp"
#include "watch/watched.hpp"

namespace xredist::core {
namespace {

std::string text_of_file(const std::string& name) {
  std::ifstream file(name);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string new_folder() {
  std::string name = ::testing::TempDir() + "watchXXXXXX";
  EXPECT_NE(mkdtemp(name.data()), nullptr);
  return name;
}

// Makes short calls, as many as there is time for.
void call_often(const std::atomic<bool>& ends) {
  for (std::int32_t number = 1; !ends; ++number) {
    const InCall call("PDTRMR2D", {.m = 7, .n = 7});
    state_if_watched([&](Call& of) {
      of.number = number;
      of.grids.fill(number);
    });
    const InPhase phase(Phase::reduction);
    enter_call("function " + std::to_string(number % 8), 1, 1);
    state_wait("a short wait");
    leave_call();
  }
}

// Waits in one call, and answers the watch.
void wait(std::chrono::milliseconds time) {
  const InCall call("PDGEMR2D", {.context = 0, .m = 100, .n = 80});
  const InPhase phase(Phase::exchange);
  for (const auto end = std::chrono::steady_clock::now() + time; std::chrono::steady_clock::now() < end;) {
    if (phase.is_asked()) phase.answer("waits for rank 3");
    std::this_thread::yield();
  }
}

TEST(Watch, PrintsOneLineAboutTheThreadThatWaits) {
  const std::string folder = new_folder(), log = folder + "/log";
  ASSERT_TRUE(set_log(log.c_str()));
  setenv("PMIX_NAMESPACE", "job", 1);
  watch({1, folder}, {3, 4, "node7"});
  std::atomic<bool> ends = false;
  std::vector<std::thread> others;
  for (int k = 0; k < 3; ++k) others.emplace_back([&] { call_often(ends); });
  wait(std::chrono::milliseconds(1900));  // the next line would come after 2 s
  EXPECT_NE(text_of_file(folder + "/rank-3").find("state: waits"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(folder + "/waits-job"));
  ends = true;
  for (std::thread& each : others) each.join();
  const std::string printed = text_of_file(log);
  EXPECT_EQ(printed.find("xredist: rank 3 on node7 has been in PDGEMR2D (100 x 80), context 0 for 1."), 0U) << printed;
  EXPECT_EQ(printed.find("s: waits for rank 3\n") + 20, printed.size()) << printed;

  // The end of the program ends the roll-call, and then the watch looks no more.
  tell_watch_of_finalize();
  EXPECT_FALSE(std::filesystem::exists(folder + "/rank-3"));
  EXPECT_FALSE(std::filesystem::exists(folder + "/waits-job"));
  watch({0, {}}, {3, 4, "node7"});
  EXPECT_FALSE(is_watched());
  ASSERT_TRUE(set_log("stderr"));
  std::filesystem::remove_all(folder);
}

// The watch may hold the mutex of a thread that forks. The child has nobody who would release this mutex.
TEST(Watch, IsLeftByAChildProcess) {
  watch({1, {}}, {3, 4, "node7"});
  enter_call("a function that forks", 1, 1);
  WatchedThread* const thread = thread_in_call();
  ASSERT_NE(thread, nullptr);
  thread->mutex.lock();
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    leave_call();
    enter_call("another function", 1, 1);
    _exit(is_watched() || thread_in_call() != nullptr ? 1 : 0);
  }
  thread->mutex.unlock();
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(is_watched());
  leave_call();
  watch({0, {}}, {3, 4, "node7"});
}

}  // namespace
}  // namespace xredist::core
