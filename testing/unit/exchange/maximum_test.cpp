// SPDX-License-Identifier: BSD-3-Clause
// Reductions that make progress with exchanges, and wait for no process that has not started them.
#include "exchange/maximum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <vector>

#include "world.hpp"

namespace xredist::testing {
namespace {

Placed rows_to_columns(int processes) {
  const Layout rows{{3, processes, 0, 0}, {17, 1, 0, 0}}, columns{{17, 1, 0, 0}, {2, processes, 0, 0}};
  const std::vector<int> ranks = ranks_from(0, processes);
  return {{rows, columns, 17, 17, {}, 8}, ranks, ranks, {}};
}

std::shared_ptr<Maximum> reduction_of(Process& process, const std::vector<int>& ranks) {
  auto made = std::make_shared<Maximum>(ranks, *process.channels.front());
  process.queue.add(made);
  return made;
}

// Each process has the largest of the second value.
void expect_maxima(const Maximum& reduction, std::vector<double> expected) {
  ASSERT_FALSE(reduction.under_way());
  const auto maxima = reduction.result();
  ASSERT_TRUE(maxima.has_value());
  EXPECT_EQ(std::vector<double>(maxima->begin(), maxima->end()), expected);
}

// Several times with one object, between exchanges, over some of the processes in any order of ranks.
TEST(Maximum, IsTheSameOnAllProcesses) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const int size = 1 + static_cast<int>(seed % 9);
    const Communicator communicator = one_node(size);
    std::vector<int> ranks;
    for (int rank = size - 1; rank >= 0; --rank)
      if (size < 4 || rank != 1) ranks.push_back(rank);
    std::deque<Moves> moves;
    for (int k = 0; k < 3; ++k) moves.emplace_back(communicator, std::vector{rows_to_columns(size)});
    World world(communicator, 1, {}, seed);
    world.run([&](Process& process) {
      Channel& channel = *process.channels.front();
      const bool takes_part = std::ranges::find(ranks, channel.rank()) != ranks.end();
      Turns turns(seed % 2 == 0);
      const auto reduction = takes_part ? reduction_of(process, ranks) : nullptr;
      for (int k = 0; k < 3; ++k) {
        const double values[] = {static_cast<double>(k), static_cast<double>(channel.rank() == k ? 100 : k)};
        if (takes_part) reduction->start(values);
        const auto exchange = start(process, at(moves, k), channel);
        wait(process, exchange, turns);
        at(moves, k).expect_complete();
        if (!takes_part) continue;
        process.queue.wait(*reduction, turns);
        const bool has_k = std::ranges::find(ranks, k) != ranks.end();
        expect_maxima(*reduction, {static_cast<double>(k), has_k ? 100.0 : k});
      }
    });
    EXPECT_EQ(world.simulation().unreceived(), 0);
    if (::testing::Test::HasFailure()) return;
  }
}

// Processes that wait for an exchange, for another reduction or for nothing pass the messages of this one on. The ends
// of the channels complete what nobody has waited for.
TEST(Maximum, MakesProgressInAllCalls) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const Communicator communicator = one_node(7);
    const std::vector<int> ranks = ranks_from(0, 7);
    Moves moves(communicator, {rows_to_columns(7)});
    std::vector<std::shared_ptr<Maximum>> of(7);
    World world(communicator, 1, {}, seed);
    world.run([&](Process& process) {
      Channel& channel = *process.channels.front();
      Turns turns;
      const auto first = reduction_of(process, ranks), second = reduction_of(process, ranks);
      at(of, channel.rank()) = second;
      const double values[] = {static_cast<double>(channel.rank())};
      first->start(values);
      second->start(values);
      const auto exchange = start(process, moves, channel);
      if (channel.rank() % 3 == 0) process.queue.wait(*second, turns);
      if (channel.rank() % 3 == 1) process.queue.wait(*first, turns);
      wait(process, exchange, turns);
      moves.expect_complete();
      process.queue.leave(channel, turns);
    });
    for (const auto& reduction : of) expect_maxima(*reduction, {6});
    of.clear();
    if (::testing::Test::HasFailure()) return;
  }
}

