// SPDX-License-Identifier: BSD-3-Clause
// Processes that cannot carry out an exchange: the others are told, nobody waits for ever, and later exchanges and the
// shared memory are as before.
#include <gtest/gtest.h>

#include <deque>
#include <new>
#include <numeric>
#include <string_view>

#include "allocations.hpp"
#include "exchange/errors.hpp"
#include "world.hpp"

namespace xredist::testing {
namespace {

TEST(Withdrawal, EndsTheExchangeAtAllPeersAndNoOther) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Communicator communicator = one_node(4);
    std::deque<Moves> moves;
    const Layout rows{{5, 4, 0, 0}, {20, 1, 0, 0}}, cols{{20, 1, 0, 0}, {5, 4, 0, 0}};
    for (int k = 0; k < 5; ++k)
      moves.emplace_back(communicator,
                         std::vector<Placed>{{{rows, cols, 20, 20, {}, 8}, {0, 1, 2, 3}, {0, 1, 2, 3}, {}}});
    World world(communicator, 1, {}, seed);
    world.run([&](Process& process) {
      Channel& channel = *process.channels.front();
      Turns turns;
      std::vector<std::shared_ptr<Exchange>> exchanges;
      for (int k = 0; k < 5; ++k) {
        if (k == 2 && channel.rank() == 1) {
          withdraw(moves[2], channel);
          exchanges.push_back(nullptr);
        } else {
          exchanges.push_back(start(process, at(moves, k), channel));
        }
      }
      for (const int k : {2, 4, 0, 3, 1}) {
        if (k == 2 && channel.rank() != 1) {
          EXPECT_THROW(wait(process, at(exchanges, k), turns), PeerFailed);
        } else {
          EXPECT_NO_THROW(wait(process, at(exchanges, k), turns));
          if (k != 2) at(moves, k).expect_complete();
        }
      }
    });
    if (::testing::Test::HasFailure()) return;
  }
}

// Process 0 waits for an exchange alone when another one, which is complete, has received the withdrawal.
TEST(Withdrawal, IsHeardByAnotherExchange) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Communicator communicator = one_node(3);
    Moves first(communicator, {whole_matrix(10, 10, 1, 0)}), second(communicator, {whole_matrix(10, 10, 2, 0)});
    World world(communicator, 2, {}, seed);
    world.run([&](Process& process) {
      Channel& channel = *process.channels.front();
      Turns turns;
      if (channel.rank() == 0) {
        const auto refused = start(process, first, channel), other = start(process, second, channel);
        wait(process, other, turns);
        second.expect_complete();
        EXPECT_THROW(wait(process, refused, turns), PeerFailed);
      } else if (channel.rank() == 1) {
        withdraw(first, channel);
      } else {
        wait(process, start(process, second, channel), turns);
      }
    });
    if (::testing::Test::HasFailure()) return;
  }
}

// The processes take different plans for equal ones. The one that receives finds out, and the other one is told that
// their numbers may differ from now on.
TEST(Withdrawal, HoldsForEverAfterADisagreement) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const Communicator communicator = one_node(2);
    Moves moves(communicator, {whole_matrix(10, 10, 0, 1)}, {whole_matrix(10, 9, 0, 1)}),
        later(communicator, {whole_matrix(4, 4, 0, 1)}), back(communicator, {whole_matrix(4, 4, 1, 0)});
    World world(communicator, 1, {}, seed, {.eager = 0});
    world.run([&](Process& process) {
      Channel& channel = *process.channels.front();
      Turns turns;
      const auto exchange = start(process, moves, channel);
      if (channel.rank() == 1) {
        EXPECT_THROW(wait(process, exchange, turns), Disagreement);
      } else {
        wait_or_be_told_for_ever(process, exchange, turns);
      }
      EXPECT_THROW(wait(process, start(process, back, channel), turns), PeerFailed);
      EXPECT_THROW(wait(process, start(process, later, channel), turns), PeerFailed);
    });
    if (::testing::Test::HasFailure()) return;
  }
}

