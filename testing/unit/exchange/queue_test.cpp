// SPDX-License-Identifier: BSD-3-Clause
// The order of exchanges, their buffers, and the messages that take the place of flags.
#include <gtest/gtest.h>

#include <deque>
#include <mutex>
#include <new>
#include <numeric>
#include <thread>

#include "allocations.hpp"
#include "exchange/errors.hpp"
#include "work.hpp"
#include "world.hpp"

namespace xredist::testing {
namespace {

// Exchanges between two processes, forth and back.
std::deque<Moves> forth_and_back(const Communicator& communicator, int count, Index n, const Options& options = {}) {
  std::deque<Moves> moves;
  for (int k = 0; k < count; ++k) {
    const int from = k % 2;
    moves.emplace_back(communicator, std::vector<Placed>{whole_matrix(n, n, from, 1 - from, options)});
  }
  return moves;
}

std::vector<std::shared_ptr<Exchange>> start_all(Process& process, std::deque<Moves>& moves) {
  std::vector<std::shared_ptr<Exchange>> exchanges;
  for (const Moves& each : moves) exchanges.push_back(start(process, each, *process.channels.front()));
  return exchanges;
}

TEST(Queue, BeginsOneExchangeOfALaneAfterTheOther) {
  const Communicator communicator = one_node(2);
  std::deque<Moves> moves = forth_and_back(communicator, 3, 10);
  World world(communicator, 2, {}, 1);
  world.run([&](Process& process) {
    const auto first = start(process, moves[0], *process.channels[0]);
    const auto second = start(process, moves[1], *process.channels[0]);
    const auto same_lane = start(process, moves[2], *process.channels[1]);
    EXPECT_TRUE(first->under_way() && second->prepared() && same_lane->prepared());
    Turns turns;
    for (const auto& exchange : {same_lane, first, second}) wait(process, exchange, turns);
    for (Moves& each : moves) each.expect_complete();
  });
}

TEST(Queue, BeginsExchangesOfOtherLanesAndChannelsAtOnce) {
  const Communicator communicator = one_node(2);
  std::deque<Moves> moves = forth_and_back(communicator, 2, 10);
  World world(communicator, 2, {}, 1);
  world.run([&](Process& process) {
    const auto first = start(process, moves[0], *process.channels[0]);
    const auto second = start(process, moves[1], *process.channels[1], std::this_thread::get_id());
    EXPECT_TRUE(first->under_way() && second->under_way());
    Turns turns(true);
    for (const auto& exchange : {second, first}) wait(process, exchange, turns);
    for (Moves& each : moves) each.expect_complete();
  });
}

// Returns the identifiers of different threads.
std::vector<std::thread::id> lanes_of(std::size_t count) {
  std::mutex mutex;
  std::vector<std::thread> threads;
  std::vector<std::thread::id> lanes;
  {
    const std::scoped_lock lock(mutex);  // all threads live until the last one has been made
    while (threads.size() < count) threads.emplace_back([&] { const std::scoped_lock wait(mutex); });
  }
  for (std::thread& thread : threads) {
    lanes.push_back(thread.get_id());
    thread.join();
  }
  return lanes;
}

// The program may use ever new threads. The queue keeps the lines of 65 lanes; the next lane has it forget idle ones.
TEST(Queue, ForgetsIdleLanes) {
  const std::vector<std::thread::id> lanes = lanes_of(66);
  const Communicator communicator = one_node(1);
  const Moves moves(communicator, {whole_matrix(4, 4, 0, 0)});
  World world(communicator, 1, {}, 1);
  world.run([&](Process& process) {
    Turns turns;
    const auto allocations_in = [&](std::span<const std::thread::id> in) {
      const long before = allocations();
      for (const std::thread::id lane : in)
        wait(process, start(process, moves, *process.channels.front(), lane), turns);
      return allocations() - before;
    };
    allocations_in(std::span(lanes).first(65));
    EXPECT_EQ(allocations_in(std::span(lanes).first(65)), 0);
    EXPECT_EQ(allocations_in(std::span(lanes).last(1)), 1);
    EXPECT_EQ(allocations_in(std::span(lanes).first(65)), 65);
  });
}

// The lane of the exchange that has ended last is forgotten, too.
TEST(Queue, BeginsInOrderAfterAllocationsFailed) {
  const std::vector<std::thread::id> lanes = lanes_of(66);
  const Communicator communicator = one_node(2);
  std::deque<Moves> moves = forth_and_back(communicator, 2, 10);
  World world(communicator, 2, {}, 1);
  world.run([&](Process& process) {
    Turns turns(true);
    Channel& channel = *process.channels[0];
    for (std::size_t k = 0; k < 65; ++k) wait(process, start(process, moves[0], channel, lanes[k]), turns);
    fail_allocation(1);
    EXPECT_THROW(start(process, moves[0], channel, lanes[65]), std::bad_alloc);
    EXPECT_TRUE(stop_failing());
    const auto first = start(process, moves[0], *process.channels[0], lanes[64]);
    const auto second = start(process, moves[1], *process.channels[1], lanes[64]);
    EXPECT_TRUE(second->prepared());
    for (const auto& exchange : {first, second}) wait(process, exchange, turns);
  });
}

// An exchange may be held up by a process that waits for a later one.
TEST(Queue, WaitsInAnyOrder) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    const Communicator communicator = one_node(2, seed % 2 == 0 ? shared_memory : 0);
    std::deque<Moves> moves = forth_and_back(communicator, 20, 60);
    World world(communicator, 1, {}, seed, {.eager = 0});
    world.run([&](Process& process) {
      const auto exchanges = start_all(process, moves);
      std::vector<std::size_t> order(moves.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      if (own_rank() == 1) std::ranges::reverse(order);
      Turns turns;
      for (const std::size_t k : order) {
        wait(process, exchanges[k], turns);
        moves[k].expect_complete();
      }
    });
    if (::testing::Test::HasFailure()) return;
  }
}

// The program waits for one of two members and computes. The other process needs all packets, of which there are more
// than slots.
TEST(Queue, HandsPacketsOverBeforeTheProgramComputes) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    Options options;
    options.buffer = 1 << 16;
    options.shared = seed % 2;
    const Communicator communicator = one_node(2, shared_memory);
    Moves moves(communicator, {whole_matrix(4, 4, 1, 0, options), whole_matrix(84, 84, 0, 1, options)});
    World world(communicator, 1, options, seed, {.eager = 0.5});
    bool received = false;
    world.run([&](Process& process) {
      Turns turns;
      const auto exchange = start(process, moves, *process.channels.front());
      if (own_rank() == 0) {
        wait(process, exchange, turns, 0);
        while (!received) yield();
      }
      wait(process, exchange, turns);
      received = true;
      moves.expect_complete();
    });
    if (::testing::Test::HasFailure()) return;
  }
}

