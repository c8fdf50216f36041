// SPDX-License-Identifier: BSD-3-Clause
// Random batches on random communicators, with any order of calls, of turns and of messages: every element arrives, and
// nobody waits for ever; also if an allocation fails.
#include <gtest/gtest.h>

#include <deque>
#include <new>

#include "allocations.hpp"
#include "exchange/errors.hpp"
#include "world.hpp"

namespace xredist::testing {
namespace {

// Exchanges that all processes start in this order, each on some channel.
struct Program {
  std::deque<Moves> exchanges{};
  std::vector<int> channels{};  // of each exchange
  std::string trace{};
};

Options random_exchange_options(Random& random, bool over_meshes) {
  Options options = random_options(random, 1 << 15);
  if (random.below(2) == 0) options.buffer = 1 << 15;  // packets need several slots each
  const char* const routes[] = {"two-hop", "2", "3", "2x3x2"};
  if (over_meshes) {
    EXPECT_EQ(set_option(options, "route", routes[random.below(std::ssize(routes))]), "");
  }
  return options;
}

Communicator random_world(Random& random) {
  Communicator communicator = random_communicator(random, 4 + static_cast<int>(random.below(4)));
  if (random.below(3) == 0) communicator.shared_bytes = 64 << 10;
  return communicator;
}

Program random_program(Random& random, const Communicator& communicator, int channels, Index longest) {
  Program program;
  const bool over_meshes = random.below(4) == 0;
  for (Index e = 1 + random.below(6); e > 0; --e) {
    std::vector<Placed> members;
    const Options options = random_exchange_options(random, over_meshes);
    for (Index k = random.below(3); k >= 0; --k) {
      const Call call = random_call(random, 2, longest, longest);
      members.push_back(random_placed(random, call, communicator.size(), options));
      members.back().panels = random_panels(random);
      program.trace += described(members.back()) + "\n";
    }
    program.exchanges.emplace_back(communicator, members);
    program.channels.push_back(static_cast<int>(random.below(channels)));
    program.trace += "-- on channel " + std::to_string(program.channels.back()) + "\n";
  }
  return program;
}

// The calls of one process: starts the exchanges, and waits for them, for their members, or tests them, in any order.
// Notes the exchanges that fail.
class Caller {
 public:
  Caller(Process& process, Program& program, unsigned seed, std::vector<int>& failures)
      : process_(process), program_(program), random_(seed), turns_(random_.below(2) == 0), failures_(failures) {}

  void run() {
    while (next_ < program_.channels.size() || !pending_.empty()) {
      switch (random_.below(5)) {
        case 0:
        case 1: start_next(); break;
        case 2: finish(); break;
        case 3: ask(); break;
        case 4: yield(); break;
      }
    }
  }

 private:
  struct Pending {
    std::size_t number;
    std::shared_ptr<Exchange> exchange;
  };

  // Returns whether the call has not failed.
  template <class Call>
  bool succeeds(std::size_t number, Call call) try {
    call();
    return true;
  } catch (const Disagreement& error) {
    ADD_FAILURE() << error.what();
    return false;
  } catch (const std::exception&) {  // std::bad_alloc, PeerFailed
    ++failures_[number];
    return false;
  }

  void start_next() {
    if (next_ == program_.channels.size()) return;
    const std::size_t started = next_++;
    std::shared_ptr<Exchange> exchange;
    const bool begun = succeeds(started, [&] {
      Channel& channel = *at(process_.channels, program_.channels[started]);
      exchange = testing::start(process_, program_.exchanges[started], channel);
    });
    if (exchange) return pending_.push_back({started, std::move(exchange)});
    if (begun) program_.exchanges[started].expect_complete();
  }

  void finish() {
    if (pending_.empty()) return;
    const auto place = pending_.begin() + random_.below(std::ssize(pending_));
    const auto [number, exchange] = *place;
    const int members = program_.exchanges[number].members();
    const bool one = random_.below(2) == 0;
    const int member = one ? static_cast<int>(random_.below(members)) : Queue::all;
    const bool done = succeeds(number, [&, exchange = exchange] { wait(process_, exchange, turns_, member); });
    if (done && one) return program_.exchanges[number].expect_complete(member);
    if (done) program_.exchanges[number].expect_complete();
    pending_.erase(place);
  }

