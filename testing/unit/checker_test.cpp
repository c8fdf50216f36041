// SPDX-License-Identifier: BSD-3-Clause
// The checker finds everything that can be wrong with a schedule.
#include "checker.hpp"

#include <gtest/gtest.h>

#include "random_traffic.hpp"

namespace xredist::core {
namespace {

using testing::Ports;

const Traffic traffic{testing::line(2, 4, 3, 2, 24), point};

std::string fault(Index count, std::function<Parts(Coord, Coord)> parts, Ports ports = Ports::one) {
  return testing::fault_in(traffic, testing::Truth(traffic), {count, std::move(parts)}, ports);
}

TEST(Checker, AcceptsAProperSchedule) {
  EXPECT_EQ(fault(3, [](Coord p, Coord q) { return Parts{{(p.row + q.row) % 3, 1}}; }), "");
  EXPECT_EQ(fault(
                4,
                [](Coord, Coord) {
                  return Parts{{0, 1}};
                },
                Ports::unlimited),
            "");
}

TEST(Checker, FindsProcessesThatSendOrReceiveTwice) {
  EXPECT_EQ(fault(2, [](Coord p, Coord) { return Parts{{p.row, 1}}; }), "sender (0,0): twice in step 0");
  EXPECT_EQ(fault(3, [](Coord, Coord q) { return Parts{{q.row, 1}}; }), "receiver (0,0): twice in step 0");
}

TEST(Checker, FindsStepsBeyondTheCount) {
  EXPECT_EQ(fault(2,
                  [](Coord p, Coord q) {
                    return Parts{{(p.row + q.row) % 3, 1}};
                  }),
            "sender (0,0): step 2 is not in the count");
}

TEST(Checker, FindsMessagesLeftOut) {
  const auto parts = [](Coord p, Coord q) {
    return p.row == 1 && q.row == 2 ? Parts{} : Parts{{(p.row + q.row) % 3, 1}};
  };
  EXPECT_EQ(fault(3, parts), "sender (1,0): 0 elements with (2,0), should be 4");
}

// A schedule that gives another step when it is asked again, so that sender and receiver use different ones.
TEST(Checker, FindsSendersAndReceiversThatDisagree) {
  int asked = 0;
  const auto parts = [&](Coord p, Coord q) { return Parts{{(p.row + q.row + (asked++ < 6 ? 0 : 1)) % 3, 1}}; };
  EXPECT_EQ(fault(3, parts), "senders and receivers disagree");
}

// The checker is given the volumes of another axis than the one that sends_of walks.
TEST(Checker, FindsMessagesOfAnotherTraffic) {
  const Traffic other{testing::line(2, 4, 3, 2, 20), point};
  const Schedule schedule{3, [](Coord p, Coord q) { return Parts{{(p.row + q.row) % 3, 1}}; }};
  EXPECT_NE(testing::fault_in(traffic, testing::Truth(other), schedule), "");
}

// Two senders with blocks of 4, three receivers with blocks of 2, 24 elements: all messages have 4 rows and 7 columns.
// A quarter of a message is one row.
TEST(Checker, FindsTheLongestOfSteps) {
  const Traffic grid{testing::line(2, 4, 3, 2, 24), testing::line(1, 1, 1, 1, 7)};
  const Schedule schedule{5, [](Coord p, Coord q) { return Parts{{p.row + q.row, 1}, {4 - p.row, 3}}; }};
  EXPECT_EQ(testing::longest_of_steps(grid, schedule), (std::vector<Index>{4, 4, 4, 24, 24}));
}

}  // namespace
}  // namespace xredist::core