// A start does not wait for a process that has not started.
TEST(Maximum, StartsWithoutTheOthers) {
  const Communicator communicator = one_node(3);
  World world(communicator, 1, {}, 1);
  std::vector<std::shared_ptr<Maximum>> of(3);
  const double values[] = {1};
  world.run([&](Process& process) {
    const int rank = process.channels.front()->rank();
    at(of, rank) = reduction_of(process, {0, 1, 2});
    if (rank == 1) return;
    at(of, rank)->start(values);
    process.queue.advance();
    EXPECT_TRUE(at(of, rank)->under_way());
    EXPECT_FALSE(process.queue.empty());
  });
  world.run([&](Process& process) {
    const int rank = process.channels.front()->rank();
    Turns turns;
    if (rank == 1) at(of, rank)->start(values);
    process.queue.wait(*at(of, rank), turns);
    expect_maxima(*at(of, rank), {1});
    EXPECT_TRUE(process.queue.empty());
  });
  of.clear();
}

// After a withdrawal for ever, no process has a result, and none waits for one.
TEST(Maximum, EndsIfAProcessGivesUp) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const int size = 2 + static_cast<int>(seed % 6), gone = static_cast<int>(seed / 6) % size;
    const Communicator communicator = one_node(size);
    const std::vector<int> ranks = ranks_from(0, size);
    World world(communicator, 1, {}, seed);
    world.run([&](Process& process) {
      Channel& channel = *process.channels.front();
      Turns turns;
      if (channel.rank() == gone)
        for (const int rank : ranks)
          if (rank != gone) channel.withdraw(rank, 1, true);
      const auto reduction = reduction_of(process, ranks);
      reduction->start(std::vector<double>{1, 2, 3});
      process.queue.wait(*reduction, turns);
      EXPECT_FALSE(reduction->result().has_value());
    });
    if (::testing::Test::HasFailure()) return;
  }
}

// A process that cannot start refuses. The reduction ends on all processes, and the next one has a result.
TEST(Maximum, IsStartedAgainAfterARefusal) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    const int size = 2 + static_cast<int>(seed % 7), gone = static_cast<int>(seed / 7) % size;
    const Communicator communicator = one_node(size);
    const std::vector<int> ranks = ranks_from(0, size);
    World world(communicator, 1, {}, seed);
    world.run([&](Process& process) {
      Turns turns;
      const auto reduction = reduction_of(process, ranks);
      for (int round = 0; round < 4; ++round) {
        const double values[] = {static_cast<double>(process.channels.front()->rank() + round)};
        const bool refuses = round % 2 == 0 && process.channels.front()->rank() == (gone + round) % size;
        if (refuses)
          reduction->refuse();
        else
          reduction->start(values);
        process.queue.wait(*reduction, turns);
        EXPECT_EQ(reduction->number(), round + 1);
        if (round % 2 == 0)
          EXPECT_FALSE(reduction->result().has_value());
        else
          expect_maxima(*reduction, {static_cast<double>(size - 1 + round)});
      }
    });
    if (::testing::Test::HasFailure()) return;
  }
}

// The program may destroy the plan of a reduction that is under way.
TEST(Maximum, OutlivesItsOwner) {
  const Communicator communicator = one_node(5);
  World world(communicator, 1, {}, 3);
  world.run([&](Process& process) {
    Turns turns;
    auto reduction = reduction_of(process, {0, 1, 2, 3, 4});
    reduction->start(std::vector<double>{1});
    reduction.reset();
    while (!process.queue.empty()) {
      process.queue.advance();
      turns.pause();
    }
  });
  EXPECT_EQ(world.simulation().unreceived(), 0);
}

}  // namespace
}  // namespace xredist::testing
