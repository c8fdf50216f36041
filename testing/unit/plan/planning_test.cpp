// SPDX-License-Identifier: BSD-3-Clause
// The time that one process takes to make a plan is less than 20 times the time in the name of each test.
#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <string>
#include <vector>

#include "plan/plan.hpp"
#include "random/random_traffic.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/choose.hpp"

namespace xredist::core {
namespace {

using testing::line;
using testing::slow_build;

// Returns the minimum of five measurements (s), because other programs run on the computer.
double seconds(const Traffic& traffic, Coord process) {
  using Clock = std::chrono::steady_clock;
  double least = 1e9;
  for (int repeat = 0; repeat < 5; ++repeat) {
    const auto start = Clock::now();
    const Schedule schedule = default_schedule(traffic, {1e-6, 1e-9});
    const std::size_t messages =
        sends_of(traffic, schedule, process).size() + receives_of(traffic, schedule, process).size();
    least = std::min(least, std::chrono::duration<double>(Clock::now() - start).count());
    EXPECT_GT(messages, 0u);
  }
  return least;
}

constexpr double slack = slow_build ? 400 : 20;

TEST(Planning, TakesAHundredMicrosecondsForAThousandProcesses) {
  const Overlap axis = line(1024, 3, 1024, 5, 1'000'000), side = line(32, 3, 32, 5, 50'000);
  EXPECT_LT(seconds({axis, point}, {341, 0}), slack * 100e-6);
  EXPECT_LT(seconds({side, side}, {11, 17}), slack * 100e-6);
}

TEST(Planning, TakesTenMillisecondsForAMillionProcesses) {
  const Index n = 10'000'000;
  const Overlap large = line(1000, 64, 1000, 36, n), small = line(1000, 3, 1000, 5, n),
                uneven = line(1000, 3, 999, 5, n);
  EXPECT_LT(seconds({large, large}, {333, 500}), slack * 10e-3);
  EXPECT_LT(seconds({small, small}, {333, 500}), slack * 10e-3);
  EXPECT_LT(seconds({small, uneven}, {333, 500}), slack * 10e-3);
}

// A process of B holds nothing, so no process of A meets all of them.
TEST(Planning, TakesTenMillisecondsForABillionBlocks) {
  const Overlap rows = line(2, 1, 3, 500'000'000, 1'000'000'000), cols = line(1, 1, 1, 1, 1);
  EXPECT_LT(seconds({rows, cols}, {1, 0}), slack * 10e-3);
  EXPECT_FALSE(find_algorithm("quantised")->make({rows, cols}, {1e-6, 1e-9}, {}));  // before the blocks are visited
}

// A vector moves between random intervals. Making the plan from the arrays of a caller takes up to 0.5 s on an idle
// processor: the minimum of three measurements.
TEST(Planning, TakesHalfASecondForAMillionIntervals) {
  using Clock = std::chrono::steady_clock;
  testing::Random random(51);
  constexpr std::size_t count = slow_build ? 100'000 : 1'000'000;
  std::vector<Index> cuts_a{0}, cuts_b{0};
  for (std::vector<Index>* cuts : {&cuts_a, &cuts_b})
    while (cuts->size() <= count) cuts->push_back(cuts->back() + random.below(20));
  const Index n = std::min(cuts_a.back(), cuts_b.back());
  for (const Index procs : {32, 1000}) {
    std::vector<int> owners_a(count), owners_b(count), ranks(as_size(procs));
    for (std::vector<int>* owners : {&owners_a, &owners_b})
      for (int& owner : *owners) owner = static_cast<int>(random.below(procs));
    std::iota(ranks.begin(), ranks.end(), 0);
    double least = 1e9;
    for (int repeat = 0; repeat < 3; ++repeat) {
      const auto start = Clock::now();
      const Layout a{testing::in_partition({1, procs, 0, 0}, cuts_a, owners_a), {1, 1, 0, 0}};
      const Layout b{testing::in_partition({1, procs, 0, 0}, cuts_b, owners_b), {1, 1, 0, 0}};
      const Plan plan = plan_process(redistribution_of(a, b, n, 1, {}, 8), ranks, ranks, 7, {}, {});
      least = std::min(least, std::chrono::duration<double>(Clock::now() - start).count());
      EXPECT_GT(plan.peers.size(), 30u);
      EXPECT_FALSE(plan.a.runs.rows.empty());
    }
    EXPECT_LT(least, 0.5 * slack / 5) << procs;
    RecordProperty("milliseconds_of_" + std::to_string(procs), static_cast<int>(1e3 * least));
    std::printf("%ld processes: %.0f ms\n", procs, 1e3 * least);
  }
}

TEST(Planning, DoesNotDependOnTheMatrix) {
  const auto time = [](Index n) { return seconds({line(32, 3, 32, 5, n), line(32, 64, 32, 64, n)}, {11, 17}); };
  EXPECT_LT(time(1'000'000'000), 5 * time(100'000) + 100e-6);
}

}  // namespace
}  // namespace xredist::core
