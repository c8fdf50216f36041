// SPDX-License-Identifier: BSD-3-Clause
// The bytes of the plans that a context keeps.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "random.hpp"
#include "scalapack/plan_cache.hpp"

namespace xredist::testing {
namespace {

using namespace core;

constexpr Index capacity = 8;

// From blocks of rows to blocks of columns: a plan has two transfers for each process.
Plan plan_of(int procs) {
  std::vector<int> ranks(as_size(procs));
  std::iota(ranks.begin(), ranks.end(), 0);
  const Layout rows{{1, procs, 0, 0}, {procs, 1, 0, 0}}, cols{{procs, 1, 0, 0}, {1, procs, 0, 0}};
  return plan_process(redistribution_of(rows, cols, procs, procs, {}, 8), ranks, ranks, 0, {}, {});
}

Values values_of(int number) {
  Values values;
  values.fields[0] = number;
  return values;
}

TEST(PlanMemory, CountsLists) {
  const Index small = memory_of(plan_of(50)), large = memory_of(plan_of(1050));
  const Index transfers = Index{2000} * static_cast<Index>(sizeof(Transfer));
  EXPECT_GT(large - small, transfers);
  EXPECT_LT(large - small, 3 * transfers);
}

// A call stays known when its plan is dropped, in its order, so that all processes know the same calls.
TEST(PlanMemory, PlansAreDroppedAndCallsStay) {
  PlanCache cache;
  const Index bytes = memory_of(plan_of(100));
  for (int number = 0; number < 4; ++number) cache.add(values_of(number), plan_of(100), capacity);
  EXPECT_EQ(cache.bytes(), 4 * bytes);
  ASSERT_NE(cache.find(values_of(0)), nullptr);  // 1 is the least recently used call now
  cache.drop_plans_beyond(3 * bytes);
  EXPECT_EQ(cache.bytes(), 3 * bytes);
  KnownPlan* const dropped = cache.find(values_of(1));
  ASSERT_NE(dropped, nullptr);
  EXPECT_TRUE(dropped->parts.empty());
  EXPECT_FALSE(cache.find(values_of(2))->parts.empty());
  Plans parts;
  parts.push_back(plan_of(100));
  cache.set_plan(*cache.find(values_of(1)), std::move(parts));
  EXPECT_EQ(cache.bytes(), 4 * bytes);
  cache.drop_plans_beyond(0);  // the plan of the most recently used call is left
  EXPECT_EQ(cache.bytes(), bytes);
  EXPECT_FALSE(cache.find(values_of(1))->parts.empty());
  for (int number = 0; number < 4; ++number) EXPECT_NE(cache.find(values_of(number)), nullptr);
  cache.clear();
  EXPECT_EQ(cache.bytes(), 0);
}

// The bytes are those of the plans, whatever is called.
TEST(PlanMemory, AddsUp) {
  Random random(5);
  PlanCache cache;
  for (int turn = 0; turn < 300; ++turn) {
    const Values values = values_of(random.in(0, 20));
    KnownPlan* known = cache.find(values);
    if (known == nullptr) {
      known = &cache.add(values, plan_of(random.in(1, 60)), capacity);
    } else {
      Plans parts;
      parts.push_back(plan_of(random.in(1, 60)));
      cache.set_plan(*known, std::move(parts));
    }
    const Index limit = random.in(0, 60'000);
    cache.drop_plans_beyond(limit);
    Index bytes = 0;
    int calls = 0;
    for (int number = 20; number >= 0; --number)
      if (const KnownPlan* each = cache.find(values_of(number))) {
        ++calls;
        for (const Plan& part : each->parts) bytes += memory_of(part);
      }
    EXPECT_EQ(cache.bytes(), bytes);
    EXPECT_LE(calls, capacity);
    EXPECT_TRUE(bytes <= limit || bytes == memory_of(cache.find(values)->parts.front()));
  }
}

}  // namespace
}  // namespace xredist::testing
