// SPDX-License-Identifier: BSD-3-Clause
// The algorithms on examples, most of them of the literature. random_schedules_test has their properties.
#include "schedule/algorithm.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "random/random_traffic.hpp"
#include "schedule/checker.hpp"
#include "schedule/choose.hpp"
#include "schedule/cost.hpp"
#include "schedule/graph.hpp"
#include "schedule/limits.hpp"
#include "schedule/split.hpp"

namespace xredist::core {
namespace {

using testing::described;
using testing::ethernet;
using testing::line;
using testing::slow;
using testing::slow_build;

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
  const auto step = [](const Schedule& s, Index p, Index q) { return s.parts({p, 0}, {q, 0}).front().step; };
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
      EXPECT_EQ(rank_schedule(traffic).parts({p, 0}, {q, 0}).front().step, q);
      EXPECT_EQ((p + shifted_schedule(traffic).parts({p, 0}, {q, 0}).front().step) % 5, q);
    }
}

// Desprez et al. 1998, sections 2 and 4.6 (the last example): the numbers of steps that the paper states, and the total
// costs with messages that are cut.
TEST(Schedule, ExamplesOfDesprezEtAl) {
  struct Example {
    Index P, r, Q, s, steps, split;
  };
  const Example examples[] = {{16, 3, 16, 5, 7, 15},
                              {16, 7, 16, 11, 16, 77},
                              {15, 3, 15, 5, 10, 15},
                              {12, 4, 8, 3, 4, 6},
                              {15, 2, 6, 3, 10, 15}};
  for (const auto& [P, r, Q, s, steps, split] : examples) {
    const Traffic traffic{point, line(P, r, Q, s, std::lcm(P * r, Q * s))};
    EXPECT_EQ(optimal_schedule(traffic).count, steps) << described(traffic);
    EXPECT_EQ(total(traffic, split_schedule(traffic).value()), split) << described(traffic);
    EXPECT_EQ(testing::Truth(traffic).elements(), split) << described(traffic);
  }
}

// Grids of different shapes with equal blocks: a product of two schedules, one for each axis, would have up to 16 times
// as many steps.
TEST(Schedule, ReshapedGrids) {
  const auto steps = [](Index Pr, Index Pc, Index Qr, Index Qc) {
    return optimal_schedule({line(Pr, 64, Qr, 64, 100'000), line(Pc, 64, Qc, 64, 100'000)}).count;
  };
  EXPECT_EQ(steps(1, 256, 16, 16), 16);
  EXPECT_EQ(steps(16, 16, 8, 32), 2);
  EXPECT_EQ(steps(24, 24, 32, 18), 12);
}

TEST(Split, GivesUpWhereItIsTooMuchWork) {
  const Traffic traffic{point, line(60, 7, 64, 11, 60 * 64 * 77)};
  EXPECT_TRUE(split_schedule(traffic));
  EXPECT_FALSE(split_schedule(graph_of(traffic), 1000));
}

TEST(Split, LosesNothingOfLongMessages) {
  for (const Index periods : {100'000, 10'000'000, 1'000'000'000}) {
    const Traffic traffic{point, line(15, 2, 6, 3, 90 * periods)};
    const auto least = static_cast<double>(15 * periods);  // of each receiver
    const auto all = static_cast<double>(total(traffic, split_schedule(traffic).value()));
    EXPECT_GE(all, least);
    EXPECT_LE(all, least * (1 + 1e-9)) << periods;
  }
}

TEST(Matchings, RefuseGraphsThatAreTooLarge) {
  const Traffic large{point, line(129, 1, 128, 1, 129 * 128)};
  EXPECT_FALSE(split_schedule(large));
  EXPECT_TRUE(quantised_schedule(graph_of(large), 1));
  EXPECT_FALSE(quantised_schedule(graph_of({point, line(1, 1, 2, 1, 2 * limits::quanta + 2)}), 1));
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
    const Overlap rows = random_periods(random, 8, 8, line ? 1'000'000 : 5'000);
    const Traffic traffic{rows, line ? point : random_periods(random, 4, 8, 5'000)};
    const double chosen = cost(traffic, default_schedule(traffic, slow), slow);
    const double optimal = cost(traffic, optimal_schedule(traffic), slow);
    EXPECT_LE(chosen, optimal * (line ? 1 + 1e-12 : 1.01)) << described(traffic);
    cheaper += chosen < 0.95 * optimal;
  }
  EXPECT_GT(cheaper, 0);
}

}  // namespace
}  // namespace xredist::core
