// SPDX-License-Identifier: BSD-3-Clause
#include "api/everywhere.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "allocations.hpp"
#include "api/compare.hpp"
#include "failure_of.hpp"
#include "random.hpp"
#include "world.hpp"

namespace xredist::testing {
namespace {

using namespace core;

// Runs a program on the processes of a communicator.
void run(int processes, unsigned seed, const std::function<void(MPI_Comm, Turns&)>& program) {
  World world(one_node(processes), 1, {}, seed);
  world.run([&](const Process& process) {
    Turns turns;
    program(process.channels.front()->comm(), turns);
  });
}

std::string sentence_of(int rank) { return "failure of " + std::to_string(rank); }

// Any processes fail, for reasons of their own or because of another one.
TEST(Everywhere, AllHaveAValueOrTheSameFailure) {
  Random random(1);
  for (unsigned seed = 0; seed < 300; ++seed) {
    const int processes = random.in(1, 6);
    std::vector<int> codes;
    for (int rank = 0; rank < processes; ++rank)
      codes.push_back(random.one_in(2)   ? XREDIST_SUCCESS
                      : random.one_in(3) ? XREDIST_PEER_FAILED
                                         : random.in(XREDIST_NO_MEMORY, XREDIST_FILE_ERROR));
    std::optional<int> cause, told;
    int own = 0;
    for (int rank = processes - 1; rank >= 0; --rank) {
      const int code = at(codes, rank);
      if (code == XREDIST_PEER_FAILED) told = rank;
      if (code == XREDIST_SUCCESS || code == XREDIST_PEER_FAILED) continue;
      cause = rank;
      ++own;
    }
    const std::optional<int> speaker = cause ? cause : told;
    run(processes, seed, [&](MPI_Comm comm, Turns& turns) {
      const int rank = own_rank();
      const auto compute = [&] {
        if (const int code = at(codes, rank); code != XREDIST_SUCCESS)
          throw Failure(static_cast<xredist_code>(code), sentence_of(rank));
        return rank;
      };
      if (!speaker) {
        EXPECT_EQ(everywhere(compute, comm, turns), rank);
        return;
      }
      const Failure failure = failure_of([&] { everywhere(compute, comm, turns); });
      EXPECT_EQ(failure.code, at(codes, *speaker));
      const std::string prefix = own == processes ? "" : "process " + std::to_string(*speaker) + ": ";
      EXPECT_EQ(failure.what(), prefix + sentence_of(*speaker));
    });
  }
}

// Neither a failure nor its way to the other processes allocates.
TEST(Everywhere, NeedsNoMemoryToFail) {
  run(3, 7, [&](MPI_Comm comm, Turns& turns) {
    const long before = allocations();
    const auto compute = [] {
      if (own_rank() == 1) throw std::bad_alloc();
    };
    const Failure failure = failure_of([&] {
      const Counted counted;
      everywhere(compute, comm, turns);
    });
    EXPECT_EQ(failure.code, XREDIST_NO_MEMORY);
    EXPECT_STREQ(failure.what(), "process 1: out of memory");
    EXPECT_EQ(allocations(), before);
  });
}

TEST(Everywhere, LongSentencesAreCut) {
  run(2, 3, [&](MPI_Comm comm, Turns& turns) {
    const std::string sentence(600, 'x');
    const auto compute = [&] {
      if (own_rank() == 1) throw InvalidArgument(sentence);
    };
    const Failure failure = failure_of([&] { everywhere(compute, comm, turns); });
    EXPECT_EQ(std::string(failure.what()), "process 1: " + sentence.substr(0, 480));
  });
}

TEST(FromFirst, AllHaveTheValueOrTheFailureOfRank0) {
  for (unsigned seed = 0; seed < 20; ++seed)
    run(4, seed, [&](MPI_Comm comm, Turns& turns) {
      EXPECT_EQ(from_first(attempt([] { return 42 + own_rank(); }), comm, turns), 42);
      const auto fails = []() -> int { throw InvalidArgument("no value"); };
      EXPECT_STREQ(failure_of([&] { from_first(attempt(fails), comm, turns); }).what(), "no value");
    });
}

// One process passes another value of one argument; values that a process does not know do not count.
TEST(AgreedValues, NameTheFirstDifference) {
  for (unsigned seed = 0; seed < 20; ++seed)
    run(4, seed, [&](MPI_Comm comm, Turns& turns) {
      const Index mine = own_rank() == 2 ? unknown : 5;
      const auto equal = attempt([&] { return std::array{Compared{{"m"}, mine}, Compared{{"n"}, 7}}; });
      EXPECT_EQ(agreed_values(equal, comm, turns), (std::array<Index, 2>{5, 7}));
      const Index other = own_rank() == 3 ? 9 : 7;
      const auto different = attempt([&] { return std::array{Compared{{"m"}, mine}, Compared{{"n"}, other}}; });
      EXPECT_STREQ(failure_of([&] { agreed_values(different, comm, turns); }).what(),
                   "n differs between processes: from 7 to 9");
    });
}

}  // namespace
}  // namespace xredist::testing