// Waits for the last of many exchanges with buffers of 1 MB: only as many begin early as fit into the option buffer.
TEST(Queue, BeginsEarlyAsTheBufferAllows) {
  constexpr int count = 40;
  Options options;
  options.buffer = Index{1} << 20;
  const Communicator communicator = one_node(2);
  std::deque<Moves> moves = forth_and_back(communicator, count, 100, options);
  World world(communicator, 1, options, 1);
  std::ptrdiff_t most_at_once = 0;
  world.run([&](Process& process) {
    const auto exchanges = start_all(process, moves);
    while (!process.queue.test(*exchanges.back())) {
      EXPECT_LE(process.queue.early_bytes(), options.buffer);
      const auto under_way = [](const auto& exchange) { return exchange->under_way(); };
      most_at_once = std::max(most_at_once, std::ranges::count_if(exchanges, under_way));
      yield();
    }
    Turns turns;
    for (int k = 0; k < count; ++k) {
      wait(process, at(exchanges, k), turns);
      at(moves, k).expect_complete();
    }
  });
  EXPECT_GT(most_at_once, 3);
  EXPECT_LT(most_at_once, count - 1);
}

// Process 2 computes until process 0 has the matrix of process 1, so the exchange of another channel begins although an
// earlier one of the lane is under way and the buffer has no room.
TEST(Queue, BeginsTheFirstExchangeOfEachChannelWithoutRoom) {
  const Communicator communicator = one_node(3);
  Moves blocked(communicator, {whole_matrix(10, 10, 2, 0)}), awaited(communicator, {whole_matrix(10, 10, 1, 0)});
  Options options;
  options.buffer = 1;
  World world(communicator, 2, options, 1, {.eager = 0});
  bool received = false;
  world.run([&](Process& process) {
    const auto first = start(process, blocked, *process.channels[0]);
    const auto second = start(process, awaited, *process.channels[1]);
    Turns turns;
    while (own_rank() == 2 && !received) yield();
    wait(process, second, turns);
    received = received || own_rank() == 0;
    wait(process, first, turns);
    awaited.expect_complete();
    blocked.expect_complete();
  });
}

