// SPDX-License-Identifier: BSD-3-Clause
// What make_plan tells each process, against the owners of single elements; links are made by hand.
#include "plan/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

#include "known_plans.hpp"

namespace xredist::core {
namespace {

using testing::Call;
using testing::Communicator;
using testing::described;
using testing::Known;
using testing::Placed;
using testing::slow_build;

std::optional<Coord> place_of(int rank, const std::vector<int>& ranks, Index npcol) {
  for (Index k = 0; k < std::ssize(ranks); ++k)
    if (ranks[static_cast<std::size_t>(k)] == rank) return Coord{k / npcol, k % npcol};
  return std::nullopt;
}

// The messages of a plan that goes directly; processes outside of the grids have none.
Hop hop_of(const Plan& plan) { return plan.hops.empty() ? Hop{} : plan.hops.front(); }

void expect_nothing_to_do(const Plan& plan) {
  EXPECT_TRUE(plan.hops.empty() && plan.peers.empty());
  EXPECT_TRUE(plan.own_rows == 0 && plan.own_cols == 0 && plan.loads == 0);
  EXPECT_TRUE(plan.steps == 0 && plan.algorithm.empty()) << "a schedule was made for nothing";
  EXPECT_FALSE(plan.reads_a || plan.writes_b || plan.shares);
}

// One direction of a plan: the schedule's messages except those to oneself, in its order, in the ways that the links
// allow. The other processes' lists are compared with the same messages, so both sides agree.
void expect_messages(const Known& known, const Communicator& communicator, int rank, bool sending) {
  const Plan& plan = known.plans[static_cast<std::size_t>(rank)];
  std::map<int, std::size_t> seen;  // messages of each pair so far
  Index last = -1;
  for (const RoutedMessage& routed : sending ? hop_of(plan).sends : hop_of(plan).receives) {
    const int from = sending ? rank : routed.rank, to = sending ? routed.rank : rank;
    ASSERT_NE(from, to);
    ASSERT_EQ(routed.rank, sending ? known.placed->receiver(routed.q) : known.placed->sender(routed.p));
    ASSERT_EQ(rank, sending ? known.placed->sender(routed.p) : known.placed->receiver(routed.q));
    EXPECT_EQ(routed.way, testing::expected_way(known.placed->options, communicator, from, to));
    const auto found = known.messages.find({from, to});
    ASSERT_NE(found, known.messages.end());
    ASSERT_LT(seen[routed.rank], found->second.size());
    const Message& message = found->second[seen[routed.rank]++];
    EXPECT_TRUE(routed.rows.begin == message.rows.begin && routed.rows.end == message.rows.end);
    EXPECT_TRUE(routed.cols.begin == message.cols.begin && routed.cols.end == message.cols.end);
    EXPECT_GE(message.step, last);
    EXPECT_LT(message.step, plan.steps);
    last = message.step;
  }
  for (const auto& [pair, messages] : known.messages) {
    const auto& [from, to] = pair;
    if ((sending ? from : to) != rank || from == to) continue;
    EXPECT_EQ(seen[sending ? to : from], messages.size());
  }
}

// The figures of the plan that follow from its messages.
void expect_summary(const Plan& plan) {
  std::set<int> ranks;
  bool shares = false;
  const auto [sends, receives] = hop_of(plan);
  for (const auto* messages : {&sends, &receives})
    for (const RoutedMessage& routed : *messages) {
      ranks.insert(routed.rank);
      shares = shares || routed.way == Way::shared;
    }
  EXPECT_EQ(plan.peers, std::vector<int>(ranks.begin(), ranks.end()));
  EXPECT_EQ(plan.shares, shares);
  EXPECT_GE(plan.loads, std::max(std::ssize(sends), std::ssize(receives)));
}

void expect_own_part(const Known& known, const Plan& plan, int rank) {
  const Call& call = known.placed->call;
  EXPECT_EQ(plan.in_a, place_of(rank, known.placed->ranks_a, call.a.cols.procs));
  EXPECT_EQ(plan.in_b, place_of(rank, known.placed->ranks_b, call.b.cols.procs));
  Index rows = 0, cols = 0;
  if (plan.in_a && plan.in_b) {
    rows = std::ssize(testing::rows_of_pair(known, *plan.in_a, *plan.in_b));
    cols = std::ssize(testing::cols_of_pair(known, *plan.in_a, *plan.in_b));
  }
  EXPECT_EQ(plan.own_rows, cols > 0 ? rows : 0);
  EXPECT_EQ(plan.own_cols, rows > 0 ? cols : 0);
  EXPECT_EQ(plan.local_rows_a, plan.in_a ? testing::held_by(call.a.rows, plan.in_a->row, call.m).count : 0);
  EXPECT_EQ(plan.local_rows_b, plan.in_b ? testing::held_by(call.b.rows, plan.in_b->row, call.m).count : 0);
  EXPECT_EQ(plan.reads_a, plan.own_rows > 0 || !hop_of(plan).sends.empty());
  EXPECT_EQ(plan.writes_b, plan.own_rows > 0 || !hop_of(plan).receives.empty());
}

// What must be equal on all processes, also on those outside the grids.
void expect_common(const Plan& plan, const Placed& placed, const Communicator& communicator) {
  const Cut cut = cut_of(placed.options, communicator.links_of(0));
  EXPECT_TRUE(plan.cut.piece_bytes == cut.piece_bytes && plan.cut.slots == cut.slots &&
              plan.cut.shared_bytes == cut.shared_bytes);
  EXPECT_EQ(plan.permits, testing::asks_for_permits(placed.options, communicator.seconds_per_byte));
  EXPECT_EQ(plan.window > 0, plan.permits);
}

TEST(Plan, TellsEachProcessItsMessages) {
  testing::Random random(91);
  int outside = 0;
  for (int trial = 0; trial < (slow_build ? 150 : 1500) && !HasFailure(); ++trial) {
    const Call call = testing::random_call(random, 4, 70, 70);
    const int processes = std::max(testing::processes_of(call.a), testing::processes_of(call.b));
    const Communicator communicator = testing::random_communicator(random, processes);
    const Placed placed =
        testing::random_placed(random, call, communicator.size(), testing::random_options(random, 400));
    SCOPED_TRACE(described(communicator) + "\n" + described(placed));
    const Known known = testing::known_of(placed, communicator);
    for (int rank = 0; rank < communicator.size() && !HasFatalFailure(); ++rank) {
      SCOPED_TRACE("rank " + std::to_string(rank));
      const Plan& plan = known.plans[static_cast<std::size_t>(rank)];
      expect_common(plan, placed, communicator);
      expect_own_part(known, plan, rank);
      expect_summary(plan);
      expect_messages(known, communicator, rank, true);
      expect_messages(known, communicator, rank, false);
      if (plan.in_a || plan.in_b) {
        const Plan& other = known.plans[static_cast<std::size_t>(placed.ranks_a.front())];
        EXPECT_TRUE(plan.steps == other.steps && plan.algorithm == other.algorithm);
        continue;
      }
      expect_nothing_to_do(plan);
      ++outside;
    }
  }
  EXPECT_GT(outside, 0);
}

// Two processes of a node and one of another; all send to all.
Plan plan_of_three(int rank, const Options& options, const Links& links) {
  const Layout rows{{1, 3, 0, 0}, {1, 1, 0, 0}}, cols{{1, 1, 0, 0}, {1, 3, 0, 0}};
  const std::vector<int> ranks{0, 1, 2};
  return make_plan(redistribution_of(rows, cols, 90, 90, {}, 8), ranks, ranks, rank, options, links);
}

// The ways, by rank of the sender; `plain` for the message to oneself.
std::vector<Way> ways_of(int rank, const Options& options, const Links& links) {
  std::vector<Way> ways(3, Way::plain);
  for (const RoutedMessage& send : hop_of(plan_of_three(rank, options, links)).sends)
    ways[static_cast<std::size_t>(send.rank)] = send.way;
  return ways;
}

TEST(Plan, ChoosesWaysByLinksAndOptions) {
  using Ways = std::vector<Way>;
  const Links of_0{{1}, 64 << 10, 8e-8}, of_2{{}, 64 << 10, 8e-8};
  Options options;
  EXPECT_EQ(ways_of(0, options, of_0), Ways({Way::plain, Way::shared, Way::by_permit}));
  EXPECT_EQ(ways_of(2, options, of_2), Ways({Way::by_permit, Way::by_permit, Way::plain}));
  EXPECT_TRUE(plan_of_three(0, options, of_0).shares);
  EXPECT_FALSE(plan_of_three(2, options, of_2).shares);
  options.permits = 0;
  EXPECT_EQ(ways_of(0, options, of_0), Ways({Way::plain, Way::shared, Way::plain}));
  options.shared = 0;
  EXPECT_EQ(ways_of(0, options, of_0), Ways({Way::plain, Way::plain, Way::plain}));
  EXPECT_EQ(ways_of(0, {}, {}), Ways({Way::plain, Way::plain, Way::plain}));
}

// From 12 Gbit/s on, networks are fast. The window is larger where more bytes travel while a permit is on its way.
TEST(Plan, AsksForPermitsOnSlowNetworksOnly) {
  const auto plan = [](Index permits, double rate) {
    Options options;
    options.permits = permits;
    return plan_of_three(0, options, {{}, 0, rate > 0 ? 1 / rate : 0});
  };
  EXPECT_FALSE(plan(1, 0).permits);
  EXPECT_FALSE(plan(1, 12.5e9).permits);
  EXPECT_FALSE(plan(1, 1.51e9).permits);
  EXPECT_TRUE(plan(1, 1.49e9).permits);
  EXPECT_TRUE(plan(1, 125e6).permits);
  EXPECT_FALSE(plan(0, 125e6).permits);
  EXPECT_TRUE(plan(2, 12.5e9).permits);
  EXPECT_TRUE(plan(2, 0).permits);
  EXPECT_EQ(plan(0, 125e6).window, 0);
  EXPECT_EQ(plan(1, 12.5e9).window, 0);
  EXPECT_GE(plan(2, 0).window, 2 * permitted_piece);
  EXPECT_EQ(plan(1, 125e6).window - plan(2, 0).window, 6250);  // 50 us
  EXPECT_GT(plan(1, 1e9).window, plan(1, 125e6).window);
}

TEST(Plan, OfNothingIsEmpty) {
  const Layout any{{3, 2, 0, 1}, {2, 2, 0, 0}};
  const std::vector<int> ranks{0, 1, 2, 3};
  for (const auto& [m, n] : {std::pair<Index, Index>{0, 5}, {5, 0}, {0, 0}})
    for (int rank = 0; rank < 5; ++rank) {
      const Plan plan = make_plan(redistribution_of(any, any, m, n, {}, 8), ranks, ranks, rank, {}, {{}, 0, 8e-8});
      expect_nothing_to_do(plan);
      EXPECT_TRUE(plan.permits);
      EXPECT_GT(plan.cut.slots, 0);
    }
}

// An algorithm that is not defined for a traffic gives way to the default, and the plan says so.
TEST(Plan, FallsBackToTheDefault) {
  Options options;
  options.algorithm = find_algorithm("walker-otto") - algorithms().data();
  EXPECT_EQ(plan_of_three(0, options, {}).algorithm, "default");
  const Layout a{{2, 3, 0, 0}, {1, 1, 0, 0}}, b{{4, 3, 0, 0}, {1, 1, 0, 0}};
  const std::vector<int> ranks{0, 1, 2};
  EXPECT_EQ(make_plan(redistribution_of(a, b, 90, 9, {}, 8), ranks, ranks, 0, options, {}).algorithm, "walker-otto");
}

// Each direction has half of the buffer, and at most what fits into shared memory; it uses most of that, in 4 to
// most_slots pieces.
TEST(Cut, IsWithinHalfOfTheBufferAndWhatIsShared) {
  testing::Random random(92);
  for (int trial = 0; trial < 5000 && !HasFailure(); ++trial) {
    Options options;
    options.buffer = std::min((Index{1} << (20 + random.below(17))) + random.below(1 << 20), Index{1} << 36);
    options.shared = random.below(2);
    const Index shared_bytes = random.below(2) * ((64 << 10) + random.below((2 << 20) - (64 << 10) + 1));
    SCOPED_TRACE("buffer " + std::to_string(options.buffer) + ", shared " + std::to_string(options.shared) +
                 ", shared bytes " + std::to_string(shared_bytes));
    const Cut cut = cut_of(options, {{1}, shared_bytes, 0});
    const Index room = options.buffer / 2;
    EXPECT_LE(cut.piece_bytes * cut.slots, room);
    if (options.shared != 0 && shared_bytes > 0) {
      EXPECT_LE(cut.shared_bytes * cut.slots, shared_bytes);
      EXPECT_GE(cut.shared_bytes, 16 << 10);
      EXPECT_LE(cut.shared_bytes, cut.piece_bytes);
    } else {
      EXPECT_GT(cut.piece_bytes * (cut.slots + 1), room);
    }
    EXPECT_GE(cut.slots, 4);
    EXPECT_LE(cut.slots, most_slots);
    EXPECT_LE(cut.piece_bytes, std::numeric_limits<int>::max());
    EXPECT_GE(cut.piece_bytes, 16 << 10);
  }
}

TEST(Cut, OfDefaultsIsOfPiecesThatStayInACache) {
  const Cut cut = cut_of({}, {});
  EXPECT_EQ(cut.piece_bytes, 256 << 10);
  EXPECT_EQ(cut.slots, most_slots);
  const Cut shared = cut_of({}, {{1}, 64 << 10, 0});
  EXPECT_EQ(shared.piece_bytes, 256 << 10);
  EXPECT_EQ(shared.shared_bytes, 16 << 10);
  EXPECT_EQ(shared.slots, 4);
}

}  // namespace
}  // namespace xredist::core
