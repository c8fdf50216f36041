// SPDX-License-Identifier: BSD-3-Clause
// Packets in shared memory: flags take the place of messages, and messages take the place of flags where no shared
// memory is left.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>

#include <deque>
#include <functional>
#include <set>
#include <utility>

#include "exchange/errors.hpp"
#include "exchange/wire.hpp"
#include "world.hpp"

namespace xredist::testing {
namespace {

// From rows to columns on all processes of a communicator.
Placed rows_to_columns(Index n, int size, const Options& options = {}) {
  std::vector<int> all;
  for (int rank = 0; rank < size; ++rank) all.push_back(rank);
  const Axis whole{n, 1, 0, 0}, cut{n / size, size, 0, 0};
  return {{{cut, whole}, {whole, cut}, n, n, {}, 8}, all, all, options};
}

// Memory whose first access calls a function, once.
class Trap {
 public:
  Trap(std::size_t bytes, std::function<void()> sprung)
      : bytes_(bytes),
        sprung_(std::move(sprung)),
        memory_(mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    EXPECT_NE(memory_, MAP_FAILED);
    set = this;
    struct sigaction action {};
    action.sa_handler = [](int) { set->spring(); };
    sigaction(SIGSEGV, &action, &before_);
  }
  ~Trap() {
    restore();
    munmap(memory_, bytes_);
  }
  Trap(const Trap&) = delete;
  Trap& operator=(const Trap&) = delete;

  std::byte* memory() const { return static_cast<std::byte*>(memory_); }
  bool has_sprung() const { return has_sprung_; }

 private:
  // An access to other memory comes back, and ends the program.
  void spring() {
    restore();
    mprotect(memory_, bytes_, PROT_READ | PROT_WRITE);
    sprung_();
    has_sprung_ = true;
  }
  void restore() { sigaction(SIGSEGV, &before_, nullptr); }

