// SPDX-License-Identifier: BSD-3-Clause
// Plans of all processes, against the owners of single elements. Links are given, not measured.
#include "plan/plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

#include "plan/buffers.hpp"
#include "random/random_batch.hpp"

namespace xredist::core {
namespace {

using testing::Call;
using testing::Communicator;
using testing::described;
using testing::Placed;
using testing::ranks_from;
using testing::slow_build;

std::optional<Coord> coord_of(int rank, const std::vector<int>& ranks, Index npcol) {
  for (Index k = 0; k < std::ssize(ranks); ++k)
    if (at(ranks, k) == rank) return Coord{k / npcol, k % npcol};
  return std::nullopt;
}

// Returns the only round of a plan with direct messages. Processes outside the grids have none.
Round round_of(const Plan& plan) { return plan.rounds.empty() ? Round{} : plan.rounds.front(); }

void expect_nothing_to_do(const Plan& plan) {
  EXPECT_TRUE(plan.rounds.empty() && plan.peers.empty());
  EXPECT_TRUE(plan.max_packets == 0 && plan.store_bytes == 0);
  EXPECT_FALSE(plan.takes_part());
  EXPECT_TRUE(plan.steps == 0 && plan.algorithm.empty()) << "a schedule was made for nothing";
  EXPECT_FALSE(plan.a.accessed || plan.b.accessed || plan.shares);
}

// Expects that one direction of a plan has the messages of the schedule except those to oneself, in its order, with the
// transports that the links allow.
void expect_messages(const Placed& placed, const Communicator& communicator, int rank, const Plan& plan, bool sending) {
  const auto own_at = sending ? plan.a.at : plan.b.at;
  std::vector<Message> expected;
  if (own_at) {
    const Traffic& traffic = plan.redistribution.traffic;
    const Schedule schedule = schedule_of(placed, communicator, plan.algorithm);
    expected = sending ? sends_of(traffic, schedule, *own_at) : receives_of(traffic, schedule, *own_at);
  }
  const auto peer_of = [&](const Message& x) { return sending ? placed.receiver(x.peer) : placed.sender(x.peer); };
  std::erase_if(expected, [&](const Message& message) { return peer_of(message) == rank; });
  const std::vector<Transfer> found = sending ? round_of(plan).sends : round_of(plan).receives;
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    const Transfer& transfer = found[k];
    const Message& message = expected[k];
    const int peer = peer_of(message), from = sending ? rank : peer, to = sending ? peer : rank;
    EXPECT_EQ(transfer.peer, peer);
    EXPECT_TRUE(placed.sender(transfer.p) == from && placed.receiver(transfer.q) == to);
    EXPECT_TRUE(transfer.rows.begin == message.rows.begin && transfer.rows.end == message.rows.end);
    EXPECT_TRUE(transfer.cols.begin == message.cols.begin && transfer.cols.end == message.cols.end);
    EXPECT_EQ(transfer.transport, testing::expected_transport(placed.options, communicator, from, to));
    EXPECT_LT(message.step, plan.steps);
  }
}

// Expects the members of the plan that follow from its transfers.
void expect_summary(const Plan& plan) {
  std::set<int> ranks;
  bool shares = false;
  const auto [sends, receives, copies] = round_of(plan);
  for (const auto* list : {&sends, &receives})
    for (const Transfer& transfer : *list) {
      ranks.insert(transfer.peer);
      shares = shares || transfer.transport == Transport::shared;
    }
  EXPECT_EQ(plan.peers, std::vector<int>(ranks.begin(), ranks.end()));
  EXPECT_EQ(plan.shares, shares);
  EXPECT_GE(plan.max_packets, std::max(std::ssize(sends), std::ssize(receives)));
}

// Returns the local index after the last one of the submatrix; for a process without a part in an axis in order, the
// number of elements before.
Index end_of(const Axis& axis, Index p, Index n) {
  const testing::Held held = testing::held_by(axis, p, n);
  return in_order(axis) ? held.count : std::ranges::max(held.local) + 1;
}

void expect_local_parts(const Placed& placed, const Plan& plan, int rank) {
  const Call& call = placed.call;
  EXPECT_EQ(plan.a.at, coord_of(rank, placed.ranks_a, call.a.cols.procs));
  EXPECT_EQ(plan.b.at, coord_of(rank, placed.ranks_b, call.b.cols.procs));
  Index rows = 0, cols = 0;
  if (plan.a.at && plan.b.at) {
    rows = std::ssize(testing::shared(call.a.rows, call.b.rows, call.m, plan.a.at->row, plan.b.at->row));
    cols = std::ssize(testing::shared(call.a.cols, call.b.cols, call.n, plan.a.at->col, plan.b.at->col));
  }
  const std::vector<Transfer> copies = round_of(plan).copies;
  const bool stay = rows > 0 && cols > 0;  // elements stay on this process
  ASSERT_EQ(copies.size(), stay ? 1u : 0u);
  if (stay) {
    const Transfer& copy = copies.front();
    EXPECT_TRUE(copy.peer == rank && copy.p == *plan.a.at && copy.q == *plan.b.at && !copy.forwarded());
    EXPECT_TRUE(copy.rows.begin == 0 && copy.rows.end == rows && copy.cols.begin == 0 && copy.cols.end == cols);
  }
  EXPECT_EQ(plan.a.rows.end, plan.a.at ? end_of(call.a.rows, plan.a.at->row, call.m) : 0);
  EXPECT_EQ(plan.b.rows.end, plan.b.at ? end_of(call.b.rows, plan.b.at->row, call.m) : 0);
  EXPECT_EQ(plan.a.cols.end, plan.a.at ? end_of(call.a.cols, plan.a.at->col, call.n) : 0);
  EXPECT_EQ(plan.b.cols.end, plan.b.at ? end_of(call.b.cols, plan.b.at->col, call.n) : 0);
  EXPECT_EQ(plan.a.accessed, stay || !round_of(plan).sends.empty());
  EXPECT_EQ(plan.b.accessed, stay || !round_of(plan).receives.empty());
}

// Expects the members that must be equal on all processes, also on those outside the grids.
void expect_common(const Plan& plan, const Placed& placed, const Communicator& communicator) {
  const ChunkLimits limits = limits_of(placed.options, communicator.links_of(0));
  EXPECT_TRUE(plan.limits.packet_bytes == limits.packet_bytes && plan.limits.slots == limits.slots &&
              plan.limits.shared_bytes == limits.shared_bytes);
  EXPECT_EQ(plan.permits, testing::asks_for_permits(placed.options, communicator.seconds_per_byte));
  EXPECT_EQ(plan.window > 0, plan.permits);
}

TEST(Plan, HasTheTransfersOfEachProcess) {
  testing::Random random(91);
  int outside = 0;
  for (int trial = 0; trial < (slow_build ? 150 : 1500) && !HasFailure(); ++trial) {
    const Call call = testing::random_call(random, 4, 70, 70);
    const int processes = std::max(testing::processes_of(call.a), testing::processes_of(call.b));
    const Communicator communicator = testing::random_communicator(random, processes);
    const Placed placed =
        testing::random_placed(random, call, communicator.size(), testing::random_options(random, 400));
    SCOPED_TRACE(described(communicator) + "\n" + described(placed));
    const Plan first = placed.plan_of(communicator, placed.ranks_a.front());
    for (int rank = 0; rank < communicator.size() && !HasFatalFailure(); ++rank) {
      SCOPED_TRACE("rank " + std::to_string(rank));
      const Plan plan = placed.plan_of(communicator, rank);
      expect_common(plan, placed, communicator);
      expect_local_parts(placed, plan, rank);
      expect_summary(plan);
      expect_messages(placed, communicator, rank, plan, true);
      expect_messages(placed, communicator, rank, plan, false);
      if (plan.a.at || plan.b.at) {
        EXPECT_TRUE(plan.steps == first.steps && plan.algorithm == first.algorithm);
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
  return plan_process(redistribution_of(rows, cols, 90, 90, {}, 8), ranks, ranks, rank, options, links);
}

// Elements of 24 bytes travel as three units of 8 bytes. Local parts and descriptions count elements.
TEST(Plan, CountsElementsOfAnySize) {
  const Layout a{{3, 2, 0, 0}, {5, 1, 0, 0}}, b{{2, 1, 0, 0}, {1, 2, 1, 0}};
  const std::vector<int> ranks{0, 1};
  for (const int rank : ranks) {
    const auto plan_of = [&](Index bytes) {
      return plan_process(redistribution_of(a, b, 17, 9, {}, bytes), ranks, ranks, rank, {}, {});
    };
    const auto sent = [](const Plan& plan) {
      Index bytes = 0;
      for (const Transfer& transfer : plan.rounds.at(0).sends) bytes += transfer.elements() * plan.redistribution.bytes;
      return bytes;
    };
    const Plan one = plan_of(8), three = plan_of(24);
    EXPECT_EQ(three.redistribution.bytes, 8);
    EXPECT_EQ(three.redistribution.element_bytes_b(), 24);
    for (LocalPart Plan::*part : {&Plan::a, &Plan::b}) {
      EXPECT_EQ((three.*part).rows.end, (one.*part).rows.end);
      EXPECT_EQ((three.*part).cols.end, (one.*part).cols.end);
    }
    EXPECT_EQ(sent(three), 3 * sent(one));
    EXPECT_EQ(description_of(three).find("17x9 elements of 24 bytes, 2x1 grid of 3x9 blocks -> 1x2 grid of 17x1"), 0U)
        << description_of(three);
  }
}

// Amounts are in bytes below 1000, and have three digits.
TEST(Description, NamesAmountsOfAnySize) {
  const auto kept = [](Index m, Index n) {
    const Layout whole{{m, 1, 0, 0}, {n, 1, 0, 0}};
    const std::vector<int> ranks{0};
    const std::string text =
        description_of(plan_process(redistribution_of(whole, whole, m, n, {}, 8), ranks, ranks, 0, {}, {}));
    const std::size_t begin = text.find("keeps ") + 6;
    return text.substr(begin, text.find(';', begin) - begin);
  };
  EXPECT_EQ(kept(0, 0), "0 bytes");
  EXPECT_EQ(kept(2, 4), "64 bytes");
  EXPECT_EQ(kept(25, 5), "1 KB");
  EXPECT_EQ(kept(90, 90), "64.8 KB");
  EXPECT_EQ(kept(124'995, 1), "1 MB");
  EXPECT_EQ(kept(10'000, 10'000), "800 MB");
  EXPECT_EQ(kept(100'000, 10'000), "8 GB");
}

// Networks of 600 Mbit/s and more need no permits. The window grows with the bytes that travel while a permit is under
// way.
TEST(Plan, AsksForPermitsOnSlowNetworksOnly) {
  using enum Options::Permits;
  const auto plan = [](Options::Permits permits, double rate) {
    Options options;
    options.permits = permits;
    return plan_of_three(0, options, {{}, 0, rate > 0 ? 1 / rate : 0});
  };
  EXPECT_FALSE(plan(on_slow_networks, 0).permits);
  EXPECT_FALSE(plan(on_slow_networks, 12.5e9).permits);
  EXPECT_FALSE(plan(on_slow_networks, 7.6e7).permits);
  EXPECT_TRUE(plan(on_slow_networks, 7.4e7).permits);
  EXPECT_FALSE(plan(on_slow_networks, 125e6).permits);
  EXPECT_TRUE(plan(on_slow_networks, 12.5e6).permits);
  EXPECT_FALSE(plan(never, 12.5e6).permits);
  EXPECT_TRUE(plan(always, 12.5e9).permits);
  EXPECT_TRUE(plan(always, 0).permits);
  EXPECT_EQ(plan(never, 125e6).window, 0);
  EXPECT_EQ(plan(on_slow_networks, 12.5e9).window, 0);
  EXPECT_GE(plan(always, 0).window, 2 * max_permit_packet);
  EXPECT_EQ(plan(always, 125e6).window - plan(always, 0).window, 6250);  // 50 us
  EXPECT_EQ(plan(on_slow_networks, 5e7).window - plan(always, 0).window, 2500);
  EXPECT_GT(plan(always, 1e9).window, plan(always, 125e6).window);
}

// The processes of a node share the window of its adapter, but each may have a packet under way.
TEST(Plan, DividesTheWindowOfAnAdapter) {
  const auto window = [](const std::vector<int>& nodes) {
    Links links;
    links.nodes = nodes;
    Options options;
    options.permits = Options::Permits::always;
    const Layout whole{{1, 1, 0, 0}, {1, 1, 0, 0}};
    const std::vector<int> ranks{0};
    return plan_process(redistribution_of(whole, whole, 1, 1, {}, 8), ranks, ranks, 0, options, links).window;
  };
  const Index alone = window({0, 1, 2, 3});
  EXPECT_EQ(window({}), alone);
  EXPECT_EQ(window({0, 0, 1, 1}), alone / 2);
  EXPECT_EQ(window({0, 0, 1, 2, 3}), alone / 2);
  EXPECT_EQ(window({0, 0, 0, 0, 1, 1, 1, 1}), max_permit_packet);
}

TEST(Plan, OfNothingIsEmpty) {
  const Layout any{{3, 2, 0, 1}, {2, 2, 0, 0}};
  const std::vector<int> ranks{0, 1, 2, 3};
  for (const auto& [m, n] : {std::pair<Index, Index>{0, 5}, {5, 0}, {0, 0}})
    for (int rank = 0; rank < 5; ++rank) {
      const Plan plan = plan_process(redistribution_of(any, any, m, n, {}, 8), ranks, ranks, rank, {}, {{}, 0, 8e-8});
      expect_nothing_to_do(plan);
      EXPECT_TRUE(plan.permits);
      EXPECT_GT(plan.limits.slots, 0);
    }
}

// Messages of a process to itself take no step.
TEST(Plan, HasTheStepsOfMessagesToOthers) {
  const auto steps = [](Index Pr, Index Pc, Index r, Index Qr, Index Qc, Index s, int first) {
    const Layout a{{r, Pr, 0, 0}, {r, Pc, 0, 0}}, b{{s, Qr, 0, 0}, {s, Qc, 0, 0}};
    const std::vector<int> ranks_a = ranks_from(0, Pr * Pc), ranks_b = ranks_from(first, Qr * Qc);
    Options options;
    options.route = {RouteOption::Kind::direct};
    return plan_process(redistribution_of(a, b, 960, 960, {}, 8), ranks_a, ranks_b, 0, options, {}).steps;
  };
  EXPECT_EQ(steps(4, 1, 3, 4, 1, 5, 4), 4);  // on other processes
  EXPECT_EQ(steps(4, 1, 3, 4, 1, 5, 0), 3);
  EXPECT_EQ(steps(4, 1, 3, 4, 1, 5, 1), 4);  // process 0 has nothing in B
  EXPECT_EQ(steps(2, 2, 64, 2, 2, 48, 0), 3);
  EXPECT_EQ(steps(2, 4, 64, 2, 4, 48, 0), 7);
  EXPECT_EQ(steps(2, 4, 64, 2, 4, 64, 0), 0);  // nothing travels
}

// The default replaces an algorithm that is not defined for a traffic, and the plan names the default.
TEST(Plan, FallsBackToTheDefault) {
  Options options;
  options.algorithm = AlgorithmId::split;
  EXPECT_EQ(plan_of_three(0, options, {}).algorithm, "split");
  const Layout a{{1, 129, 0, 0}, {1, 1, 0, 0}}, b{{1, 128, 0, 0}, {1, 1, 0, 0}};
  const std::vector<int> ranks = ranks_from(0, 129), fewer = ranks_from(0, 128);
  const auto large = redistribution_of(a, b, Index{129} * 128, 1, {}, 8);
  EXPECT_EQ(plan_process(large, ranks, fewer, 0, options, {}).algorithm, "default");
}

// Returns the bytes of one line, along the shorter side, of each message that a process forwards.
Index bytes_of_lines(const Plan& plan) {
  Index elements = 0;
  for (const Round& round : plan.rounds)
    for (const Transfer& transfer : round.sends)
      if (transfer.forwarded()) elements += std::min(transfer.rows.length(), transfer.cols.length());
  return elements * plan.redistribution.bytes;
}

// A panel has at least one line of each message. Without that the store has room for every panel: half of the option
// buffer. Only these lines may exceed it.
TEST(Store, ExceedsItsRoomByLinesOnly) {
  testing::Random random(93);
  int cut = 0, beyond = 0;
  for (int trial = 0; trial < (slow_build ? 150 : 1500) && !HasFailure(); ++trial) {
    const Call call = testing::random_call(random, 4, 70, 70);
    const int processes = std::max(testing::processes_of(call.a), testing::processes_of(call.b));
    const Communicator communicator = testing::random_communicator(random, processes);
    Placed placed = testing::random_placed(random, call, communicator.size(), testing::random_options(random, 400));
    placed.options.buffer = 400 << random.below(8);
    ASSERT_EQ(set_option(placed.options, "route", random.below(2) == 0 ? "two-hop" : "2"), "");
    SCOPED_TRACE(described(communicator) + "\n" + described(placed));
    for (int rank = 0; rank < communicator.size(); ++rank) {
      const Plan plan = placed.plan_of(communicator, rank);
      const OverMesh* const route = over_mesh(plan.route);
      if (route == nullptr) continue;
      EXPECT_LE(plan.store_bytes,
                route->panels > 1 ? route->store.room / 2 + bytes_of_lines(plan) : route->store.bound);
      cut += route->panels > 1;
      beyond += plan.store_bytes > route->store.room;
      EXPECT_TRUE(plan.store_bytes <= route->store.room || bytes_of_lines(plan) > route->store.room / 2);
    }
  }
  EXPECT_GT(cut, 100);
  EXPECT_GT(beyond, 0);
}

// The packets of each direction take most of half of the buffer, or of the shared memory, in 4 to max_slots slots.
TEST(ChunkLimits, AreWithinHalfOfTheBufferAndTheSharedMemory) {
  testing::Random random(92);
  for (int trial = 0; trial < 5000 && !HasFailure(); ++trial) {
    Options options;
    options.buffer = std::min((Index{1} << (20 + random.below(17))) + random.below(1 << 20), Index{1} << 36);
    options.shared = random.below(2) == 1;
    const Index shared_bytes = random.below(2) * ((64 << 10) + random.below((2 << 20) - (64 << 10) + 1));
    SCOPED_TRACE(testing::text("buffer ", options.buffer, ", shared ", options.shared, ", bytes ", shared_bytes));
    const ChunkLimits limits = limits_of(options, {{1}, shared_bytes, 0});
    const Index room = options.buffer / 2;
    EXPECT_LE(limits.packet_bytes * limits.slots, room);
    if (options.shared && shared_bytes > 0) {
      EXPECT_LE(limits.shared_bytes * limits.slots, shared_bytes);
      EXPECT_GE(limits.shared_bytes, 16 << 10);
      EXPECT_LE(limits.shared_bytes, limits.packet_bytes);
    } else {
      EXPECT_GT(limits.packet_bytes * (limits.slots + 1), room);
    }
    EXPECT_GE(limits.slots, 4);
    EXPECT_LE(limits.slots, max_slots);
    EXPECT_LE(limits.packet_bytes, std::numeric_limits<int>::max());
    EXPECT_GE(limits.packet_bytes, 16 << 10);
  }
}

// A small buffer has few slots for long packets. 52 short messages have a slot each, if they travel alone and as plain
// messages; more than 64 share the slots.
TEST(Placement, GivesEachShortMessageASlot) {
  const auto plan_of = [](int processes, Index n, const Options& options) {
    const Layout a{{4, 1, 0, 0}, {7, processes, 0, 0}}, b{{5, processes, 0, 0}, {4, 1, 0, 0}};
    const std::vector<int> ranks = ranks_from(0, processes);
    return plan_process(redistribution_of(a, b, n, n, {}, 8), ranks, ranks, 0, options, {});
  };
  Options options;
  options.buffer = Index{1} << 20;
  const Plan plan = plan_of(53, 371, options);
  ASSERT_EQ(plan.limits.slots, 4);
  const BufferSize size = buffers_of({&plan, 1});
  EXPECT_EQ(size.slots, 52);
  EXPECT_GE(size.packet_bytes, plan.longest_packet);
  EXPECT_LE(size.bytes(), options.buffer);
  EXPECT_NE(description_of(plan).find("; 52 packets of 9 KB under way"), std::string::npos) << description_of(plan);
  const Plan larger = plan_of(53, 4000, options);
  EXPECT_EQ(buffers_of({&larger, 1}).slots, (options.buffer / 2) / larger.longest_packet);
  const Plan more = plan_of(80, 800, options);
  EXPECT_EQ(buffers_of({&more, 1}).slots, 64);
  const std::vector<Plan> both{plan, plan};
  EXPECT_EQ(buffers_of(both).slots, 4);
  options.permits = Options::Permits::always;
  const Plan by_permit = plan_of(53, 371, options);
  EXPECT_EQ(buffers_of({&by_permit, 1}).slots, 4);
}

// The links of a torus may be slow because distant nodes share them, while its ports are fast.
TEST(Permits, AreForSlowPorts) {
  Links links{};
  links.network = {.seconds_per_byte = 2e-8, .seconds_per_message = 1e-6, .latency = 1e-6};
  EXPECT_TRUE(permits_for({}, links));
  const Index window = window_of(links);
  links.network.to_next_node = 8e-9;
  EXPECT_FALSE(permits_for({}, links));
  EXPECT_GT(window_of(links), window);
  links.network.to_next_node = 3e-8;  // with the latency
  EXPECT_TRUE(permits_for({}, links));
  EXPECT_EQ(window_of(links), window);
}

TEST(ChunkLimits, OfDefaultsKeepPacketsInACache) {
  const ChunkLimits limits = limits_of({}, {});
  EXPECT_EQ(limits.packet_bytes, 256 << 10);
  EXPECT_EQ(limits.slots, max_slots);
  const ChunkLimits shared = limits_of({}, {{1}, 64 << 10, 0});
  EXPECT_EQ(shared.packet_bytes, 256 << 10);
  EXPECT_EQ(shared.shared_bytes, 16 << 10);
  EXPECT_EQ(shared.slots, 4);
}

}  // namespace
}  // namespace xredist::core
