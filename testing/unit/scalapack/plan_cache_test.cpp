// SPDX-License-Identifier: BSD-3-Clause
// The order of cached plans, against a list that is searched, and on all processes of a context.
#include "scalapack/plan_cache.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <vector>

#include "agreement.hpp"
#include "random.hpp"
#include "scalapack/agree.hpp"

namespace xredist::testing {
namespace {

using namespace core;

Values values_of(Index m) {
  Values values;
  values.fields[0] = m;
  return values;
}

// A plan of one element, which the test tells from others by its number of steps.
Plan numbered(Index number) {
  Plan plan = whole_matrix(1, 1, 0, 0).plan_of(one_node(1), 0);
  plan.steps = number;
  return plan;
}

TEST(PlanCache, DropsTheLeastRecentlyUsedPlan) {
  PlanCache cache;
  for (const Index m : {1, 2, 3}) cache.add(values_of(m), numbered(m), 3);
  ASSERT_NE(cache.find(values_of(1)), nullptr);  // 2 is the oldest now
  cache.add(values_of(4), numbered(4), 3);
  EXPECT_EQ(cache.find(values_of(2)), nullptr);
  for (const Index m : {1, 3, 4}) {
    KnownPlan* const known = cache.find(values_of(m));
    ASSERT_NE(known, nullptr) << m;
    EXPECT_EQ(known->parts.front().steps, m);
  }
  cache.add(values_of(5), numbered(5), 1);  // a smaller capacity: 4, the plan used last, goes too
  EXPECT_EQ(cache.find(values_of(4)), nullptr);
  EXPECT_NE(cache.find(values_of(5)), nullptr);
  cache.clear();
  EXPECT_EQ(cache.find(values_of(5)), nullptr);
}

// A plan stays where it is in memory while others are added and found.
TEST(PlanCache, KeepsPlansInPlace) {
  PlanCache cache;
  const KnownPlan& first = cache.add(values_of(1), numbered(1), 4);
  for (Index m = 2; m <= 4; ++m) cache.add(values_of(m), numbered(m), 4);
  EXPECT_EQ(cache.find(values_of(1)), &first);
  EXPECT_EQ(first.parts.front().steps, 1);
}

TEST(PlanCache, HasTheOrderOfASearchedList) {
  Random random(4);
  for (int trial = 0; trial < 50; ++trial) {
    const int capacity = random.in(1, 8);
    PlanCache cache;
    std::list<Index> order;  // most recently used first
    for (int call = 0; call < 300; ++call) {
      const Index m = random.in(1, 12);
      const auto place = std::ranges::find(order, m);
      KnownPlan* const known = cache.find(values_of(m));
      ASSERT_EQ(known != nullptr, place != order.end()) << "call " << call;
      if (known != nullptr) {
        EXPECT_EQ(known->parts.front().steps, m);
        order.splice(order.begin(), order, place);
        continue;
      }
      cache.add(values_of(m), numbered(m), capacity);
      order.push_front(m);
      if (std::ssize(order) > capacity) order.pop_back();
    }
  }
}

constexpr std::string_view name_of_m[] = {"M"};
constexpr Field field_of_m[] = {{{"M"}}};
constexpr Routine routine_of_m{"ROUTINE", name_of_m, field_of_m};

// All processes of a context find, and lack, the same plans, whatever grids the calls have and whichever process is
// outside of them.
TEST(PlanCache, IsTheSameOnAllProcesses) {
  Random random(6);
  for (unsigned seed = 0; seed < 8; ++seed) {
    const int processes = random.in(2, 5), capacity = random.in(1, 5);
    Agreement agreement(processes, seed);
    std::vector<PlanCache> caches(static_cast<std::size_t>(processes));
    std::vector<xredist_int> contexts{agreement.own()};
    for (int k = 0; k < 3; ++k) contexts.push_back(make_context(random_grid(random, processes), processes));
    int hits = 0;
    for (int call = 0; call < 80; ++call) {
      const xredist_int a = at(contexts, random.below(4)), b = at(contexts, random.below(4));
      const Index m = random.in(1, 2);
      std::vector<Index> found(static_cast<std::size_t>(processes));
      ASSERT_TRUE(agreement.run([&](const Channel& channel, Rosters& rosters, Turns& turns) {
        const std::array<xredist_int, 9> desca{1, own_context(a), 10, 10, 2, 2, 0, 0, 10},
            descb{1, own_context(b), 10, 10, 3, 3, 0, 0, 10};
        const MatrixArguments matrices[] = {{Which::a, desca.data()}, {Which::b, descb.data()}};
        const Question question{routine_of_m, matrices, {m}};
        const Values agreed = agree(question, view_of(question, rosters), rosters, channel, turns);
        PlanCache& cache = at(caches, own_rank());
        const KnownPlan* const known = cache.find(agreed);
        at(found, own_rank()) = known != nullptr ? known->parts.front().steps : 0;
        if (known == nullptr) cache.add(agreed, numbered(call + 1), capacity);
      }));
      EXPECT_EQ(std::ranges::count(found, found[0]), processes) << "call " << call;
      hits += found[0] != 0 ? 1 : 0;
    }
    EXPECT_GT(hits, 0);
  }
}

}  // namespace
}  // namespace xredist::testing