  static inline Trap* set = nullptr;
  std::size_t bytes_;
  std::function<void()> sprung_;
  void* memory_;
  bool has_sprung_ = false;
  struct sigaction before_ {};
};

// Slots are used several times in each round.
TEST(Flags, ReplaceAllMessages) {
  for (const bool over_mesh : {false, true})
    for (unsigned seed = 0; seed < 20; ++seed) {
      constexpr int size = 4;
      Options options;
      options.buffer = 1 << 17;
      if (over_mesh) {
        EXPECT_EQ(set_option(options, "route", "two-hop"), "");
      }
      const Communicator communicator = one_node(size, shared_memory);
      std::deque<Moves> moves;
      for (int k = 0; k < 3; ++k)
        moves.emplace_back(communicator, std::vector<Placed>{rows_to_columns(240, size, options)});
      World world(communicator, 1, options, seed);
      const int before = world.simulation().sent();
      world.run([&](Process& process) {
        Turns turns(seed % 2 == 1);
        for (Moves& each : moves) {
          wait(process, start(process, each, *process.channels.front()), turns);
          each.expect_complete();
        }
      });
      EXPECT_EQ(world.simulation().sent(), before);
      if (::testing::Test::HasFailure()) return;
    }
}

// Each process waits for the exchange of the second channel first, for which no process has shared memory left.
TEST(Flags, AreNotMistakenForThoseOfAnotherChannel) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    constexpr int size = 3;
    const Communicator communicator = one_node(size, shared_memory);
    std::deque<Moves> moves;
    for (int k = 0; k < 4; ++k) moves.emplace_back(communicator, std::vector<Placed>{rows_to_columns(150, size)});
    World world(communicator, 2, {}, seed);
    world.run([&](Process& process) {
      Turns turns;
      std::vector<std::shared_ptr<Exchange>> exchanges;
      for (int k = 0; k < 4; ++k)  // lanes: the exchanges of both channels are under way at once
        exchanges.push_back(start(process, at(moves, k), *at(process.channels, k % 2),
                                  k % 2 == 0 ? std::thread::id{} : std::this_thread::get_id()));
      for (const int k : {1, 0, 3, 2}) {
        wait(process, at(exchanges, k), turns);
        at(moves, k).expect_complete();
      }
    });
    EXPECT_GT(world.simulation().sent(), 0);
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(Flags, HaveIdentitiesOfTheirOwn) {
  std::set<std::uint64_t> identities;
  const Communicator communicator = one_node(2, shared_memory);
  World world(communicator, 2, {}, 1);
  world.run([&](Process& process) {
    if (own_rank() != 0) return;
    for (const auto& channel : process.channels) {
      const Wire wire{*channel, {}};
      for (int receiver = 0; receiver < 20; ++receiver)
        for (Index number = 1; number <= 20; ++number)
          for (Index packet = 0; packet < 20; ++packet) identities.insert(wire.identity(receiver, number, packet));
    }
  });
  EXPECT_EQ(identities.size(), 2U * 20 * 20 * 20);
  EXPECT_FALSE(identities.contains(0));
}

// By the arguments of the receiver the packet is longer, or shorter.
TEST(Flags, ShowADisagreementOnTheLength) {
  for (const bool many_threads : {false, true})
    for (const Index rows : {25, 27})
      for (unsigned seed = 0; seed < 20; ++seed) {
        const Communicator communicator = one_node(2, shared_memory);
        Moves moves(communicator, {whole_matrix(rows, 20, 0, 1)}, {whole_matrix(52 - rows, 20, 0, 1)});
        World world(communicator, 1, {}, seed);
        world.run([&](Process& process) {
          Channel& channel = *process.channels.front();
          Turns turns(many_threads);
          const auto exchange = start(process, moves, channel);
          if (channel.rank() == 1) {
            EXPECT_THROW(wait(process, exchange, turns), Disagreement);
          } else {
            wait_or_be_told_for_ever(process, exchange, turns);
          }
        });
        if (::testing::Test::HasFailure()) return;
      }
}

// Process 0 shows a packet to process 1, which refuses the exchange late. The next exchange is with process 2.
TEST(Flags, AreTakenBackFromAProcessThatRefuses) {
  const Communicator communicator = one_node(3, shared_memory);
  for (unsigned seed = 0; seed < 50; ++seed) {
    Moves refused(communicator, {whole_matrix(100, 100, 0, 1)}), next(communicator, {whole_matrix(90, 100, 0, 2)});
    World world(communicator, 1, {}, seed);
    world.run([&](Process& process) {
      Channel& channel = *process.channels.front();
      Turns turns;
      if (own_rank() == 0) {
        EXPECT_THROW(wait(process, start(process, refused, channel), turns), PeerFailed);
      } else if (own_rank() == 1) {
        for (int turn = 0; turn < 20; ++turn) yield();
        withdraw(refused, channel);
      }
      wait(process, start(process, next, channel), turns);
      next.expect_complete();
    });
    if (::testing::Test::HasFailure()) return;
  }
}

// Process 0 takes its packet back, as a process does that has withdrawn for ever, while process 1 unpacks it.
TEST(Flags, ThatChangeWhileAPacketIsReadEndTheExchange) {
  const Communicator communicator = one_node(2, shared_memory);
  Moves moves(communicator, {whole_matrix(100, 100, 0, 1)});
  World world(communicator, 1, {}, 1);
  world.run([&](Process& process) {
    Channel& channel = *process.channels.front();
    Turns turns;
    if (own_rank() == 0) {
      try {
        wait(process, start(process, moves, channel), turns);
      } catch (const PeerFailed& withdrawn) {  // unless all packets have been read before
        EXPECT_TRUE(withdrawn.permanent);
      }
      return;
    }
    const Trap b(100 * 100 * 8, [&] {
      for (auto& flag : channel.memory_of(0)->flags->shown) flag = 0;
    });
    std::vector<Job> jobs = moves.jobs();
    jobs.front().b.data = b.memory();
    const auto exchange = process.queue.start(jobs, channel, {});
    EXPECT_THROW(wait(process, exchange, turns), PeerFailed);
    EXPECT_TRUE(b.has_sprung());
  });
}

}  // namespace
}  // namespace xredist::testing
