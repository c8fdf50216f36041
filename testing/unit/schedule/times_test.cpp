// SPDX-License-Identifier: BSD-3-Clause
// The times of schedules, and schedules of heaviest matchings.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "random/random_traffic.hpp"
#include "schedule/checker.hpp"
#include "schedule/cost.hpp"
#include "schedule/heaviest_matching.hpp"
#include "schedule/matchings.hpp"

namespace xredist::core {
namespace {

using testing::described, testing::Random;

constexpr Network usual{2e-6, 0.8e-9, 1000};  // 8-byte elements at 10 GB/s, as the library assumes

Network of_period(const Graph& graph, const Network& network) {
  return {network.alpha, network.beta * graph.periods(), network.executions};
}

// Returns the time without barriers by the messages of each process: repeatedly starts any message that is the next of
// its sender and of its receiver.
double time_by_messages(const Traffic& traffic, const Schedule& schedule, const Network& network) {
  struct Process {
    std::vector<Message> messages;
    std::size_t next = 0;
    double free = 0;
  };
  std::map<std::pair<Index, Index>, Process> senders, receivers;
  for (Index row = 0; row < traffic.rows.a.procs; ++row)
    for (Index col = 0; col < traffic.cols.a.procs; ++col)
      senders[{row, col}].messages = sends_of(traffic, schedule, {row, col});
  for (Index row = 0; row < traffic.rows.b.procs; ++row)
    for (Index col = 0; col < traffic.cols.b.procs; ++col)
      receivers[{row, col}].messages = receives_of(traffic, schedule, {row, col});
  double end = 0;
  for (bool again = true; again;) {
    again = false;
    for (auto& [at, sender] : senders) {
      if (sender.next == sender.messages.size()) continue;
      const Message& message = sender.messages[sender.next];
      Process& receiver = receivers[{message.peer.row, message.peer.col}];
      const Message& expected = receiver.messages.at(receiver.next);
      if (expected.peer.row != at.first || expected.peer.col != at.second || expected.step != message.step) continue;
      sender.free = receiver.free =
          std::max(sender.free, receiver.free) + network.alpha + network.beta * static_cast<double>(message.elements());
      end = std::max(end, sender.free);
      ++sender.next, ++receiver.next;
      again = true;
    }
  }
  return end;
}

Traffic random_periods(Random& random, bool two_axes) {
  const Overlap cols = random_periods(random, two_axes ? 4 : 10, 8, two_axes ? 2'000 : 1'000'000);
  return {two_axes ? random_periods(random, 4, 6, 2'000) : point, cols};
}

TEST(Times, AreThoseOfTheMessages) {
  Random random(81);
  for (int trial = 0; trial < 200; ++trial) {
    const Traffic traffic = random_periods(random, trial % 2 == 1);
    const auto graph = graph_of(traffic);
    const Network network = of_period(*graph, usual);
    for (const Schedule& schedule : {optimal_schedule(traffic), stepwise_schedule(graph)}) {
      const Times times = times_of(*graph, schedule, network), least = least_times(*graph, network);
      EXPECT_NEAR(times.free, time_by_messages(traffic, schedule, usual), 1e-9 * times.free) << described(traffic);
      const auto total = static_cast<double>(total_cost(*graph, schedule)) * graph->periods();
      EXPECT_NEAR(times.barriers, usual.alpha * static_cast<double>(schedule.count) + usual.beta * total,
                  1e-9 * times.barriers);
      EXPECT_LE(times.free, times.barriers * (1 + 1e-12));
      EXPECT_GE(times.free, least.free * (1 - 1e-12));
      EXPECT_GE(times.barriers, least.barriers * (1 - 1e-12));
    }
  }
}

TEST(Matchings, HeaviestHasTheMaximumWeight) {
  Random random(84);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t cols = 1 + as_size(random.below(6)), rows = 1 + as_size(random.below(static_cast<Index>(cols)));
    Weights weights{rows, cols};
    for (Index& weight : weights.values) weight = random.below(2) * random.below(5);
    std::vector<std::size_t> col_of(cols);
    std::iota(col_of.begin(), col_of.end(), std::size_t{0});
    Index most = 0;
    do {
      Index sum = 0;
      for (std::size_t row = 0; row < rows; ++row) sum += weights(row, col_of[row]);
      most = std::max(most, sum);
    } while (std::ranges::next_permutation(col_of).found);
    Index sum = 0;
    std::vector<int> taken(rows, 0);
    const std::vector<std::size_t> row_of = heaviest_matching(weights);
    ASSERT_EQ(row_of.size(), cols);
    for (std::size_t col = 0; col < cols; ++col)
      if (row_of[col] != cols || rows == cols) sum += weights(row_of[col], col), ++taken.at(row_of[col]);
    EXPECT_EQ(sum, most);
    EXPECT_EQ(std::ranges::count(taken, 1), std::ssize(taken));
  }
}

// Desprez et al. 1998, section 4.5: stepwise has Delta steps; both send every message whole.
TEST(Matchings, AreProperAndStepwiseHasTheLeastSteps) {
  Random random(82);
  for (int trial = 0; trial < 300; ++trial) {
    const Traffic traffic{random_overlap(random, 4, 6, 300), any_overlap(random, 5, 6, 300)};
    const auto graph = graph_of(traffic);
    const testing::Truth truth(traffic);
    const Schedule stepwise = stepwise_schedule(graph), greedy = greedy_schedule(graph);
    EXPECT_EQ(testing::fault_in(traffic, truth, stepwise), "") << described(traffic);
    EXPECT_EQ(testing::fault_in(traffic, truth, greedy), "") << described(traffic);
    EXPECT_EQ(stepwise.count, truth.steps()) << described(traffic);
    EXPECT_GE(greedy.count, truth.steps());
  }
}

}  // namespace
}  // namespace xredist::core
