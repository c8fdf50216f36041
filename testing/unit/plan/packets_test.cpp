// SPDX-License-Identifier: BSD-3-Clause
// Random batches, carried out in memory by all processes, packet by packet: sender and receiver cut alike, within the
// limits, and every element arrives, directly or over any mesh.
#include "plan/packets.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <limits>
#include <map>
#include <set>

#include "random/local_array.hpp"
#include "random/random_batch.hpp"

namespace xredist::core {
namespace {

using testing::Bytes;
using testing::Call;
using testing::Communicator;
using testing::described;
using testing::LocalArray;
using testing::Placed;
using testing::slow_build;

// A process with its plan, and its parts of the matrices, of each member of the batch.
struct Worker {
  std::deque<Plan> plans{};
  std::deque<std::optional<LocalArray>> a{}, b{};
  Bytes store{};
  Batch batch{};

  void prepare(const std::vector<Placed>& members) {
    const auto data = [](auto& array) { return array ? array->memory.data() : nullptr; };
    const auto ld = [](auto& array) { return array ? array->rows.count : 0; };
    std::vector<Job> jobs;
    for (std::size_t k = 0; k < plans.size(); ++k)
      jobs.push_back({.plan = &plans[k],
                      .a = {data(a[k]), ld(a[k])},
                      .b = {data(b[k]), ld(b[k])},
                      .member = static_cast<int>(k),
                      .panels = members[k].panels});
    assign(batch, jobs);
    store.resize(as_size(batch.buffers.store_bytes));
  }
};

// Sizes (bytes) of packets between processes that may use permits: the largest that travelled as a plain message
// nevertheless, and the smallest that did not. `shared`: of the smallest packet in shared memory.
struct Seen {
  Index message = 0, permit = std::numeric_limits<Index>::max(), shared = std::numeric_limits<Index>::max();
  int joined_packets = 0;  ///< with chunks of several plans
};

class World {
 public:
  World(const Communicator& communicator, const std::vector<Placed>& batch, Seen& seen)
      : communicator_(communicator), members_(batch), seen_(seen), workers_(as_size(communicator.size())) {
    for (int rank = 0; rank < communicator.size(); ++rank) {
      Worker& worker = at(workers_, rank);
      for (const Placed& placed : batch) {
        const Plan& plan = worker.plans.emplace_back(placed.plan_of(communicator, rank));
        const auto local = [&](const Layout& layout, const LocalPart& part) {
          return part.at ? std::optional<LocalArray>(std::in_place, layout, *part.at, placed.call) : std::nullopt;
        };
        worker.a.push_back(local(placed.call.a, plan.a));
        worker.b.push_back(local(placed.call.b, plan.b));
      }
      worker.prepare(batch);
    }
    for_elements(
        [&](std::size_t member, Index i, Index j, LocalArray& a, LocalArray&) { a.put(i, j, number(member, i, j)); });
  }

  void run() {
    Index rounds = 0;
    for (const Worker& worker : workers_) {
      rounds = std::max(rounds, worker.batch.rounds);
      for (const Plan& plan : worker.plans) {
        EXPECT_LE(worker.batch.limits.packet_bytes, plan.limits.packet_bytes);
        EXPECT_LE(worker.batch.limits.shared_bytes, plan.limits.shared_bytes);
      }
    }
    for (Index k = 0; k < rounds && !::testing::Test::HasFatalFailure(); ++k) {
      std::vector<Round> round;
      for (const Worker& worker : workers_)
        round.push_back(k < worker.batch.rounds ? testing::round_of(worker.batch, k) : Round{});
      for (int rank = 0; rank < communicator_.size(); ++rank) send(rank, at(round, rank).sends);
      for (int rank = 0; rank < communicator_.size(); ++rank) receive(rank, at(round, rank).receives);
      for (int rank = 0; rank < communicator_.size(); ++rank) copy(rank, at(round, rank).copies);
      for (const auto& [pair, packets] : under_way_) ASSERT_TRUE(packets.empty()) << "nobody receives a packet";
    }
  }

  void expect_all_there() {
    for_elements([&](std::size_t member, Index i, Index j, LocalArray&, LocalArray& b) {
      const bool moved = testing::moves(members_[member].call.region, i, j);
      ASSERT_TRUE(b.has(i, j, moved ? number(member, i, j) : 0)) << "member " << member << ": " << i << ", " << j;
    });
  }

  const std::vector<Worker>& workers() const { return workers_; }

 private:
  static std::uint32_t number(std::size_t member, Index i, Index j) {
    return static_cast<std::uint32_t>(1 + i + 1000 * (j + 1000 * static_cast<Index>(member)));
  }

