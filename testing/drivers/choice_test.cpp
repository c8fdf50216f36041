// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "drivers/contender.hpp"
#include "schedule/algorithm.hpp"

namespace runs {
namespace {

TEST(Choice, OrdersThatAreNamedGoDirectly) {
  for (const std::string& name : choices()) {
    const auto [algorithm, route] = choice_of(name);
    EXPECT_NE(xredist::core::find_algorithm(algorithm), nullptr) << name;
    EXPECT_EQ(route, name == "default" ? "by-cost" : name == "two-hop" || name == "striped" ? name : "direct");
  }
  EXPECT_EQ(choice_of("two-hop").algorithm, "default");
  EXPECT_EQ(choice_of("direct").algorithm, "default");
  EXPECT_EQ(choice_of("split").algorithm, "split");
}

}  // namespace
}  // namespace runs
