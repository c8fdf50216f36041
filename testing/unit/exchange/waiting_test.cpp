// SPDX-License-Identifier: BSD-3-Clause
// For whom an exchange waits.
#include "exchange/waiting.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

#include "watch/watched.hpp"
#include "world.hpp"

namespace xredist::testing {
namespace {

// Turns the watch on until the end of its life.
struct Watching {
  Watching() { watched = true; }
  ~Watching() { watched = false; }
};

// Process 1 sends to process 0, and comes late.
TEST(Waiting, NamesThePacketsAndTheProcess) {
  const Watching watching;
  const Communicator communicator = one_node(2);
  std::deque<Moves> moves;
  for (int k = 0; k < 2; ++k) moves.emplace_back(communicator, std::vector<Placed>{whole_matrix(10, 10, 1, 0)});
  World world(communicator, 1, {}, 1);
  world.run([&](Process& process) {
    Turns turns;
    for (Index k = 0; k < 2; ++k) {
      if (own_rank() == 1)
        for (int turn = 0; turn < 50; ++turn) yield();
      const auto exchange = start(process, at(moves, k), *process.channels.front());
      if (own_rank() == 0) {
        const Waiting waiting = exchange->waiting();
        EXPECT_EQ(waiting.to_receive, 1);
        EXPECT_EQ(waiting.received, 0);
        EXPECT_EQ(waiting.to_send, 0);
        ASSERT_EQ(waiting.missing.size(), 1U);
        EXPECT_EQ(waiting.missing[0].rank, 1);
        EXPECT_EQ(waiting.missing[0].packets, 1);
        EXPECT_EQ(waiting.missing[0].heard, Heard::no);
        EXPECT_EQ(text_of(waiting),
                  std::string("exchange, round 1 of 1: 0 of 0 packets sent, 0 of 1 received; waits for process 1 of "
                              "the communicator (1 packet; ") +
                      (k == 0 ? "not heard of yet)" : "not heard of in their exchange 2)"));
      }
      wait(process, exchange, turns);
    }
    for (Moves& each : moves) each.expect_complete();
  });
}

TEST(WaitingText, NamesEightProcesses) {
  Waiting waiting{.round = 1, .rounds = 2, .sent = 3, .to_send = 14, .received = 5, .to_receive = 12};
  for (int rank = 0; rank < 10; ++rank)
    waiting.missing.push_back(
        {rank, rank + 100, 5, rank == 0 ? 2 : 1, rank == 1, rank == 2, rank == 3, rank == 4 ? Heard::yes : Heard::no});
  const std::string text = text_of(waiting);
  EXPECT_EQ(text.find("exchange, round 1 of 2: 3 of 14 packets sent, 5 of 12 received; waits for rank 100 (2 packets; "
                      "not heard of in their exchange 5), rank 101 (1 packet, permit; "),
            0U)
      << text;
  EXPECT_NE(text.find("rank 102 (1 packet, answer; "), text.npos);
  EXPECT_NE(text.find("rank 103 (1 packet, acceptance; "), text.npos);
  EXPECT_NE(text.find("rank 104 (1 packet; in this exchange)"), text.npos);
  EXPECT_TRUE(text.ends_with("rank 107 (1 packet; not heard of in their exchange 5) and 2 more")) << text;
}

TEST(WaitingText, SaysThatThisProcessCopies) {
  const Waiting waiting{.round = 1, .rounds = 1, .copies = 2};
  EXPECT_EQ(text_of(waiting), "exchange, round 1 of 1: 0 of 0 packets sent, 0 of 0 received; copies on this process");
}

}  // namespace
}  // namespace xredist::testing