// Process 0 expects a short message of each of 40 others, and has 40 small slots (Placement). The last process sends
// more than fits into a slot.
TEST(Withdrawal, FollowsAMessageThatIsLongerThanItsSlot) {
  constexpr int senders = 40;
  Options options;
  options.buffer = Index{1} << 20;
  options.route = {RouteOption::Kind::direct};
  const auto row_of_each = [&](Index n) {
    const Layout rows{{1, senders, 0, 0}, {n, 1, 0, 0}}, whole{{senders, 1, 0, 0}, {n, 1, 0, 0}};
    std::vector<int> others(senders);
    std::iota(others.begin(), others.end(), 1);
    return Placed{{rows, whole, senders, n, {}, 8}, others, {0}, options};
  };
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Communicator communicator{one_node(senders + 1)};
    Moves moves(communicator, {row_of_each(10)}, {row_of_each(10'000)});
    World world(communicator, 1, options, seed);
    world.run([&](Process& process) {
      Channel& channel = *process.channels.front();
      Turns turns;
      try {
        wait(process, start(process, moves, channel), turns);
        EXPECT_NE(channel.rank(), 0);
      } catch (const Disagreement& disagreement) {
        EXPECT_EQ(channel.rank(), 0);
        EXPECT_TRUE(std::string_view(disagreement.what())
                        .starts_with("process 40 of the context sends at least 13108 bytes, but 80 were expected: do"))
            << disagreement.what();
      } catch (const PeerFailed& withdrawn) {
        EXPECT_TRUE(channel.rank() != 0 && withdrawn.permanent);
      }
    });
    if (::testing::Test::HasFailure()) return;
  }
}

// A receiver that has withdrawn reads no packets; the sender takes its shared memory back nevertheless.
TEST(Withdrawal, GivesTheSharedMemoryBack) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const Communicator communicator = one_node(2, shared_memory);
    Moves moves(communicator, {whole_matrix(200, 200, 0, 1)}), later(communicator, {whole_matrix(100, 100, 0, 1)});
    World world(communicator, 1, {}, seed, {.eager = 1});
    world.run([&](Process& process) {
      Channel& channel = *process.channels.front();
      Turns turns;
      if (channel.rank() == 1) {
        withdraw(moves, channel);
      } else {
        EXPECT_THROW(wait(process, start(process, moves, channel), turns), PeerFailed);
        for (int k = 0; k < 100; ++k) {
          process.queue.advance();
          yield();
        }
        EXPECT_NE(process.host.shared_memory.lend().memory(), nullptr);
      }
      wait(process, start(process, later, channel), turns);
      later.expect_complete();
    });
    if (::testing::Test::HasFailure()) return;
  }
}

// The channel is freed at once: later, nobody could hear of the withdrawal.
TEST(Withdrawal, GivesTheSharedMemoryBackAsTheChannelIsFreed) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const Communicator communicator = one_node(2, shared_memory);
    Moves moves(communicator, {whole_matrix(200, 200, 0, 1)});
    World world(communicator, 1, {}, seed, {.eager = 1});
    world.run([&](Process& process) {
      auto channel = std::move(process.channels.front());
      process.channels.clear();
      Turns turns;
      if (channel->rank() == 1)
        withdraw(moves, *channel);
      else
        EXPECT_THROW(wait(process, start(process, moves, *channel), turns), PeerFailed);
      process.queue.leave(*channel, turns);
      channel.reset();
      for (int k = 0; k < 100; ++k) {
        process.queue.advance();
        yield();
      }
      EXPECT_NE(process.host.shared_memory.lend().memory(), nullptr);
    });
    if (::testing::Test::HasFailure()) return;
  }
}

// A message that nobody receives could otherwise meet a communicator of the same number.
TEST(Withdrawal, KeepsTheCommunicator) {
  for (const bool withdraws : {false, true}) {
    const Communicator communicator = one_node(2);
    Moves moves(communicator, {whole_matrix(10, 10, 0, 1)});
    World world(communicator, 1, {}, 1);
    world.run([&](Process& process) {
      auto channel = std::move(process.channels.front());
      process.channels.clear();
      Turns turns;
      const MPI_Comm comm = channel->comm();
      if (withdraws && channel->rank() == 1)
        withdraw(moves, *channel);
      else if (withdraws)
        EXPECT_THROW(wait(process, start(process, moves, *channel), turns), PeerFailed);
      else
        wait(process, start(process, moves, *channel), turns);
      process.queue.leave(*channel, turns);
      channel.reset();
      EXPECT_EQ(is_freed(comm), !withdraws);
    });
  }
}

// Both processes refuse many exchanges, and process 0 hears of it in the course of the next one. If memory for the
// records is missing there, that exchange fails. The one after it is carried out.
TEST(Withdrawal, ThatCannotBeRecordedEndsTheExchangeUnderWay) {
  const Communicator communicator = one_node(2);
  Moves moves(communicator, {whole_matrix(10, 10, 1, 0)}), last(communicator, {whole_matrix(10, 10, 1, 0)});
  World world(communicator, 1, {}, 1, {.eager = 0});
  bool started = false, ended = false;
  const auto refuse_many = [&](Channel& channel) {
    for (int k = 0; k < 200; ++k) withdraw(moves, channel);
  };
  world.run([&](Process& process) {
    Channel& channel = *process.channels.front();
    Turns turns;
    const auto yield_until = [&](const bool& is) {
      while (!is) turns.pause();
    };
    if (channel.rank() == 0) {
      refuse_many(channel);
      const auto exchange = start(process, moves, channel);
      started = true;
      const Counted counted;
      fail_allocation(1);
      EXPECT_THROW(wait(process, exchange, turns), WithdrawalNotRecorded);
      EXPECT_TRUE(stop_failing());
      ended = true;
    } else {
      yield_until(started);
      refuse_many(channel);
      yield_until(ended);
      EXPECT_THROW(wait(process, start(process, moves, channel), turns), PeerFailed);
    }
    wait(process, start(process, last, channel), turns);
    last.expect_complete();
  });
}

}  // namespace
}  // namespace xredist::testing