  // Calls visit(member, i, j, a, b) for all elements of the submatrices, with the arrays that hold them.
  template <class Visit>
  void for_elements(Visit visit) {
    for (std::size_t k = 0; k < members_.size(); ++k) {
      const Placed& placed = members_[k];
      const auto& [a, b, m, n, region, bytes] = placed.call;
      for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < m && !::testing::Test::HasFatalFailure(); ++i)
          visit(k, i, j, *at(workers_, placed.sender({owner(a.rows, i), owner(a.cols, j)})).a[k],
                *at(workers_, placed.receiver({owner(b.rows, i), owner(b.cols, j)})).b[k]);
    }
  }

  void send(int rank, const std::vector<Transfer>& sends) {
    Worker& worker = at(workers_, rank);
    Index count = 0;
    for (PacketCursor packets(worker.batch, sends, TransferList::sends); !packets.done(); packets.advance(), ++count) {
      const Packet& packet = packets.current();
      check(worker.batch, rank, packet);
      Bytes contents(as_size(packet.bytes));
      Index bytes = 0;
      for (const Chunk& chunk : packet.chunks) {
        const Job& job = at(worker.batch.jobs, chunk.job);
        if (chunk.store == Chunk::in_array) {
          bytes += packer_.pack(job.plan->redistribution, chunk, job.a, contents.data() + bytes);
          continue;
        }
        const Index length = packer_.bytes_of(job.plan->redistribution, chunk);
        ASSERT_LE(chunk.store + length, std::ssize(worker.store));
        std::memcpy(contents.data() + bytes, worker.store.data() + chunk.store, as_size(length));
        bytes += length;
      }
      ASSERT_TRUE(packet.exact ? bytes == packet.bytes : bytes <= packet.bytes);
      contents.resize(as_size(bytes));
      under_way_[{rank, packet.peer}].push_back({packet.transport, packet.bytes, std::move(contents)});
    }
    if (worker.plans.size() == 1) {
      EXPECT_LE(count, worker.plans.front().max_packets);
    }
  }

  // Checks size and transport of a packet that a process sends.
  void check(const Batch& batch, int rank, const Packet& packet) {
    ASSERT_NE(packet.peer, rank);
    ASSERT_FALSE(packet.chunks.empty());
    ASSERT_LE(packet.bytes, batch.limits.packet_bytes);
    ASSERT_LE(packet.bytes, batch.buffers.packet_bytes);
    ASSERT_LE(batch.buffers.slots * batch.buffers.packet_bytes, batch.limits.room);
    std::set<int> jobs;
    bool exact = true;
    for (const Chunk& chunk : packet.chunks) {
      jobs.insert(chunk.job);
      exact = exact && at(batch.jobs, chunk.job).plan->redistribution.whole();
    }
    ASSERT_EQ(packet.exact, exact);
    seen_.joined_packets += jobs.size() > 1;
    const Placed& placed = at(members_, at(batch.jobs, packet.chunks.front().job).member);
    const Transport transport = testing::expected_transport(placed.options, communicator_, rank, packet.peer);
    ASSERT_LE(packet.bytes, batch.limits.of(transport));
    if (transport != Transport::permit) {
      ASSERT_EQ(packet.transport, transport);
      if (transport == Transport::shared) seen_.shared = std::min(seen_.shared, packet.bytes);
    } else if (packet.transport == Transport::message) {
      seen_.message = std::max(seen_.message, packet.bytes);
    } else {
      ASSERT_EQ(packet.transport, transport);
      seen_.permit = std::min(seen_.permit, packet.bytes);
    }
  }

  void receive(int rank, const std::vector<Transfer>& receives) {
    Worker& worker = at(workers_, rank);
    PacketCursor packets(worker.batch, receives, TransferList::receives);
    Packet packet;
    while (!packets.done()) {
      packets.take(packet);
      auto& queue = under_way_[{packet.peer, rank}];
      ASSERT_FALSE(queue.empty()) << "nobody sends the packet";
      const auto [transport, bound, contents] = std::move(queue.front());
      queue.pop_front();
      ASSERT_TRUE(transport == packet.transport && bound == packet.bytes);
      Index bytes = 0;
      for (const Chunk& chunk : packet.chunks) {
        const Job& job = at(worker.batch.jobs, chunk.job);
        const std::byte* from = contents.data() + bytes;
        const Index available = std::ssize(contents) - bytes;
        if (chunk.store == Chunk::in_array) {
          const auto length = packer_.unpack(job.plan->redistribution, chunk, from, available, job.b);
          ASSERT_TRUE(length) << "bytes are missing";
          bytes += *length;
          continue;
        }
        const Index length = packer_.bytes_of(job.plan->redistribution, chunk);
        ASSERT_LE(length, available);
        ASSERT_LE(chunk.store + length, std::ssize(worker.store));
        std::memcpy(worker.store.data() + chunk.store, from, as_size(length));
        bytes += length;
      }
      ASSERT_EQ(bytes, std::ssize(contents));
    }
  }