// One process only sends, and ends its exchanges while the other one is busy. MPI stores small messages, but the
// receiver's memory does not fill.
TEST(Queue, StoresFewMessagesAtALateReceiver) {
  constexpr int count = 500;
  const Communicator communicator = one_node(2);
  Moves moves(communicator, {whole_matrix(4, 4, 0, 1)});
  World world(communicator, 1, {}, 1, {.eager = 1});
  world.run([&](Process& process) {
    if (own_rank() == 1)
      for (int turn = 0; turn < 2000; ++turn) yield();
    Turns turns;
    for (int k = 0; k < count; ++k) wait(process, start(process, moves, *process.channels.front()), turns);
    moves.expect_complete();
  });
  EXPECT_GE(world.simulation().max_stored(), 60);
  EXPECT_LE(world.simulation().max_stored(), 64);
}

// Returns the work of the queue with `count` exchanges that are started first and then waited for in this order.
long work_of_pending(int count) {
  const Communicator communicator = one_node(2);
  const Moves moves(communicator, {whole_matrix(4, 4, 0, 1)});
  World world(communicator, 1, {}, 1, {.delivered = 0.9});
  return work_of([&] {
    world.run([&](Process& process) {
      std::vector<std::shared_ptr<Exchange>> exchanges;
      for (int k = 0; k < count; ++k) exchanges.push_back(start(process, moves, *process.channels.front()));
      Turns turns;
      for (const auto& exchange : exchanges) wait(process, exchange, turns);
    });
  });
}

// The work of 16 times as many exchanges would be 256 times as much if each wait looked at all of them.
TEST(Queue, LooksAtFewOfManyExchanges) {
  const long few = work_of_pending(500);
  EXPECT_GT(few, 500);
  EXPECT_LT(work_of_pending(8000), 20 * few);
}

TEST(Queue, AllocatesNothingForTheSecondExchange) {
  const Communicator communicator = one_node(2, shared_memory);
  Moves moves(communicator, {whole_matrix(100, 100, 0, 1)});
  World world(communicator, 1, {}, 1);
  world.run([&](Process& process) {
    Turns turns;
    long before = 0;
    for (int k = 0; k < 5; ++k) {
      wait(process, start(process, moves, *process.channels.front()), turns);
      if (k == 2) before = allocations();
    }
    if (own_rank() == 1) {
      EXPECT_EQ(allocations(), before);
    }
  });
}

// Another exchange has the shared memory, so a triangle is sent in a message that takes the place of a flag. Process 0
// sends `bytes` of the 24,400 in its rectangle.
TEST(Queue, SendsShortPacketsWithoutSharedMemory) {
  const std::vector<int> owners{1, 0, 1, 0};
  for (const Index bytes : {4, 8, 12}) {
    const std::vector<Index> cuts{0, 60, 99 + bytes / 4, 100 + bytes / 4, 200};
    const Communicator communicator = one_node(2, shared_memory);
    const Axis all{200, 1, 0, 0};
    const Axis rows{std::make_shared<const Partition>(std::vector<Index>{0, 100, 200}, std::vector<int>{1, 0}, 2), 0};
    const Axis cols{std::make_shared<const Partition>(cuts, owners, 2), 0};
    const Region upper{Region::Kind::upper, 0};
    const Placed triangle{{{rows, all}, {all, cols}, 200, 200, upper, 4}, {0, 1}, {0, 1}, {}};
    Moves moves(communicator, {triangle});
    World world(communicator, 1, {}, 1);
    world.run([&](Process& process) {
      const SharedMemory::Loan taken = process.host.shared_memory.lend();
      EXPECT_NE(taken.memory(), nullptr);
      Turns turns;
      EXPECT_NO_THROW(wait(process, start(process, moves, *process.channels.front()), turns)) << bytes;
      moves.expect_complete();
    });
  }
}

}  // namespace
}  // namespace xredist::testing
