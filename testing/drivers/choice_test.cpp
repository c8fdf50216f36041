// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "drivers/contender.hpp"
#include "schedule/algorithm.hpp"

namespace drivers {
namespace {

TEST(Choice, OrdersThatAreNamedGoDirectly) {
  for (const auto& algorithm : xredist::core::algorithms()) {
    const Choice choice = choice_of(std::string(algorithm.name)).value();
    EXPECT_EQ(choice.algorithm, algorithm.name);
    EXPECT_EQ(choice.route, algorithm.name == "default" ? "by-cost" : "direct");
  }
  for (const char* const route : {"direct", "two-hop", "4x4x2", "2"}) {
    const Choice choice = choice_of(route).value();
    EXPECT_EQ(choice.algorithm, "default");
    EXPECT_EQ(choice.route, route);
    EXPECT_FALSE(choice.tuned);
  }
  EXPECT_TRUE(choice_of("tuned").value().tuned);
}

TEST(Choice, KnownNames) {
  for (const std::string& name : known_contenders()) EXPECT_TRUE(is_known(name)) << name;
  for (const char* const name : {"", "fastest", "steps:", "steps:fastest", "4y4", "Default", "1x2", "300x2", "x", "2x"})
    EXPECT_FALSE(is_known(name)) << name;
}

}  // namespace
}  // namespace drivers