  void copy(int rank, const std::vector<Transfer>& copies) {
    const Batch& batch = at(workers_, rank).batch;
    for (PacketCursor packets(batch, copies, TransferList::copies); !packets.done(); packets.advance()) {
      ASSERT_EQ(packets.current().peer, rank);
      for (const Chunk& chunk : packets.current().chunks) {
        const Job& job = at(batch.jobs, chunk.job);
        packer_.copy(job.plan->redistribution, chunk, job.a, job.b);
      }
    }
  }

  struct Sent {
    Transport transport;
    Index bound;
    Bytes contents;
  };
  const Communicator& communicator_;
  const std::vector<Placed>& members_;
  Seen& seen_;
  std::vector<Worker> workers_;
  std::map<std::pair<int, int>, std::deque<Sent>> under_way_;
  Packer packer_;
};

// Expects what is known of the routes of all processes, and counts routes by their properties.
struct Routes {
  int over_meshes = 0, by_nodes = 0, forwarding = 0, in_panels = 0, of_many_rounds = 0, short_meshes = 0;

  void add(const World& world, std::size_t member, const Placed& placed, const Communicator& communicator) {
    const Route& route = world.workers().front().plans[member].route;
    for (const Worker& worker : world.workers()) {
      const Plan& plan = worker.plans[member];
      const OverMesh* const mesh = over_mesh(plan.route);
      EXPECT_TRUE(rounds_of_panel(plan.route) == rounds_of_panel(route) && panels_of(plan.route) == panels_of(route));
      EXPECT_LE(plan.store_bytes, mesh ? mesh->store.used() : 0);
      EXPECT_LE(plan.store_bytes, placed.options.buffer / 2);
      forwarding += plan.store_bytes > 0;
    }
    const OverMesh* const mesh = over_mesh(route);
    if (!mesh) return;
    ++over_meshes;
    of_many_rounds += mesh->mesh.rounds() > 2;
    short_meshes += mesh->mesh.rounds() > 2 && mesh->mesh.is_short();
    in_panels += mesh->panels > 1;
    by_nodes += std::ranges::max(communicator.nodes) > 0;
  }
};

// Deals the processes of both grids to two or three nodes, which get equally many if the numbers allow.
void deal_evenly(testing::Random& random, const Placed& placed, Communicator& communicator) {
  std::set<int> members(placed.ranks_a.begin(), placed.ranks_a.end());
  members.insert(placed.ranks_b.begin(), placed.ranks_b.end());
  const int nodes = members.size() % 2 == 0 ? 2 : 3;
  int next = static_cast<int>(random.below(nodes));
  for (const int rank : members) at(communicator.nodes, rank) = next++ % nodes;
  testing::renumber(communicator.nodes);
}

// Carries out batches of one to four plans of matrices of at most `longest` rows and columns, with buffers of at least
// `min_buffer` bytes: all direct, or all over meshes.
void carry_out_batches(unsigned seed, int trials, Index longest, Index min_buffer, bool direct, Seen& seen,
                       Routes& routes) {
  testing::Random random(seed);
  for (int trial = 0; trial < trials && !::testing::Test::HasFailure(); ++trial) {
    std::vector<Call> calls;
    int processes = 1;
    for (Index k = random.below(3) * random.below(3); k >= 0; --k) {
      calls.push_back(testing::random_call(random, direct ? 3 : 4, longest, longest));
      processes = std::max({processes, testing::processes_of(calls.back().a), testing::processes_of(calls.back().b)});
    }
    Communicator communicator = testing::random_communicator(random, processes);
    std::vector<Placed> batch;
    Options options = testing::random_options(random, min_buffer);
    std::string trace;
    for (const Call& call : calls) {
      if (random.below(2) == 0) options = testing::random_options(random, min_buffer);
      const char* const meshes[] = {"two-hop", "2", "3", "4x2", "2x3x2", "5x2"};
      const char* const route = direct ? "direct" : meshes[random.below(std::ssize(meshes))];
      EXPECT_EQ(set_option(options, "route", route), "");
      batch.push_back(testing::random_placed(random, call, communicator.size(), options));
      batch.back().panels = testing::random_panels(random);
      trace.append("\n").append(described(batch.back())).append(", ").append(route);
    }
    if (!direct && random.below(3) == 0) deal_evenly(random, batch.front(), communicator);
    SCOPED_TRACE(described(communicator) + trace);
    World world(communicator, batch, seen);
    for (std::size_t k = 0; k < batch.size(); ++k) routes.add(world, k, batch[k], communicator);
    world.run();
    world.expect_all_there();
  }
}

TEST(Packets, CarryEveryElementDirectly) {
  Seen seen;
  Routes routes;
  carry_out_batches(81, slow_build ? 100 : 1500, 60, 400, true, seen, routes);
  EXPECT_GT(seen.joined_packets, 0);
  EXPECT_EQ(routes.over_meshes, 0);
}

// Packets travel through shared memory whatever their size is, and wait for permits from 16,000 bytes on.
TEST(Packets, OfLargeMatrices) {
  Seen seen;
  Routes routes;
  carry_out_batches(82, slow_build ? 40 : 100, 500, 30'000, true, seen, routes);
  EXPECT_LT(seen.shared, 1000);
  EXPECT_GT(seen.message, 0);
  EXPECT_LT(seen.message, 16'000);
  EXPECT_GE(seen.permit, 16'000);
  EXPECT_LT(seen.permit, max_permit_packet);
}

TEST(Packets, CarryEveryElementOverMeshes) {
  Seen seen;
  Routes routes;
  carry_out_batches(131, slow_build ? 300 : 1200, 60, 1 << 15, false, seen, routes);
  EXPECT_GT(seen.joined_packets, 0);
  EXPECT_GT(routes.over_meshes, 50);
  EXPECT_GT(routes.by_nodes, 20);
  EXPECT_GT(routes.forwarding, 100);
  EXPECT_GT(routes.in_panels, 5);
  EXPECT_GT(routes.of_many_rounds, 100);
  EXPECT_GT(routes.short_meshes, 50);
}

using Numbered = std::vector<int>;

// Returns the jobs of the chunks of each packet.
std::vector<Numbered> jobs_of_packets(const Batch& batch) {
  std::vector<Numbered> jobs;
  const Round round = testing::round_of(batch, 0);
  for (PacketCursor packets(batch, round.sends, TransferList::sends); !packets.done(); packets.advance()) {
    jobs.emplace_back();
    for (const Chunk& chunk : packets.current().chunks) jobs.back().push_back(chunk.job);
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
  const Plan plan = plan_process(redistribution, ranks_a, ranks_b, 0, {}, {});
  const Index message_bytes = Index{4} * 4 * 8, any = plan.limits.packet_bytes;
  const Batch joined = repeated(plan, 3, any);
  Batch apart = joined;
  apart.joined = false;
  EXPECT_EQ(jobs_of_packets(joined), std::vector<Numbered>({{0, 1, 2}}));
  EXPECT_EQ(jobs_of_packets(repeated(plan, 3, 2 * message_bytes)), std::vector<Numbered>({{0, 1}, {2}}));
  EXPECT_EQ(jobs_of_packets(apart), std::vector<Numbered>({{0}, {1}, {2}}));
}

// Two plans from one process to two others: short messages to one process share packets, long ones come plan by plan.
TEST(Packets, OfLongMessagesComePlanByPlan) {
  const Layout one{{4, 1, 0, 0}, {4, 1, 0, 0}}, two{{2, 2, 0, 0}, {4, 1, 0, 0}};
  const Redistribution redistribution = redistribution_of(one, two, 4, 4, {}, 8);
  const std::vector<int> ranks_a{0}, ranks_b{1, 2};
  const Plan plan = plan_process(redistribution, ranks_a, ranks_b, 0, {}, {});
  const Index message_bytes = Index{2} * 4 * 8;
  const Batch narrow = repeated(plan, 2, message_bytes);
  EXPECT_EQ(jobs_of_packets(repeated(plan, 2, plan.limits.packet_bytes)), std::vector<Numbered>({{0, 1}, {0, 1}}));
  EXPECT_EQ(jobs_of_packets(narrow), std::vector<Numbered>({{0}, {0}, {1}, {1}}));

  const Round round = testing::round_of(narrow, 0);
  PacketCursor packets(narrow, round.sends, TransferList::sends);
  Packet packet;
  for (const bool more : {true, true, false, false}) {
    EXPECT_TRUE(packets.has_more_of(1));
    EXPECT_EQ(packets.has_more_of(0), more);
    ASSERT_FALSE(packets.done());
    const auto ahead = std::pair(packets.current().peer, packets.current().chunks.front().job);
    packets.take(packet);
    EXPECT_EQ(std::pair(packet.peer, packet.chunks.front().job), ahead);
  }
  EXPECT_FALSE(packets.has_more_of(1));
  EXPECT_TRUE(packets.done());
}

TEST(ChunkLimits, FitAllPlans) {
  for (const ChunkLimits& limits :
       {common({1000, 3, 90, 8}, {700, 5, 80, 9}), common({700, 5, 80, 9}, {1000, 3, 90, 8}),
        common({1000, 5, 80, 8}, {700, 3, 90, 9})}) {
    EXPECT_EQ(limits.packet_bytes, 700);
    EXPECT_EQ(limits.shared_bytes, 80);
    EXPECT_EQ(limits.slots, 3);
    EXPECT_EQ(limits.room, 8);
  }
}

}  // namespace
}  // namespace xredist::core
