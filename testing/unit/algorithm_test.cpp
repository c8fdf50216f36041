// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/algorithm.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "checker.hpp"
#include "random_traffic.hpp"
#include "schedule/algorithm.hpp"
#include "schedule/cost.hpp"

namespace xredist::core {
namespace {

using testing::described;
using testing::line;
using testing::Ports;
using testing::slow_build;

const Network ethernet{2e-5, 8e-9}, slow{1e-7, 1e-6};

Index total(const Traffic& traffic, const Schedule& schedule) {
  const std::vector<Index> longest = testing::longest_of_steps(traffic, schedule);
  return std::accumulate(longest.begin(), longest.end(), Index{0});
}

double cost(const Traffic& traffic, const Schedule& schedule, const Network& network) {
  return network.alpha * static_cast<double>(schedule.count) +
         network.beta * static_cast<double>(total(traffic, schedule));
}

TEST(Algorithm, NamesAreFoundAndDiffer) {
  std::set<std::string_view> names;
  for (const Algorithm& algorithm : algorithms()) {
    EXPECT_TRUE(names.insert(algorithm.name).second) << algorithm.name;
    EXPECT_EQ(find_algorithm(algorithm.name), &algorithm);
  }
  EXPECT_EQ(algorithms().front().name, "default");
  EXPECT_EQ(names.size(), 8u);
  EXPECT_EQ(find_algorithm("fastest"), nullptr);
  EXPECT_EQ(find_algorithm(""), nullptr);
}

// Every algorithm, found by its name, on random traffics: each message comes once, and all schedules but one are
// proper.
TEST(Algorithm, AllMoveEverything) {
  testing::Random random(51);
  std::set<std::string_view> made;
  for (int trial = 0; trial < (slow_build ? 150 : 1500); ++trial) {
    const Overlap rows = random.any_overlap(6, 9, 120);
    const Traffic traffic{rows, trial % 3 == 0 ? point : random.any_overlap(5, 9, 80)};
    const testing::Truth truth(traffic);
    for (const Algorithm& algorithm : algorithms()) {
      const auto schedule = algorithm.make(traffic, trial % 2 == 0 ? slow : ethernet, {});
      if (!schedule) continue;
      made.insert(algorithm.name);
      const Ports ports = algorithm.name == "rank" ? Ports::unlimited : Ports::one;
      ASSERT_EQ(testing::fault_in(traffic, truth, *schedule, ports), "") << algorithm.name << "\n"
                                                                         << described(traffic);
      if (ports == Ports::one) {
        ASSERT_GE(schedule->count, truth.steps()) << algorithm.name << "\n" << described(traffic);
      }
    }
  }
  EXPECT_EQ(made.size(), algorithms().size());
}

TEST(Algorithm, OrdersHaveTheStepsThatNumbersOfProcessesGive) {
  const Traffic traffic{line(2, 3, 4, 5, 1000), line(3, 2, 5, 7, 500)};  // 6 processes to 20
  EXPECT_EQ(caterpillar_schedule(traffic).count, 20);
  EXPECT_EQ(shifted_schedule(traffic).count, 20);
  EXPECT_EQ(reference_schedule(traffic).count, 40);
  EXPECT_EQ(rank_schedule(traffic).count, 20);
  EXPECT_EQ(caterpillar_schedule(reversed(traffic)).count, 20);
  EXPECT_EQ(rank_schedule(reversed(traffic)).count, 6);
}

// Prylli & Tourancheau 1996: processes exchange in pairs. In the order of the reference, the process with the lower
// number sends first.
TEST(Algorithm, CaterpillarsAndReferencesPairs) {
  const Traffic traffic{line(7, 1, 7, 1, 7), point};
  const Schedule caterpillar = caterpillar_schedule(traffic), reference = reference_schedule(traffic);
  const auto step = [](const Schedule& s, Index p, Index q) { return s.parts({p, 0}, {q, 0}).at(0).step; };
  for (Index p = 0; p < 7; ++p)
    for (Index q = 0; q < 7; ++q) {
      EXPECT_EQ((p + q + step(caterpillar, p, q)) % 7, 0);
      EXPECT_EQ(step(caterpillar, p, q), step(caterpillar, q, p));
      EXPECT_EQ(step(reference, p, q) / 2, step(reference, q, p) / 2);
      EXPECT_EQ(step(reference, p, q) % 2, p > q ? 1 : 0);
    }
}

TEST(Algorithm, RankAndShiftedOrders) {
  const Traffic traffic{line(3, 2, 5, 3, 30), point};
  for (Index p = 0; p < 3; ++p)
    for (Index q = 0; q < 5; ++q) {
      EXPECT_EQ(rank_schedule(traffic).parts({p, 0}, {q, 0}).at(0).step, q);
      EXPECT_EQ((p + shifted_schedule(traffic).parts({p, 0}, {q, 0}).at(0).step) % 5, q);
    }
}

// With equal block sizes on any two grids, or with a matrix of a few elements, cutting messages saves nothing.
TEST(Default, IsOptimalWhereLengthsAreEqualOrTiny) {
  for (const Network& network : {ethernet, slow})
    for (Index P = 1; P <= 8; ++P)
      for (Index Q = 1; Q <= 8; ++Q) {
        const Traffic equal{line(P, 64, Q, 64, 64 * std::lcm(P, Q) * 50), line(Q, 32, P, 32, 32 * std::lcm(P, Q) * 50)};
        EXPECT_EQ(default_schedule(equal, network).count, optimal_schedule(equal).count) << described(equal);
        const Traffic tiny{line(P, 2, Q, 3, 12), point};
        EXPECT_EQ(default_schedule(tiny, ethernet).count, optimal_schedule(tiny).count) << described(tiny);
      }
}

// Desprez et al. 1998, example 4: the total of the optimal schedule is a third above the bound. Equal parts of
// a message may differ by one element.
TEST(Default, CutsLargeMessagesOfUnequalLength) {
  const Index n = 48 * 100'000;
  const Traffic traffic{point, line(12, 4, 8, 3, n)};
  const Network network{1e-6, 1e-8};
  const Schedule schedule = default_schedule(traffic, network);
  EXPECT_LE(total(traffic, schedule), testing::Truth(traffic).elements() + schedule.count);
  EXPECT_LT(cost(traffic, schedule, network), 0.8 * cost(traffic, optimal_schedule(traffic), network));
}

// Cutting messages at whole rows and columns costs less than 1 %, whichever schedule is chosen.
TEST(Default, CostsNoMoreThanOptimal) {
  testing::Random random(52);
  int cheaper = 0;
  for (int trial = 0; trial < (slow_build ? 40 : 400); ++trial) {
    const bool line = trial % 2 == 0;
    const Overlap rows = random.periods(8, 8, line ? 1'000'000 : 5'000);
    const Traffic traffic{rows, line ? point : random.periods(4, 8, 5'000)};
    const double chosen = cost(traffic, default_schedule(traffic, slow), slow);
    const double optimal = cost(traffic, optimal_schedule(traffic), slow);
    EXPECT_LE(chosen, optimal * (line ? 1 + 1e-12 : 1.01)) << described(traffic);
    cheaper += chosen < 0.95 * optimal;
  }
  EXPECT_GT(cheaper, 0);
}

}  // namespace
}  // namespace xredist::core
