// SPDX-License-Identifier: BSD-3-Clause
// The checker finds everything that can be wrong with a schedule.
#include "schedule/checker.hpp"

#include <gtest/gtest.h>

#include "random/random_traffic.hpp"

namespace xredist::core {
namespace {

using testing::Ports;

const Traffic checked{testing::line(2, 4, 3, 2, 24), point};

std::string fault(Index count, std::function<Parts(Coord, Coord)> parts, Ports ports = Ports::one) {
  return testing::fault_in(checked, testing::Truth(checked), {count, std::move(parts)}, ports);
}

Parts in_turn(Coord p, Coord q) { return {{(p.row + q.row) % 3, 1}}; }
Parts at_once(Coord, Coord) { return {{0, 1}}; }
Parts by_sender(Coord p, Coord) { return {{p.row, 1}}; }
Parts by_receiver(Coord, Coord q) { return {{q.row, 1}}; }
Parts without_last(Coord p, Coord q) { return p.row == 1 && q.row == 2 ? Parts{} : in_turn(p, q); }

TEST(Checker, FindsTheFirstFault) {
  EXPECT_EQ(fault(3, in_turn), "");
  EXPECT_EQ(fault(4, at_once, Ports::unlimited), "");
  EXPECT_EQ(fault(2, by_sender), "sender (0,0): twice in step 0");
  EXPECT_EQ(fault(3, by_receiver), "receiver (0,0): twice in step 0");
  EXPECT_EQ(fault(2, in_turn), "sender (0,0): step 2 is not in the count");
  EXPECT_EQ(fault(3, without_last), "sender (1,0): 0 elements with (2,0), should be 4");
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
  EXPECT_NE(testing::fault_in(checked, testing::Truth(other), {3, in_turn}), "");
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