  void ask() {
    if (pending_.empty()) return;
    const auto place = pending_.begin() + random_.below(std::ssize(pending_));
    const auto [number, exchange] = *place;
    bool done = false;
    if (!succeeds(number, [&, exchange = exchange] { done = process_.queue.test(*exchange); }))
      pending_.erase(place);
    else if (done) {
      program_.exchanges[number].expect_complete();
      pending_.erase(place);
    }
  }

  Process& process_;
  Program& program_;
  Random random_;
  Turns turns_;
  std::vector<int>& failures_;  // of each exchange
  std::size_t next_ = 0;
  std::vector<Pending> pending_{};
};

Network random_network(Random& random) {
  const double share[] = {0, 0.5, 1}, probability[] = {0.1, 0.5, 0.9};
  return {share[random.below(3)], probability[random.below(3)]};
}

// Returns the number of processes on which each exchange failed.
std::vector<int> carry_out(World& world, Program& program, unsigned seed) {
  std::vector<int> failures(program.exchanges.size());
  world.run([&](Process& process) {
    const auto rank = static_cast<unsigned>(own_rank());
    Caller(process, program, 1000 * seed + rank, failures).run();
  });
  return failures;
}

void expect_all_complete(unsigned first_seed, int trials, Index longest) {
  for (unsigned seed = first_seed; seed < first_seed + static_cast<unsigned>(trials); ++seed) {
    Random random(seed);
    const Communicator communicator = random_world(random);
    const int channels = 1 + static_cast<int>(random.below(2));
    Program program = random_program(random, communicator, channels, longest);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + described(communicator) + "\n" + program.trace);
    World world(communicator, channels, random_exchange_options(random, false), seed, random_network(random));
    for (const int failed : carry_out(world, program, seed)) EXPECT_EQ(failed, 0);
    if (::testing::Test::HasFailure()) return;
    EXPECT_EQ(world.simulation().unreceived(), 0);
  }
}

TEST(RandomExchange, OfSmallMatricesIsComplete) { expect_all_complete(1, slow_build ? 200 : 3000, 40); }

TEST(RandomExchange, OfLargeMatricesIsComplete) { expect_all_complete(10'001, slow_build ? 20 : 200, 300); }

// Lets the allocations fail one after the other. Only one exchange fails, on some of its processes, and later ones are
// carried out.
TEST(RandomExchange, FailsAloneForLackOfMemory) {
  int failed_exchanges = 0;
  for (unsigned seed = 20'001; seed < (slow_build ? 20'002 : 20'004); ++seed) {
    for (long allocation = 1;; ++allocation) {
      Random random(seed);
      const Communicator communicator = random_world(random);
      Program program = random_program(random, communicator, 1, 40),
              after = random_program(random, communicator, 1, 40);
      SCOPED_TRACE("seed " + std::to_string(seed) + ", allocation " + std::to_string(allocation) + "\n" +
                   described(communicator) + "\n" + program.trace);
      World world(communicator, 1, {}, seed, random_network(random));
      fail_allocation(allocation);
      const std::vector<int> failures = carry_out(world, program, seed);
      const bool failed = stop_failing();
      EXPECT_LE(std::ranges::count_if(failures, [](int processes) { return processes > 0; }), 1);
      failed_exchanges += std::ranges::any_of(failures, [](int processes) { return processes > 0; });
      if (::testing::Test::HasFailure()) return;
      for (const int processes : carry_out(world, after, seed + 1)) EXPECT_EQ(processes, 0);
      if (::testing::Test::HasFailure()) return;
      if (!failed) break;
    }
  }
  EXPECT_GT(failed_exchanges, 20);
}

}  // namespace
}  // namespace xredist::testing
