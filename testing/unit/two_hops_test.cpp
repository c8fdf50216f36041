// SPDX-License-Identifier: BSD-3-Clause
// Messages in two hops: every element arrives, what each process does agrees with what its peers do, and the theorems'
// numbers of steps, bytes between nodes and bytes between the hops hold.
#include "route/mesh_route.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <map>
#include <set>

#include "plan/packets.hpp"
#include "random_batch.hpp"

namespace xredist::core {
namespace {

using testing::Communicator;
using testing::described;
using testing::Held;
using testing::Placed;
using testing::slow_build;
using Bytes = std::vector<std::byte>;

// A process's part of a matrix; each element is a number of 4 bytes as often as it fits.
struct LocalPart {
  Held rows, cols;
  Index bytes;
  Bytes memory;

  LocalPart(const Layout& layout, Coord at, const testing::Call& call)
      : rows(testing::held_by(layout.rows, at.row, call.m)),
        cols(testing::held_by(layout.cols, at.col, call.n)),
        bytes(call.bytes),
        memory(static_cast<std::size_t>(rows.count * cols.count * bytes), std::byte{0}) {}

  std::byte* at(Index i, Index j) {
    const Index row = rows.local[static_cast<std::size_t>(i)], col = cols.local[static_cast<std::size_t>(j)];
    return row < 0 || col < 0 ? nullptr : memory.data() + (row + col * rows.count) * bytes;
  }
  void put(Index i, Index j, std::uint32_t number) {
    for (Index k = 0; k < bytes; k += 4) std::memcpy(at(i, j) + k, &number, 4);
  }
};

// A process of a communicator with its plan and its parts of A and B.
struct Worker {
  Plan plan;
  std::optional<LocalPart> a, b;
  Bytes store{};
  Batch batch{};

  void prepare() {
    store.resize(static_cast<std::size_t>(plan.cut.stored));
    batch.cut = plan.cut;
    if (!plan.takes_part()) return;
    batch.jobs.push_back({&plan,
                          {a ? a->memory.data() : nullptr, a ? a->rows.count : 0},
                          {b ? b->memory.data() : nullptr, b ? b->rows.count : 0}});
  }
};

// Carries out a plan on all processes, load by load, in memory.
class World {
 public:
  World(const Placed& placed, const Communicator& communicator) : placed_(placed) {
    const testing::Call& call = placed.call;
    for (int rank = 0; rank < communicator.size(); ++rank) {
      Plan plan = placed.plan_of(communicator, rank);
      std::optional<LocalPart> a, b;
      if (plan.in_a) a.emplace(call.a, *plan.in_a, call);
      if (plan.in_b) b.emplace(call.b, *plan.in_b, call);
      workers_.push_back({std::move(plan), std::move(a), std::move(b)});
    }
    for (Worker& worker : workers_) worker.prepare();
    each([&](Index i, Index j) { a_at(i, j).put(i, j, number(i, j)); });
  }

  void run() {
    for (Index phase = 0; phase < 2 * workers_.front().plan.route.panels; ++phase) {
      for (int rank = 0; rank < size(); ++rank) send(rank, phase);
      for (int rank = 0; rank < size(); ++rank) receive(rank, phase);
      for (const auto& [pair, loads] : under_way_) ASSERT_TRUE(loads.empty()) << "nobody receives a load";
    }
    each([&](Index i, Index j) {
      if (&a_worker(i, j) == &b_worker(i, j) && testing::moves(placed_.call.region, i, j))
        b_at(i, j).put(i, j, number(i, j));  // stays on its process
    });
  }

  void expect_all_there() {
    each([&](Index i, Index j) {
      std::uint32_t found = 0;
      for (Index k = 0; k < placed_.call.bytes; k += 4) {
        std::memcpy(&found, b_at(i, j).at(i, j) + k, 4);
        ASSERT_EQ(found, testing::moves(placed_.call.region, i, j) ? number(i, j) : 0) << i << ", " << j;
      }
    });
  }

  const std::deque<Worker>& workers() const { return workers_; }
  int size() const { return static_cast<int>(workers_.size()); }

