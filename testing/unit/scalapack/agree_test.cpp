// SPDX-License-Identifier: BSD-3-Clause
// The agreement of the processes of a context on the arguments of calls: random grids in random orders, arguments that
// differ, and allocations that fail, with a simulated MPI and BLACS.
#include "scalapack/agree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "agreement.hpp"
#include "allocations.hpp"
#include "failure_of.hpp"
#include "random.hpp"
#include "simulated_blacs.hpp"

namespace xredist::testing {
namespace {

using namespace core;

constexpr std::string_view argument_names[] = {"M",  "N",     "A",    "IA",     "JA",     "DESCA",  "B",     "IB",
                                               "JB", "DESCB", "CTXT", "ROWS_A", "COLS_A", "ROWS_B", "COLS_B"};
constexpr Field fields[] = {{{"M"}}, {{"N"}}};
constexpr Routine routine{"ROUTINE", argument_names, fields};

// A call with a matrix on each of two contexts, as one process passes it.
struct Call {
  std::array<xredist_int, 9> desca, descb;
  Index m = 10, n = 10, ia = 1, ja = 1, ib = 1, jb = 1;
  std::array<const xredist_partition*, 2> partitions_a{}, partitions_b{};

  Call(xredist_int context_a, xredist_int context_b)
      : desca{1, own_context(context_a), 10, 10, 2, 3, 0, 0, 10}, descb{1, own_context(context_b), 10, 10, 4, 5, 0, 0,
                                                                        10} {}
};

// The question about a call that outlives this object.
struct Asked {
  explicit Asked(const Call& call)
      : matrices{{{Which::a, call.desca.data(), {call.ia, call.ja}, call.partitions_a},
                  {Which::b, call.descb.data(), {call.ib, call.jb}, call.partitions_b}}},
        question{routine, matrices, {call.m, call.n}} {}
  Asked(const Asked&) = delete;
  Asked& operator=(const Asked&) = delete;

