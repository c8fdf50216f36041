// SPDX-License-Identifier: BSD-3-Clause
// The packets of random batches, as each process enumerates them for itself: sender and receiver obtain the same
// packets, within the limits and in the order of the schedules, and each element travels once.
#include "plan/packets.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "known_plans.hpp"

namespace xredist::core {
namespace {

using testing::Call;
using testing::Communicator;
using testing::described;
using testing::Known;
using testing::Placed;
using testing::slow_build;

// Sizes (bytes) of packets between processes that may use shared memory or permits: the largest that travelled as a
// plain message nevertheless, and the smallest that did not.
struct Sizes {
  Index message = 0, other = std::numeric_limits<Index>::max();
};
struct Seen {
  Sizes shared, permit;
  int joined_packets = 0;  ///< with chunks of several plans
};

// A batch on a communicator, and the limits, which are equal on all processes.
struct World {
  const Communicator& communicator;
  std::vector<Known> batch;
  ChunkLimits limits;
};

// The message of a pair of processes in this step of a plan travels with earlier messages of the pair, as long as these
// do not fill a packet. Returns the first of them: the number of its plan in the batch, and its step in the schedule.
std::pair<Index, Index> first_together(const World& world, int from, int to, Index plan, Index step) {
  std::pair<Index, Index> first;
  Index bytes = std::numeric_limits<Index>::max();
  for (Index k = 0; k <= plan; ++k) {
    const Known& known = at(world.batch, k);
    const auto found = known.messages.find({from, to});
    if (found == known.messages.end()) continue;
    const Placed& placed = *known.placed;
    const Transport transport = testing::expected_transport(placed.options, world.communicator, from, to);
    for (const Message& message : found->second) {
      const auto& [rows, cols] = std::pair(message.rows, message.cols);
      const Index message_bytes = (rows.end - rows.begin) * (cols.end - cols.begin) * placed.call.bytes;
      if (message_bytes == 0) continue;
      if (bytes >= world.limits.of(transport)) {
        first = {k, message.step};
        bytes = 0;
      }
      bytes += message_bytes;
      if (k == plan && message.step == step) return first;
    }
  }
  return {-1, -1};
}

using Numbers = std::vector<Index>;  // the properties of a packet on which sender and receiver must agree

// Checks the packets of one process in one direction, one after the other.
class Follower {
 public:
  Follower(World& world, int rank, bool sending, Seen& seen)
      : world_(world), rank_(rank), sending_(sending), seen_(seen) {}

  void add(const Packet& packet, const Batch& batch) {
    const int from = sending_ ? rank_ : packet.peer, to = sending_ ? packet.peer : rank_;
    ASSERT_NE(from, to);
    ASSERT_FALSE(packet.chunks.empty());
    Numbers numbers{static_cast<Index>(packet.transport), packet.bytes, packet.exact};
    Index bytes = 0;
    bool exact = true;
    std::set<Index> plans;
    for (const Chunk& chunk : packet.chunks) {
      const Index plan = at(batch.jobs, chunk.job).member;
      Known& known = at(world_.batch, plan);
      ASSERT_TRUE(known.placed->sender(chunk.p) == from && known.placed->receiver(chunk.q) == to);
      ASSERT_EQ(chunk.store, Chunk::in_array);
      bytes += chunk.rows.count * chunk.cols.count * known.placed->call.bytes;
      exact = exact && known.placed->call.region.kind == Region::Kind::all;
      for (const ChunkSide& side : {chunk.rows, chunk.cols})
        numbers.insert(numbers.end(), {plan, side.first, side.last, side.begin, side.count});
      plans.insert(plan);
      follow(from, to, plan, step_of(known, from, to, chunk));
      if (sending_) count_elements(known, chunk);
    }
    ASSERT_EQ(packet.bytes, bytes);
    ASSERT_EQ(packet.exact, exact);
    ASSERT_LE(packet.bytes, world_.limits.packet_bytes);
    check_transport(packet, from, to, at(batch.jobs, packet.chunks.front().job).member);
    seen_.joined_packets += plans.size() > 1;
    packets_[packet.peer].push_back(std::move(numbers));
  }

  const std::map<int, std::vector<Numbers>>& packets() const { return packets_; }

 private:
  // Steps do not decrease. In a joined batch, messages that travel together have the position of the first one.
  void follow(int from, int to, Index plan, Index step) {
    ASSERT_GE(step, 0) << "a chunk of two parts, or of none";
    const bool joined = world_.batch.size() > 1;
    const std::pair now = joined ? first_together(world_, from, to, plan, step) : std::pair(plan, step);
    ASSERT_GE(now, last_) << "out of the order of the steps";
    last_ = now;
    if (!joined) return;
    const int peer = sending_ ? to : from;
    ASSERT_GE(std::pair(plan, step), last_of_peer_.try_emplace(peer, -1, -1).first->second);
    last_of_peer_[peer] = {plan, step};
  }