 private:
  std::uint32_t number(Index i, Index j) const { return static_cast<std::uint32_t>(1 + i + j * placed_.call.m); }
  Worker& a_worker(Index i, Index j) {
    const Layout& a = placed_.call.a;
    return workers_[static_cast<std::size_t>(placed_.sender({owner(a.rows, i), owner(a.cols, j)}))];
  }
  Worker& b_worker(Index i, Index j) {
    const Layout& b = placed_.call.b;
    return workers_[static_cast<std::size_t>(placed_.receiver({owner(b.rows, i), owner(b.cols, j)}))];
  }
  LocalPart& a_at(Index i, Index j) { return *a_worker(i, j).a; }
  LocalPart& b_at(Index i, Index j) { return *b_worker(i, j).b; }

  template <class Visit>
  void each(Visit visit) {
    for (Index j = 0; j < placed_.call.n; ++j)
      for (Index i = 0; i < placed_.call.m; ++i)
        if (!::testing::Test::HasFatalFailure()) visit(i, j);
  }

  void send(int rank, Index phase) {
    Worker& worker = workers_[static_cast<std::size_t>(rank)];
    Loads loads;
    Load load;
    for (loads.start(worker.batch, phase, true); loads.next(load);) {
      ASSERT_LE(load.bytes, worker.plan.cut.piece_bytes);
      Bytes contents(static_cast<std::size_t>(load.bytes));
      for (const LoadedPiece& x : load.pieces)
        if (x.stored == RoutedMessage::not_stored)
          packer_.pack(x.job->plan->redistribution, x.piece, x.job->a, contents.data() + x.offset);
        else
          std::memcpy(contents.data() + x.offset, worker.store.data() + x.stored, static_cast<std::size_t>(x.bytes()));
      under_way_[{rank, load.rank}].push_back({load.way, std::move(contents)});
    }
  }

  void receive(int rank, Index phase) {
    Worker& worker = workers_[static_cast<std::size_t>(rank)];
    Loads loads;
    Load load;
    for (loads.start(worker.batch, phase, false); loads.next(load);) {
      auto& queue = under_way_[{load.rank, rank}];
      ASSERT_FALSE(queue.empty()) << "nobody sends the load";
      const auto [way, contents] = std::move(queue.front());
      queue.pop_front();
      ASSERT_EQ(way, load.way);
      ASSERT_EQ(std::ssize(contents), load.bytes);
      for (const LoadedPiece& x : load.pieces)
        if (x.stored == RoutedMessage::not_stored)
          packer_.unpack(x.job->plan->redistribution, x.piece, contents.data() + x.offset, x.job->b);
        else
          std::memcpy(worker.store.data() + x.stored, contents.data() + x.offset, static_cast<std::size_t>(x.bytes()));
    }
  }

