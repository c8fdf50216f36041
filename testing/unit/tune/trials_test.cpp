// SPDX-License-Identifier: BSD-3-Clause
#include "tune/trials.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <vector>

namespace xredist::core {
namespace {

// Runs the trials of ways that take these seconds each, until one is chosen.
Trials chosen_among(const std::vector<double>& seconds, std::map<std::size_t, int>* tried = nullptr,
                    std::size_t overlap = 1) {
  Trials trials(seconds.size(), overlap);
  Trials::Times agreed{};
  while (!trials.over()) {
    if (trials.due()) {
      trials.settle(agreed);
      continue;
    }
    if (trials.closes()) agreed = trials.times();
    const auto turn = trials.take();
    if (!turn) continue;
    trials.record(*turn, seconds[turn->way]);
    if (tried != nullptr) ++(*tried)[turn->way];
  }
  return trials;
}

TEST(Trials, KeepTheFastest) {
  EXPECT_EQ(chosen_among({4, 3, 2, 5}).best(), 2U);
  EXPECT_EQ(chosen_among({1, 3, 2, 5}).best(), 0U);
  EXPECT_EQ(chosen_among({1}).best(), 0U);
}

TEST(Trials, KeepTheModelledWayUnlessAnotherIsClearlyFaster) {
  EXPECT_EQ(chosen_among({1.0, 0.995}).best(), 0U);
  EXPECT_EQ(chosen_among({1.0, 0.98}).best(), 1U);
}

// Slow ways are tried in the first pass alone; close ones in all passes.
TEST(Trials, StopEarly) {
  std::map<std::size_t, int> tried;
  const Trials trials = chosen_among({10, 30, 12, 10.5}, &tried);
  EXPECT_EQ(tried, (std::map<std::size_t, int>{{0, 6}, {1, 2}, {2, 4}, {3, 6}}));
  EXPECT_EQ(trials.trials(), 18);
  EXPECT_EQ(trials.found()[2].seconds, 12);
  tried.clear();
  chosen_among({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, &tried);
  EXPECT_EQ(std::accumulate(tried.begin(), tried.end(), 0, [](int sum, const auto& way) { return sum + way.second; }),
            24);
}

// Executions that overlap an agreement go the best way so far, and are no trials. The choice is the same.
TEST(Trials, LeaveRoomForTheAgreement) {
  for (const std::size_t overlap : {1U, 2U, 5U}) {
    Trials trials(2, overlap);
    const Trials::Times none{}, slow{2, 1, 2, 1};
    for (std::size_t k = 0; k < overlap; ++k) {
      EXPECT_EQ(trials.closes(), k == 0);
      EXPECT_FALSE(trials.due());
      EXPECT_EQ(trials.take(), std::nullopt);
    }
    EXPECT_TRUE(trials.due());
    trials.settle(none);
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_FALSE(trials.closes());
      EXPECT_EQ(trials.take().value().way, k % 2);
    }
    EXPECT_TRUE(trials.closes());
    EXPECT_EQ(trials.best(), 0U);
    for (std::size_t k = 0; k < overlap; ++k) EXPECT_EQ(trials.take(), std::nullopt);
    EXPECT_TRUE(trials.due());
    trials.settle(slow);
    EXPECT_EQ(trials.best(), 1U);
    EXPECT_EQ(chosen_among({4, 3, 2, 5}, nullptr, overlap).best(), 2U);
  }
}

TEST(Trials, AgreeAgainIfAProcessGivesUp) {
  Trials trials(2, 3);
  for (int attempt = 0; attempt < 3; ++attempt) {
    EXPECT_TRUE(trials.closes());
    while (!trials.due()) EXPECT_EQ(trials.take(), std::nullopt);
    if (attempt < 2) trials.agree_again();
  }
  trials.settle(Trials::Times{});
  EXPECT_EQ(trials.take().value().way, 0U);
}

// A trial that failed, or that has not ended at the end of its pass, has no time.
TEST(Trials, IgnoreWaysWithoutTime) {
  Trials trials(2, 1);
  trials.take();
  trials.settle(Trials::Times{});
  std::vector<Trials::Turn> turns;
  while (!trials.closes()) turns.push_back(trials.take().value());
  trials.record(turns[0], 5);
  const Trials::Times agreed = trials.times();
  trials.take();
  trials.settle(agreed);
  trials.record(turns[1], 1);  // too late
  EXPECT_TRUE(trials.over());
  EXPECT_EQ(trials.best(), 0U);
  EXPECT_TRUE(std::isinf(trials.found()[1].seconds));
}

TEST(Trials, EndWithoutAnyTime) {
  Trials trials(3, 4);
  Trials::Times agreed{};
  int executions = 0;
  for (; !trials.over(); ++executions) {
    if (trials.closes()) agreed = trials.times();
    trials.take();
    if (trials.due()) trials.settle(agreed);
  }
  EXPECT_EQ(executions, 3 * 2 * 3 + 4 * 4);
  EXPECT_EQ(trials.best(), 0U);
}

TEST(Trials, BelieveAnEarlierRun) {
  Trials trials(3, 1);
  EXPECT_TRUE(trials.closes());
  trials.suggest(2);
  trials.take();
  trials.settle(trials.times());
  EXPECT_TRUE(trials.over());
  EXPECT_EQ(trials.best(), 2U);
  EXPECT_EQ(trials.trials(), 0);
}

// Processes that agree on the maxima choose alike, whatever each has measured.
TEST(Trials, AreTheSameOnAllProcesses) {
  std::mt19937 random(1);
  for (int round = 0; round < 50; ++round) {
    const std::size_t ways = 1 + random() % max_ways;
    std::vector<Trials> processes(4, Trials(ways, 1 + random() % 3));
    Trials::Times max{};
    while (!processes[0].over()) {
      if (processes[0].due())
        for (Trials& process : processes) process.settle(max);
      if (processes[0].closes()) {
        max = processes[0].times();
        for (Trials& process : processes)
          for (std::size_t k = 0; k < max.size(); ++k) max[k] = std::max(max[k], process.times()[k]);
      }
      if (processes[0].over()) break;
      const auto first = processes[0].take();
      for (std::size_t p = 0; p < processes.size(); ++p) {
        const auto turn = p == 0 ? first : processes[p].take();
        ASSERT_EQ(turn.has_value(), first.has_value());
        if (!turn) continue;
        ASSERT_EQ(turn->way, first->way);
        if (random() % 8 != 0) processes[p].record(*turn, static_cast<double>(1 + random() % 1000));
      }
    }
    for (const Trials& process : processes) {
      EXPECT_TRUE(process.over());
      EXPECT_EQ(process.best(), processes[0].best());
    }
  }
}

}  // namespace
}  // namespace xredist::core