  void check_transport(const Packet& packet, int from, int to, Index plan) {
    const Options& options = at(world_.batch, plan).placed->options;
    const Transport transport = testing::expected_transport(options, world_.communicator, from, to);
    ASSERT_TRUE(packet.transport == transport || packet.transport == Transport::message);
    ASSERT_TRUE(transport != Transport::permit || packet.bytes <= max_permit_packet);
    if (transport == Transport::message) return;
    Sizes& sizes = transport == Transport::shared ? seen_.shared : seen_.permit;
    if (packet.transport == Transport::message)
      sizes.message = std::max(sizes.message, packet.bytes);
    else
      sizes.other = std::min(sizes.other, packet.bytes);
  }

  World& world_;
  int rank_;
  bool sending_;
  Seen& seen_;
  std::pair<Index, Index> last_{-1, -1};
  std::map<int, std::pair<Index, Index>> last_of_peer_;
  std::map<int, std::vector<Numbers>> packets_;  // by peer
};

// Checks the packets that a process sends, or receives, in this batch. `packets` is used again.
std::map<int, std::vector<Numbers>> packets_of(World& world, int rank, bool sending, Packets& packets, Seen& seen) {
  std::vector<Job> jobs;
  for (const Known& known : world.batch)
    jobs.push_back({.plan = &at(known.plans, rank), .a = {}, .b = {}, .member = static_cast<int>(jobs.size())});
  Batch batch;
  assign(batch, jobs);
  EXPECT_EQ(batch.limits.packet_bytes, world.limits.packet_bytes);
  EXPECT_EQ(batch.limits.shared_bytes, world.limits.shared_bytes);
  const Round round = testing::round_of(batch, 0);
  Follower follower(world, rank, sending, seen);
  Packet packet;
  Index count = 0;
  packets.start(batch, sending ? round.sends : round.receives, sending);
  for (; packets.next(packet) && !::testing::Test::HasFatalFailure(); ++count) follower.add(packet, batch);
  if (!batch.joined && !batch.jobs.empty()) {
    EXPECT_LE(count, batch.jobs.front().plan->max_packets);
  }
  return follower.packets();
}

void check(const Communicator& communicator, const std::vector<Placed>& placed, Packets& packets, Seen& seen) {
  World world{communicator, {}, {std::numeric_limits<Index>::max(), max_slots, std::numeric_limits<Index>::max()}};
  std::string trace = described(communicator);
  for (const Placed& p : placed) {
    trace.append("\n").append(described(p));
    world.batch.push_back(testing::known_of(p, communicator));
    world.limits = common(world.limits, world.batch.back().plans.front().limits);
  }
  SCOPED_TRACE(trace);
  std::map<std::pair<int, int>, std::vector<Numbers>> sent, received;
  for (int rank = 0; rank < communicator.size() && !::testing::Test::HasFatalFailure(); ++rank) {
    for (auto& [to, numbers] : packets_of(world, rank, true, packets, seen)) sent[{rank, to}] = numbers;
    for (auto& [from, numbers] : packets_of(world, rank, false, packets, seen)) received[{from, rank}] = numbers;
  }
  if (::testing::Test::HasFatalFailure()) return;
  ASSERT_TRUE(sent == received) << "senders and receivers cut differently";
  for (const Known& known : world.batch) expect_each_once(known);
}

// Returns one to four plans of matrices of at most `longest` rows and columns, with buffers of at least `min_buffer`
// bytes.
std::pair<Communicator, std::vector<Placed>> random_batch(testing::Random& random, Index longest, Index min_buffer) {
  std::vector<Call> calls;
  int processes = 1;
  for (Index k = random.below(4); k >= 0; --k) {
    calls.push_back(testing::random_call(random, 3, longest, longest));
    processes = std::max({processes, testing::processes_of(calls.back().a), testing::processes_of(calls.back().b)});
  }
  const Communicator communicator = testing::random_communicator(random, processes);
  std::vector<Placed> placed;
  Options options = testing::random_options(random, min_buffer);
  for (const Call& call : calls) {
    if (random.below(2) == 0) options = testing::random_options(random, min_buffer);
    placed.push_back(testing::random_placed(random, call, communicator.size(), options));
  }
  return {communicator, placed};
}

TEST(Packets, AreEqualOnBothSides) {
  testing::Random random(81);
  Packets packets;
  Seen seen;
  for (int trial = 0; trial < (slow_build ? 100 : 2000) && !HasFailure(); ++trial) {
    const auto [communicator, placed] = random_batch(random, 60, 400);
    check(communicator, placed, packets, seen);
  }
  EXPECT_GT(seen.joined_packets, 0);
}

// Some packets are large enough for every transport.
TEST(Packets, OfLargeMatrices) {
  testing::Random random(82);
  Packets packets;
  Seen seen;
  for (int trial = 0; trial < (slow_build ? 10 : 200) && !HasFailure(); ++trial) {
    const auto [communicator, placed] = random_batch(random, 500, 30'000);
    check(communicator, placed, packets, seen);
  }
  EXPECT_GT(seen.joined_packets, 0);
  EXPECT_LT(seen.shared.message, seen.shared.other);  // the transport depends on the size only
  EXPECT_LT(seen.permit.message, seen.permit.other);
  for (const Sizes& sizes : {seen.shared, seen.permit}) {
    EXPECT_GT(sizes.message, 0);
    EXPECT_LT(sizes.other, max_permit_packet);
  }
}

using Numbered = std::vector<int>;

// Returns the jobs of the chunks of each packet.
std::vector<Numbered> jobs_of_packets(Packets& packets, const Batch& batch) {
  std::vector<Numbered> jobs;
  Packet packet;
  const Round round = testing::round_of(batch, 0);
  for (packets.start(batch, round.sends, true); packets.next(packet);) {
    jobs.emplace_back();
    for (const Chunk& chunk : packet.chunks) jobs.back().push_back(chunk.job);
  }
  return jobs;
}

// Returns the batch that carries out a plan `count` times, with packets of at most `packet_bytes`.
Batch repeated(const Plan& plan, std::size_t count, Index packet_bytes) {
  Batch batch;
  assign(batch, std::vector<Job>(count, Job{.plan = &plan, .a = {}, .b = {}}));
  batch.limits.packet_bytes = batch.limits.shared_bytes = packet_bytes;
  return batch;
}

// Three small messages between the same two processes share one packet, in the order of their plans.
TEST(Packets, JoinPlansOfAPair) {
  const Layout one{{4, 1, 0, 0}, {4, 1, 0, 0}};
  const Redistribution redistribution = redistribution_of(one, one, 4, 4, {}, 8);
  const std::vector<int> ranks_a{0}, ranks_b{1};
  const Plan plan = make_plan(redistribution, ranks_a, ranks_b, 0, {}, {});
  const Index message_bytes = 4 * 4 * 8, any = plan.limits.packet_bytes;
  const Batch joined = repeated(plan, 3, any);
  Batch apart = joined;
  apart.joined = false;
  Packets packets;
  EXPECT_EQ(jobs_of_packets(packets, joined), std::vector<Numbered>({{0, 1, 2}}));
  EXPECT_EQ(jobs_of_packets(packets, repeated(plan, 3, 2 * message_bytes)), std::vector<Numbered>({{0, 1}, {2}}));
  EXPECT_EQ(jobs_of_packets(packets, apart), std::vector<Numbered>({{0}, {1}, {2}}));

  const Batch in_chunks = repeated(plan, 3, message_bytes / 4);
  const Round round = testing::round_of(in_chunks, 0);
  Packet packet;
  packets.start(in_chunks, round.sends, true);
  packets.next(packet);  // the enumeration is left in the middle of a message, and starts anew
  EXPECT_EQ(jobs_of_packets(packets, joined), std::vector<Numbered>({{0, 1, 2}}));
}

// Two plans from one process to two others: short messages to one process share packets, long ones come plan by plan.
TEST(Packets, OfLongMessagesComePlanByPlan) {
  const Layout one{{4, 1, 0, 0}, {4, 1, 0, 0}}, two{{2, 2, 0, 0}, {4, 1, 0, 0}};
  const Redistribution redistribution = redistribution_of(one, two, 4, 4, {}, 8);
  const std::vector<int> ranks_a{0}, ranks_b{1, 2};
  const Plan plan = make_plan(redistribution, ranks_a, ranks_b, 0, {}, {});
  const Index message_bytes = 2 * 4 * 8;
  const Batch narrow = repeated(plan, 2, message_bytes);
  Packets packets;
  EXPECT_EQ(jobs_of_packets(packets, repeated(plan, 2, plan.limits.packet_bytes)),
            std::vector<Numbered>({{0, 1}, {0, 1}}));
  EXPECT_EQ(jobs_of_packets(packets, narrow), std::vector<Numbered>({{0}, {0}, {1}, {1}}));

  const Round round = testing::round_of(narrow, 0);
  Packet packet;
  packets.start(narrow, round.sends, true);
  for (const bool more : {true, true, false, false}) {
    EXPECT_TRUE(packets.has_more_of(1));
    EXPECT_EQ(packets.has_more_of(0), more);
    packets.next(packet);
  }
  EXPECT_FALSE(packets.has_more_of(1));
}

TEST(ChunkLimits, FitAllPlans) {
  for (const ChunkLimits& limits : {common({1000, 3, 90}, {700, 5, 80}), common({700, 5, 80}, {1000, 3, 90}),
                                    common({1000, 5, 80}, {700, 3, 90})}) {
    EXPECT_EQ(limits.packet_bytes, 700);
    EXPECT_EQ(limits.shared_bytes, 80);
    EXPECT_EQ(limits.slots, 3);
  }
}

}  // namespace
}  // namespace xredist::core
