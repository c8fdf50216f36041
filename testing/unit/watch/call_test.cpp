// SPDX-License-Identifier: BSD-3-Clause
// The marks of calls and phases, and how another thread reads them.
#include "watch/call.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "watch/threads.hpp"
#include "watch/watched.hpp"

namespace xredist::core {
namespace {

Call call_with(Index value) { return {.serial = value, .m = value, .n = value, .number = value}; }

TEST(WatchedThread, ShowsNoHalfOfAChange) {
  WatchedThread thread;
  std::atomic<bool> ends = false;
  std::thread writer([&] {
    for (Index value = 0; !ends; ++value)
      thread.change([&](Call& call) { call.serial = value, call.m = value, call.n = value, call.number = value; });
  });
  for (int k = 0; k < 20'000; ++k) {
    const Call call = thread.read(&WatchedThread::call);
    if (call.serial == 0) continue;  // not written yet
    ASSERT_EQ(call, call_with(call.serial));
  }
  ends = true;
  writer.join();
}

// Turns the watch on until the end of its life.
struct Watching {
  Watching() { watched = true; }
  ~Watching() { watched = false; }
};

// Returns the only thread that is inside a call, or nullptr.
WatchedThread* inside() {
  for (WatchedThread& thread : watched_threads())
    if (thread.read(&WatchedThread::call).inside) return &thread;
  return nullptr;
}

TEST(InCall, MarksNothingWithoutTheWatch) {
  const InCall call("PDGEMR2D");
  state_if_watched([](Call&) { FAIL(); });
  EXPECT_EQ(inside(), nullptr);
  EXPECT_FALSE(InPhase(Phase::exchange).is_asked());
}

TEST(InCall, MarksTheOuterCallAndTheOuterPhase) {
  const Watching watching;
  Index serial = 0;
  {
    const InCall outer("xredist_write"), inner("xredist_execute");
    state_if_watched([](Call& call) { call.m = 3, call.n = 4, call.number = 17; });
    const InPhase network(Phase::network), reduction(Phase::reduction);
    WatchedThread* const thread = inside();
    ASSERT_NE(thread, nullptr);
    const Call call = thread->read(&WatchedThread::call);
    EXPECT_EQ(std::string_view(call.routine), "xredist_write");
    EXPECT_EQ(call.number, 17);
    EXPECT_EQ(thread->phase, Phase::network);
    serial = call.serial;
  }
  EXPECT_EQ(inside(), nullptr);
  const InCall next("PDGEMR2D");
  ASSERT_NE(inside(), nullptr);
  EXPECT_EQ(inside()->phase, Phase::work);
  EXPECT_EQ(inside()->read(&WatchedThread::call).serial, serial + 1);
  EXPECT_EQ(inside()->read(&WatchedThread::call).m, -1);
}

TEST(InCall, IsLeftByExceptions) {
  const Watching watching;
  const auto fails = [] {
    const InCall call("PDGEMR2D");
    const InPhase phase(Phase::exchange);
    throw 1;
  };
  EXPECT_THROW(fails(), int);
  EXPECT_EQ(inside(), nullptr);
}

TEST(InCall, GivesEachThreadAPlace) {
  const Watching watching;
  const InCall call("PDGEMR2D");
  for (std::size_t k = 0; k < 2 * max_watched_threads; ++k) {  // threads that end give their places to others
    bool has_place = false;
    std::thread([&] {
      const InCall other("PDTRMR2D");
      has_place = thread_in_call() != nullptr;
    }).join();
    ASSERT_TRUE(has_place);
  }
}

TEST(InCall, EndsWithItsThread) {
  const Watching watching;
  WatchedThread* ended = nullptr;
  std::thread([&] {
    enter_call("gone", 3, 4);
    state_wait("a thread that has ended");
    ended = inside();
  }).join();
  ASSERT_NE(ended, nullptr);
  EXPECT_EQ(inside(), nullptr);
  EXPECT_EQ(ended->phase, Phase::work);
}

TEST(InCall, LeavesThreadsOutForWhichThereIsNoPlace) {
  const Watching watching;
  for (WatchedThread& thread : watched_threads()) thread.taken = true;
  std::thread([] {
    const InCall call("PDGEMR2D");
    const InPhase phase(Phase::exchange);
    EXPECT_EQ(thread_in_call(), nullptr);
    EXPECT_FALSE(phase.is_asked());
  }).join();
  for (WatchedThread& thread : watched_threads()) thread.taken = false;
}

TEST(EnteredCall, IsNamedUntilItIsLeft) {
  const Watching watching;
  enter_call("checkpoint", 3, 4);
  WatchedThread* const thread = inside();
  ASSERT_NE(thread, nullptr);
  {
    const InCall inner("xredist_write");
    state_wait("the first reason");
    const InPhase reduction(Phase::reduction);
    state_wait("the second\nreason");
    EXPECT_EQ(thread->phase, Phase::stated);
    EXPECT_EQ(std::string_view(thread->wait.data()), "the second reason");
  }
  EXPECT_EQ(thread->phase, Phase::stated);
  state_wait(nullptr);
  state_wait(nullptr);
  EXPECT_EQ(thread->phase, Phase::work);
  EXPECT_EQ(std::string_view(thread->read(&WatchedThread::call).routine), "checkpoint");
  EXPECT_EQ(thread->read(&WatchedThread::call).n, 4);
  state_wait("for ever");  // ends with the call
  leave_call();
  EXPECT_EQ(inside(), nullptr);
  EXPECT_EQ(thread->phase, Phase::work);
  leave_call();
  state_wait("outside of a call");
  EXPECT_EQ(thread->phase, Phase::work);
  const InCall next("PDGEMR2D");
  EXPECT_EQ(std::string_view(inside()->read(&WatchedThread::call).routine), "PDGEMR2D");
}

// The end of a call that began without the watch ends no call that began with it.
TEST(EnteredCall, KeepsItsName) {
  const Watching watching;
  std::string name = "checkpoint\nof a name that is longer than forty letters";
  enter_call(name, -1, -1);
  const Call first = inside()->read(&WatchedThread::call);
  leave_call();
  enter_call(name, -1, -1);
  name.assign(name.size(), 'x');
  EXPECT_EQ(inside()->read(&WatchedThread::call).routine, first.routine);
  EXPECT_STREQ(first.routine, "checkpoint of a name that is longer tha");
  leave_call();
  for (int k = 0; k < 1000; ++k) {
    enter_call("function " + std::to_string(k), -1, -1);
    leave_call();
  }
  enter_call("one too many", -1, -1);
  EXPECT_STREQ(inside()->read(&WatchedThread::call).routine, "a function of the program");
  leave_call();
}

TEST(EnteredCall, MayBeginOrEndWithoutTheWatch) {
  enter_call("checkpoint", -1, -1);
  {
    const Watching watching;
    EXPECT_EQ(inside(), nullptr);
    leave_call();
    enter_call("restart", -1, -1);
    EXPECT_NE(inside(), nullptr);
  }
  leave_call();
  EXPECT_EQ(inside(), nullptr);
}

TEST(Ask, GetsAnAnswerFromAThreadThatLooks) {
  const Watching watching;
  std::atomic<bool> ends = false;
  std::thread waiting([&] {
    const InCall call("PDGEMR2D");
    const InPhase phase(Phase::exchange);
    while (!ends)
      if (phase.is_asked()) phase.answer("waits for rank 3");
  });
  while (inside() == nullptr) std::this_thread::yield();
  EXPECT_EQ(ask(*inside(), std::chrono::seconds(20)), "waits for rank 3");
  ends = true;
  waiting.join();
}

TEST(Ask, GetsNoneFromAThreadThatDoesNot) {
  const Watching watching;
  const InCall call("PDGEMR2D");
  WatchedThread& thread = *inside();
  const InPhase phase(Phase::exchange);
  EXPECT_EQ(ask(thread, std::chrono::milliseconds(10)), std::nullopt);
  phase.answer("late");
  EXPECT_FALSE(phase.is_asked());
  EXPECT_STRNE(thread.answer.data(), "late");
}

}  // namespace
}  // namespace xredist::core