  std::array<MatrixArguments, 2> matrices;
  Question question;
};

Values agree_on(const Call& call, const Channel& channel, Rosters& rosters, Progress& progress) {
  const Asked asked(call);
  const Question& question = asked.question;
  return agree(question, view_of(question, rosters), rosters, channel, progress);
}

// Agrees as functions do that return failures.
Values agree_everywhere(const Call& call, const Failure* mine, const Channel& channel, Rosters& rosters,
                        Progress& progress) try {
  const Asked asked(call);
  const Question& question = asked.question;
  const auto agreed = [&] {
    return agree_by_reduction(question, view_of(question, rosters), mine, rosters, channel, progress);
  };
  return everywhere(agreed, channel.comm(), progress);
} catch (...) {
  rosters.forget();
  throw;
}

void expect_grid(const MatrixValues& agreed, const GridShape& shape, const Rosters& rosters) {
  EXPECT_EQ(agreed.axes[0].procs, shape.nprow);
  EXPECT_EQ(agreed.axes[1].procs, shape.npcol);
  const Roster* const roster = rosters.find(agreed.roster);
  ASSERT_NE(roster, nullptr);
  EXPECT_EQ(*roster->ranks, shape.ranks);
  EXPECT_EQ(roster->has_first, std::ranges::count(shape.ranks, 0) > 0);
  EXPECT_EQ(roster->has_this, std::ranges::count(shape.ranks, own_rank()) > 0);
}

constexpr Options::Check levels[] = {Options::Check::local, Options::Check::message, Options::Check::reduction};

// Calls with new and known grids of any processes, more of them than a context stores.
TEST(Agree, FindsTheProcessesOfRandomGrids) {
  Random random(2);
  for (unsigned seed = 0; seed < 12; ++seed) {
    const int processes = random.in(1, 6);
    Agreement agreement(processes, seed, {.check = at(levels, random.below(std::ssize(levels)))});
    std::vector<GridShape> shapes{whole(processes)};
    std::vector<xredist_int> contexts{agreement.own()};
    for (int call = 0; call < 60; ++call) {
      const auto pick = [&] {
        if (random.one_in(2)) return static_cast<std::size_t>(random.below(std::ssize(contexts)));
        shapes.push_back(random_grid(random, processes));
        contexts.push_back(make_context(shapes.back(), processes));
        return contexts.size() - 1;
      };
      const std::size_t a = pick(), b = pick();
      ASSERT_TRUE(agreement.run([&](const Channel& channel, Rosters& rosters, Turns& turns) {
        const Values agreed = agree_on({contexts[a], contexts[b]}, channel, rosters, turns);
        expect_grid(agreed.matrices[0], shapes[a], rosters);
        expect_grid(agreed.matrices[1], shapes[b], rosters);
        EXPECT_EQ(agreed.matrices[1].axes[1].block, 5);
      }));
    }
  }
}

// Returns the number of collective operations of a call, the same on all processes.
int operations_of(Agreement& agreement, int processes, xredist_int a, xredist_int b) {
  std::vector<int> counts(static_cast<std::size_t>(processes));
  agreement.run([&](const Channel& channel, Rosters& rosters, Turns& turns) {
    const int before = collective_operations(channel.comm());
    agree_on({a, b}, channel, rosters, turns);
    at(counts, own_rank()) = collective_operations(channel.comm()) - before;
  });
  EXPECT_EQ(std::ranges::count(counts, counts[0]), processes);
  return counts[0];
}

// A repeated call sends nothing if both grids have all processes, and one broadcast otherwise.
TEST(Agree, SendsAsLittleAsItMay) {
  constexpr int processes = 4;
  Agreement agreement(processes, 5);
  const xredist_int all = make_context({2, 2, {3, 1, 2, 0}}, processes), some = make_context({1, 2, {0, 2}}, processes);
  const auto operations = [&](xredist_int a, xredist_int b) { return operations_of(agreement, processes, a, b); };
  EXPECT_EQ(operations(agreement.own(), agreement.own()), 0);
  EXPECT_EQ(operations(agreement.own(), all), 1);  // the processes of a new grid
  EXPECT_EQ(operations(agreement.own(), all), 0);
  EXPECT_EQ(operations(all, some), 2);
  EXPECT_EQ(operations(all, some), 1);
}

// Grids that have all processes: a repeated call costs nothing, a broadcast or a reduction, and the two latter find
// that a process passes another value. The broadcast tells this process only.
TEST(Agree, ChecksAtTheCostOfItsLevel) {
  constexpr int processes = 4, wrong = 2;
  const auto finders = [&](Agreement& agreement) {
    std::vector<int> found;
    agreement.run([&](const Channel& channel, Rosters& rosters, Turns& turns) {
      Call call(agreement.own(), agreement.own());
      if (own_rank() == wrong) call.m = 11;
      try {
        agree_on(call, channel, rosters, turns);
      } catch (const Failure& failure) {
        EXPECT_STREQ(failure.what(), "argument 1 (M) differs between processes: from 10 to 11");
        found.push_back(own_rank());
      }
    });
    std::ranges::sort(found);
    return found;
  };
  const std::vector<int> expected[] = {{}, {wrong}, {0, 1, 2, 3}};
  for (std::size_t level = 0; level < std::size(levels); ++level) {
    Agreement agreement(processes, 3, {.check = levels[level]});
    const auto operations = [&] { return operations_of(agreement, processes, agreement.own(), agreement.own()); };
    operations();
    EXPECT_EQ(operations(), level == 0 ? 0 : 1);
    EXPECT_EQ(finders(agreement), expected[level]) << level;
  }
}

// One process passes another value. All processes throw the same sentence.
TEST(Agree, NamesTheArgumentThatDiffers) {
  struct Difference {
    const char* sentence;
    void (*change)(Call&);
  };
  static constexpr std::array<std::int64_t, 2> bounds{0, 10};
  static constexpr xredist_partition partition{1, bounds.data(), nullptr, nullptr};
  const Difference differences[] = {
      {"argument 1 (M) differs between processes: from 10 to 11", [](Call& x) { x.m = 11; }},
      {"argument 2 (N) differs between processes: from 9 to 10", [](Call& x) { x.n = 9; }},
      {"argument 4 (IA) differs between processes: from 1 to 2", [](Call& x) { x.ia = 2; }},
      {"argument 5 (JA) differs between processes: from 1 to 2", [](Call& x) { x.ja = 2; }},
      {"argument 8 (IB) differs between processes: from 1 to 4", [](Call& x) { x.ib = 4; }},
      {"argument 9 (JB) differs between processes: from 1 to 3", [](Call& x) { x.jb = 3; }},
      {"argument 6 (DESCA), entry 5 (MB_) differs between processes: from 2 to 7", [](Call& x) { x.desca[4] = 7; }},
      {"argument 6 (DESCA), entry 6 (NB_) differs between processes: from 1 to 3", [](Call& x) { x.desca[5] = 1; }},
      {"argument 10 (DESCB), entry 7 (RSRC_) differs between processes: from 0 to 1", [](Call& x) { x.descb[6] = 1; }},
      {"argument 10 (DESCB), entry 8 (CSRC_) differs between processes: from 0 to 1", [](Call& x) { x.descb[7] = 1; }},
      {"argument 6 (DESCA), entry 7 (RSRC_) differs between processes: from 0 to 1", [](Call& x) { x.desca[6] = 1; }},
      {"argument 10 (DESCB), entry 6 (NB_) differs between processes: from 5 to 6", [](Call& x) { x.descb[5] = 6; }},
      {"argument 12 (ROWS_A) differs between processes", [](Call& x) { x.partitions_a[0] = &partition; }},
      {"argument 13 (COLS_A) differs between processes", [](Call& x) { x.partitions_a[1] = &partition; }},
      {"argument 15 (COLS_B) differs between processes", [](Call& x) { x.partitions_b[1] = &partition; }},
  };
  constexpr int processes = 4;
  const xredist_int a = make_context({2, 1, {1, 3}}, processes), b = make_context({2, 2, {0, 1, 2, 3}}, processes);
  for (unsigned seed = 0; seed < 10; ++seed) {
    Agreement agreement(processes, seed);
    for (const auto& [sentence, change] : differences) {
      agreement.run([&](const Channel& channel, Rosters& rosters, Turns& turns) {
        Call call(a, b);
        if (own_rank() == 3) change(call);
        EXPECT_STREQ(failure_of([&] { agree_everywhere(call, nullptr, channel, rosters, turns); }).what(), sentence);
      });
      agreement.run([&](const Channel& channel, Rosters& rosters, Turns& turns) {
        EXPECT_EQ(agree_everywhere({a, b}, nullptr, channel, rosters, turns).matrices[0].axes[0].block, 2);
      });
    }
  }
}

// A grid that is another one on a process, a member that passes -1, and a context without a member of the grid.
TEST(Agree, NamesGridsThatAreNotThoseOfTheContext) {
  constexpr int processes = 3;
  const xredist_int a = make_context({1, 2, {0, 1}}, processes), b = make_context({3, 1, {0, 1, 2}}, processes),
                    of_two_and_0 = make_context({1, 2, {2, 0}}, processes),
                    of_two_rows = make_context({2, 1, {1, 2}}, processes),
                    of_three_columns = make_context({1, 3, {1, 0, 2}}, processes);
  const auto expect = [&](const char* sentence, const std::function<void(Call&)>& change) {
    Agreement agreement(processes, 1);
    agreement.run([&](const Channel& channel, Rosters& rosters, Turns& turns) {
      Call call(a, b);
      change(call);
      EXPECT_STREQ(failure_of([&] { agree_everywhere(call, nullptr, channel, rosters, turns); }).what(), sentence);
    });
  };
  expect("argument 6 (DESCA), entry 2 (CTXT_): no process of the context is in the grid of A",
         [](Call& call) { call.desca[1] = -1; });
  expect("argument 6 (DESCA), entry 2 (CTXT_): number of grid rows differs between processes: from 1 to 2",
         [&](Call& call) {
           if (own_rank() == 1) call.desca[1] = own_context(of_two_rows);
         });
  expect("argument 6 (DESCA), entry 2 (CTXT_): number of grid columns differs between processes: from 2 to 3",
         [&](Call& call) {
           if (own_rank() == 1) call.desca[1] = own_context(of_three_columns);
         });
  expect("argument 11 (CTXT): the context lacks 1 of the 2 processes of the grid of A", [](Call& call) {
    if (own_rank() == 1) call.desca[1] = -1;
  });
  expect(
      "argument 6 (DESCA), entry 2 (CTXT_): processes 0 and 2 of the context are at the same place: their grids are "
      "not the same",
      [&](Call& call) {
        if (own_rank() == 2) call.desca[1] = own_context(of_two_and_0);
      });
}

// Each allocation of an agreement fails once, on some process. All processes throw the same failure, and the context
// can be used again.
TEST(Agree, SurvivesFailingAllocations) {
  constexpr int processes = 3;
  const GridShape shape_a{1, 2, {2, 1}}, shape_b{3, 1, {1, 0, 2}};
  bool more = true;
  long k = 1;
  for (; more && k < 200; ++k) {
    Agreement agreement(processes, static_cast<unsigned>(k));
    const xredist_int a = make_context(shape_a, processes), b = make_context(shape_b, processes);
    std::array<std::string, processes> sentences;
    fail_allocation(k);
    agreement.run([&](const Channel& channel, Rosters& rosters, Turns& turns) {
      const Call call(a, b);
      try {
        const Counted counted;
        agree_everywhere(call, nullptr, channel, rosters, turns);
      } catch (const Failure& failure) {
        EXPECT_EQ(failure.code, XREDIST_NO_MEMORY);
        at(sentences, own_rank()) = failure.what();
      }
    });
    more = stop_failing();
    EXPECT_EQ(std::ranges::count(sentences, sentences[0]), processes) << sentences[0];
    EXPECT_EQ(!sentences[0].empty(), more) << "allocation " << k;
    agreement.run([&](const Channel& channel, Rosters& rosters, Turns& turns) {
      const Values agreed = agree_everywhere({a, b}, nullptr, channel, rosters, turns);
      expect_grid(agreed.matrices[0], shape_a, rosters);
      expect_grid(agreed.matrices[1], shape_b, rosters);
    });
  }
  EXPECT_GT(k, 10);
  EXPECT_FALSE(more);
}

}  // namespace
}  // namespace xredist::testing