  struct Sent {
    Way way;
    Bytes contents;
  };
  const Placed& placed_;
  std::deque<Worker> workers_;  // jobs point to their plans
  std::map<std::pair<int, int>, std::deque<Sent>> under_way_;
  Packer packer_;
};

Placed in_two_hops(testing::Random& random, const testing::Call& call, int processes) {
  Placed placed = testing::random_placed(random, call, processes, testing::random_options(random, 1 << 15));
  placed.options.route = Options::two_hops;
  return placed;
}

TEST(TwoHops, CarryEveryElement) {
  testing::Random random(131);
  int in_two = 0, by_nodes = 0, forwarded = 0, in_panels = 0;
  for (int trial = 0; trial < (slow_build ? 400 : 1500) && !HasFailure(); ++trial) {
    const testing::Call call = testing::random_call(random, 4, 60, 60);
    const Communicator communicator =
        testing::random_communicator(random, std::max(testing::processes_of(call.a), testing::processes_of(call.b)));
    const Placed placed = in_two_hops(random, call, communicator.size());
    SCOPED_TRACE(described(communicator) + "\n" + described(placed));
    World world(placed, communicator);
    const RouteCosts& route = world.workers().front().plan.route;
    for (const Worker& worker : world.workers()) {
      EXPECT_EQ(worker.plan.route.two_hops, route.two_hops);
      EXPECT_LE(worker.plan.cut.stored, route.panels == 1 ? route.stored : route.room);
      EXPECT_LE(worker.plan.cut.stored, placed.options.buffer / 2);
      forwarded += worker.plan.cut.stored > 0;
    }
    world.run();
    world.expect_all_there();
    in_two += route.two_hops;
    in_panels += route.two_hops && route.panels > 1;
    by_nodes += route.two_hops && std::ranges::max(communicator.nodes) > 0;
  }
  EXPECT_GT(in_two, 50);
  EXPECT_GT(by_nodes, 20);
  EXPECT_GT(forwarded, 100);
  EXPECT_GT(in_panels, 5);
}

// All that the processes of a mesh do in a hop, as they work it out for themselves.
struct WholeHop {
  std::map<std::tuple<int, int>, std::set<std::pair<int, int>>> sent, received;  // by step and process: peers
  std::set<std::tuple<int, int, int, int, int>> sends, receives;                 // step, from, to, p, q
  int steps = 0, degree = 0;
};

std::array<WholeHop, 2> whole_hops(TwoHops& hops, bool coloured) {
  std::array<WholeHop, 2> whole;
  for (int x = 0; x < hops.mesh().size(); ++x) {
    const BothHops both = hops.scheduled(x, coloured);
    for (const std::size_t hop : {0, 1}) {
      WholeHop& w = whole[hop];
      std::set<int> to, from;
      for (const HopMessage& m : both[hop].sends) {
        EXPECT_NE(m.peer, x);
        w.sends.insert({m.step, x, m.peer, m.p, m.q});
        w.sent[{m.step, x}].insert({x, m.peer});
        to.insert(m.peer);
        w.steps = std::max(w.steps, m.step + 1);
      }
      for (const HopMessage& m : both[hop].receives) {
        w.receives.insert({m.step, m.peer, x, m.p, m.q});
        w.received[{m.step, x}].insert({m.peer, x});
        from.insert(m.peer);
      }
      w.degree = std::max({w.degree, static_cast<int>(to.size()), static_cast<int>(from.size())});
    }
  }
  return whole;
}

// Both ends agree, no process has two peers in a step, and there are as few steps as may be.
void expect_proper(const std::array<WholeHop, 2>& whole) {
  for (const WholeHop& hop : whole) {
    EXPECT_EQ(hop.sends, hop.receives);
    for (const auto* side : {&hop.sent, &hop.received})
      for (const auto& [key, peers] : *side) EXPECT_EQ(peers.size(), 1U);
  }
}

std::vector<int> ranks_from(int first, int count) {
  std::vector<int> ranks(static_cast<std::size_t>(count));
  std::iota(ranks.begin(), ranks.end(), first);
  return ranks;
}

TEST(TwoHops, HaveProperSchedulesOfFewSteps) {
  testing::Random random(132);
  int short_rows = 0;
  for (int trial = 0; trial < (slow_build ? 100 : 600) && !HasFailure(); ++trial) {
    const testing::Call call = testing::random_call(random, 5, 100, 100);
    const std::vector<int> a = ranks_from(0, testing::processes_of(call.a));
    const std::vector<int> b = ranks_from(static_cast<int>(random.below(4)), testing::processes_of(call.b));
    const ProcessGrid grid_a{a, call.a.cols.procs}, grid_b{b, call.b.cols.procs};
    SCOPED_TRACE(described(call));
    TwoHops hops(call.redistribution().traffic, grid_a, grid_b, mesh_of(grid_a, grid_b, {}));
    const Mesh& mesh = hops.mesh();
    const auto coloured = whole_hops(hops, true), rotated = whole_hops(hops, false);
    expect_proper(coloured);
    expect_proper(rotated);
    short_rows += mesh.short_row() > 0;
    if (mesh.short_row() > 0) continue;
    for (const std::size_t hop : {0, 1}) EXPECT_EQ(coloured[hop].steps, coloured[hop].degree);
    EXPECT_LE(rotated[0].steps, mesh.columns());
    EXPECT_LE(rotated[1].steps, mesh.rows());
  }
  EXPECT_GT(short_rows, 20);
}

// Where both grids are the mesh: the columns' steps and then the rows', in place of their product.
TEST(TwoHops, OfOneGridGoDimensionByDimension) {
  const Layout a{{3, 16, 0, 0}, {5, 16, 0, 0}}, b{{5, 16, 0, 0}, {3, 16, 0, 0}};
  const Traffic traffic = redistribution_of(a, b, 960, 960, {}, 8).traffic;
  const std::vector<int> ranks = ranks_from(0, 256);
  const ProcessGrid grid{ranks, 16};
  TwoHops hops(traffic, grid, grid, mesh_of(grid, grid, {}));
  const auto whole = whole_hops(hops, true);
  EXPECT_EQ(optimal_schedule(traffic).count, 49);
  EXPECT_EQ(whole[0].steps, 7);
  EXPECT_EQ(whole[1].steps, 7);
  EXPECT_TRUE(hops.quick_to_colour(49));
  EXPECT_FALSE(hops.quick_to_colour(4097));
}

// The first hop stays in nodes; the second carries between nodes what direct messages carry.
TEST(TwoHops, CarryNoMoreBetweenNodes) {
  testing::Random random(133);
  for (int trial = 0; trial < 100 && !HasFailure(); ++trial) {
    testing::Call call = testing::random_call(random, 4, 80, 80);
    const auto change = [&random](Axis& axis, Index procs) {
      const bool cyclic = is_cyclic(axis);
      axis = cyclic ? Axis(axis.block(), procs, axis.source() % procs, axis.first) : Axis(1, procs, 0, axis.first);
      if (!cyclic) axis = random.cut(axis, axis.first + 80);
    };
    change(call.a.rows, 4), change(call.a.cols, 3), change(call.b.rows, 4), change(call.b.cols, 3);
    const std::vector<int> ranks = ranks_from(0, 12), nodes{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2};
    const ProcessGrid grid{ranks, 3};
    const auto node = [&](int rank) { return nodes[static_cast<std::size_t>(rank)]; };
    TwoHops hops(call.redistribution().traffic, grid, grid, mesh_of(grid, grid, nodes));
    EXPECT_EQ(hops.mesh().columns(), 4);
    Index direct = 0, second = 0;
    for (int x = 0; x < 12; ++x) {
      for (int y = 0; y < 12; ++y)
        if (const auto m = hops.message(y, x, y); m && node(hops.mesh().rank_at(x)) != node(hops.mesh().rank_at(y)))
          direct += m->elements();
      const BothHops both = hops.messages_of(x);
      for (const HopMessage& m : both[0].sends)
        EXPECT_EQ(node(hops.mesh().rank_at(x)), node(hops.mesh().rank_at(m.peer)));
      for (const HopMessage& m : both[1].sends) second += m.elements();
    }
    EXPECT_EQ(second, direct);
  }
}

TEST(Mesh, IsOfNodesOrTheGridOrNearlySquare) {
  const auto columns = [](int a, int a_columns, int b, int b_columns, const std::vector<int>& nodes) {
    const std::vector<int> ranks_a = ranks_from(0, a), ranks_b = ranks_from(0, b);
    return mesh_of({ranks_a, a_columns}, {ranks_b, b_columns}, nodes).columns();
  };
  EXPECT_EQ(columns(12, 4, 12, 4, {}), 4);
  EXPECT_EQ(columns(12, 6, 12, 6, {}), 6);
  EXPECT_EQ(columns(12, 6, 12, 4, {}), 3);
  EXPECT_EQ(columns(240, 20, 240, 15, {}), 15);
  EXPECT_EQ(columns(1, 1, 1024, 32, {}), 32);
  EXPECT_EQ(columns(13, 1, 13, 13, {}), 4);  // the last row is short
  EXPECT_EQ(columns(6, 2, 6, 2, {0, 0, 0, 1, 1, 1}), 3);
  EXPECT_EQ(columns(6, 2, 6, 2, {0, 1, 0, 1, 0, 1}), 3);
  EXPECT_EQ(columns(6, 2, 6, 2, {0, 0, 0, 0, 1, 1}), 2);  // unequal nodes
  EXPECT_EQ(columns(6, 2, 6, 2, {0, 1, 2, 3, 4, 5}), 2);  // a process each
  EXPECT_EQ(columns(6, 2, 6, 2, {0, 0, 0, 0, 0, 0}), 2);  // one node
}

TEST(Mesh, HasOneWayForEachPair) {
  for (int size = 4; size < (slow_build ? 20 : 40); ++size)
    for (int columns = 2; columns < size; ++columns) {
      const Mesh mesh(ranks_from(0, size), columns);
      for (int v = 0; v < size; ++v) {
        const std::vector<int> sources = mesh.sources(v), targets = mesh.targets(v);
        for (int p = 0; p < size; ++p)
          for (int q = 0; q < size; ++q) {
            const bool here = std::ranges::binary_search(sources, p) && std::ranges::binary_search(targets, q);
            ASSERT_EQ(mesh.via(p, q) == v, here) << size << " in rows of " << columns << ": " << p << " to " << q;
          }
      }
    }
}

}  // namespace
}  // namespace xredist::core
