// SPDX-License-Identifier: BSD-3-Clause
// Routes that forward messages: the theorems' numbers of steps and bytes between nodes hold. packets_test moves
// elements over such routes.
#include "route/mesh_route.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "random/random_batch.hpp"
#include "route/route.hpp"

namespace xredist::core {
namespace {

using testing::described;
using testing::ranks_from;
using testing::slow_build;

// The legs of all processes of a mesh in one round, as each process lists them for itself.
struct WholeRound {
  std::map<std::tuple<int, int>, std::set<std::pair<int, int>>> sent, received;  // pairs by step and process
  std::set<std::tuple<int, int, int, int, int>> sends, receives;                 // step, from, to, p, q
  int steps = 0, degree = 0;
};

std::vector<WholeRound> whole_rounds(const MeshRoute& mesh_route) {
  std::vector<WholeRound> whole(static_cast<std::size_t>(mesh_route.mesh().rounds()));
  for (int x = 0; x < mesh_route.mesh().size(); ++x) {
    const std::vector<Legs> legs = mesh_route.scheduled(x);
    for (std::size_t round = 0; round < legs.size(); ++round) {
      WholeRound& w = whole[round];
      std::set<int> to, from;
      for (const Leg& m : legs[round].sends) {
        EXPECT_NE(m.peer, x);
        w.sends.insert({m.step, x, m.peer, m.p, m.q});
        w.sent[{m.step, x}].insert({x, m.peer});
        to.insert(m.peer);
        w.steps = std::max(w.steps, m.step + 1);
      }
      for (const Leg& m : legs[round].receives) {
        w.receives.insert({m.step, m.peer, x, m.p, m.q});
        w.received[{m.step, x}].insert({m.peer, x});
        from.insert(m.peer);
      }
      w.degree = std::max({w.degree, static_cast<int>(to.size()), static_cast<int>(from.size())});
    }
  }
  return whole;
}

// Expects that both ends agree and no process has two peers in a step.
void expect_proper(const std::vector<WholeRound>& whole) {
  for (const WholeRound& round : whole) {
    EXPECT_EQ(round.sends, round.receives);
    for (const auto* side : {&round.sent, &round.received})
      for (const auto& [key, peers] : *side) EXPECT_EQ(peers.size(), 1U);
  }
}

std::shared_ptr<const GridPair> paired(const ProcessGrid& a, const ProcessGrid& b, const std::vector<int>& nodes = {}) {
  const auto list = [](const ProcessGrid& grid) { return std::vector<int>(grid.ranks.begin(), grid.ranks.end()); };
  return std::make_shared<const GridPair>(list(a), a.columns, list(b), b.columns, nodes, 0);
}

// Returns the number of columns of the mesh of two digits, also if that is 1 or all positions.
int columns_of(const GridPair& grids) {
  const std::optional<Mesh> mesh = mesh_of(grids, {RouteOption::Kind::over_mesh});
  if (mesh) return mesh->radix(0);
  return grids.equal() ? static_cast<int>(grids.a().grid.columns) : columns_of_square(grids.members().size());
}

MeshRoute route_of(const Traffic& traffic, const ProcessGrid& a, const ProcessGrid& b, const std::vector<int>& nodes) {
  const auto grids = paired(a, b, nodes);
  return {traffic, grids, {grids->members().size(), {columns_of(*grids)}}};
}

// Returns a mesh of two to four digits.
Mesh random_mesh(testing::Random& random, int size) {
  std::vector<int> radices;
  for (int k = 0; k < 3; ++k) radices.push_back(2 + static_cast<int>(random.below(4)));
  radices = fitted(radices, size);
  return {size, radices};
}

// Gives a layout of at most 90 x 90 elements another grid.
void change_grid(testing::Random& random, Layout& layout, Index nprow, Index npcol) {
  for (const auto& [axis, procs] : {std::pair{&layout.rows, nprow}, {&layout.cols, npcol}})
    *axis = is_cyclic(*axis) ? Axis(axis->block(), procs, axis->source() % procs, axis->first)
                             : random_partition(random, Axis(1, procs, 0, axis->first), axis->first + 90);
}

// Returns the load of a process in each round as its legs have it.
std::vector<Load> listed_loads(const MeshRoute& mesh_route, int x) {
  const std::vector<Legs> legs = mesh_route.legs_of(x);
  std::vector<Load> loads(legs.size());
  for (std::size_t round = 0; round < legs.size(); ++round) {
    Load& load = loads[round];
    for (const auto* list : {&legs[round].sends, &legs[round].receives}) {
      std::set<int> peers;
      Index elements = 0;
      for (const Leg& leg : *list) peers.insert(leg.peer), elements += leg.elements();
      load = {std::max(load.messages, std::ssize(peers)), std::max(load.elements, elements)};
    }
  }
  return loads;
}

TEST(MeshRoute, KnowsItsLoads) {
  testing::Random random(135);
  const Index sides[] = {1, 2, 3, 4, 6, 8, 12};
  int products = 0, lists = 0;
  for (int trial = 0; trial < (slow_build ? 100 : 400) && !HasFailure(); ++trial) {
    testing::Call call = testing::random_call(random, 4, 90, 90);
    const auto side = [&] { return sides[random.below(std::ssize(sides))]; };
    for (Layout* x : {&call.a, &call.b}) change_grid(random, *x, side(), side());
    const std::vector<int> ranks_a = ranks_from(0, static_cast<int>(call.a.rows.procs * call.a.cols.procs)),
                           ranks_b = ranks_from(0, static_cast<int>(call.b.rows.procs * call.b.cols.procs));
    const ProcessGrid a{ranks_a, call.a.cols.procs}, b{ranks_b, call.b.cols.procs};
    const auto grids = paired(a, b);
    const int size = grids->members().size();
    if (size < 4) continue;
    const Traffic traffic = call.redistribution().traffic;
    MeshRoute mesh_route(traffic, grids, random_mesh(random, size));
    ++(mesh_route.loads_are_products() ? products : lists);
    for (int x = 0; x < size; ++x) {
      const std::vector<Load> loads = mesh_route.loads_of(x), listed = listed_loads(mesh_route, x);
      ASSERT_EQ(loads.size(), listed.size());
      for (std::size_t round = 0; round < loads.size(); ++round) {
        ASSERT_EQ(loads[round].messages, listed[round].messages) << text_of(mesh_route.mesh()) << " " << x;
        ASSERT_EQ(loads[round].elements, listed[round].elements) << text_of(mesh_route.mesh()) << " " << x;
      }
    }
  }
  EXPECT_GT(products, 5);
  EXPECT_GT(lists, 5);
}

TEST(MeshRoute, HasProperSchedulesOfFewSteps) {
  testing::Random random(132);
  int short_meshes = 0;
  for (int trial = 0; trial < (slow_build ? 100 : 600) && !HasFailure(); ++trial) {
    const testing::Call call = testing::random_call(random, 5, 100, 100);
    const std::vector<int> a = ranks_from(0, testing::processes_of(call.a));
    const std::vector<int> b = ranks_from(static_cast<int>(random.below(4)), testing::processes_of(call.b));
    const ProcessGrid grid_a{a, call.a.cols.procs}, grid_b{b, call.b.cols.procs};
    MeshRoute mesh_route = route_of(call.redistribution().traffic, grid_a, grid_b, {});
    if (random.below(2) == 0) mesh_route = mesh_route.over(random_mesh(random, mesh_route.mesh().size()));
    const Mesh& mesh = mesh_route.mesh();
    SCOPED_TRACE(described(call) + "; mesh " + text_of(mesh) + " of " + std::to_string(mesh.size()));
    const std::vector<WholeRound> whole = whole_rounds(mesh_route);
    expect_proper(whole);
    short_meshes += mesh.is_short();
    for (int round = 0; round < mesh.rounds(); ++round) {
      const auto k = static_cast<std::size_t>(round);
      EXPECT_LE(whole[k].steps, mesh.radix(round) - 1 + (mesh.is_short() ? mesh.radix(round) : 0));
      if (!mesh.is_short()) {
        EXPECT_LT(whole[k].degree, mesh.radix(round));
      }
    }
  }
  EXPECT_GT(short_meshes, 20);
}

// If both grids are the mesh, a process has as many messages as columns need plus as many as rows need, instead of the
// product.
TEST(MeshRoute, OfOneGridGoesDimensionByDimension) {
  const Layout a{{3, 16, 0, 0}, {5, 16, 0, 0}}, b{{5, 16, 0, 0}, {3, 16, 0, 0}};
  const Traffic traffic = redistribution_of(a, b, 960, 960, {}, 8).traffic;
  const std::vector<int> ranks = ranks_from(0, 256);
  const ProcessGrid grid{ranks, 16};
  MeshRoute mesh_route = route_of(traffic, grid, grid, {});
  const std::vector<WholeRound> whole = whole_rounds(mesh_route);
  EXPECT_EQ(optimal_schedule(traffic).count, 49);
  EXPECT_EQ(whole[0].degree, 7);
  EXPECT_EQ(whole[1].degree, 7);
  for (const WholeRound& round : whole_rounds(mesh_route.over({256, {4, 4, 4}}))) EXPECT_EQ(round.steps, 3);
}

// All rounds but the last stay within nodes. The last carries as much between nodes as direct messages do.
TEST(MeshRoute, CarriesNoMoreBetweenNodes) {
  testing::Random random(133);
  for (int trial = 0; trial < 100 && !HasFailure(); ++trial) {
    testing::Call call = testing::random_call(random, 4, 80, 80);
    for (Layout* x : {&call.a, &call.b}) change_grid(random, *x, 4, 3);
    const std::vector<int> ranks = ranks_from(0, 12), nodes{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2};
    const ProcessGrid grid{ranks, 3};
    const auto node = [&](int rank) { return nodes[static_cast<std::size_t>(rank)]; };
    MeshRoute mesh_route = route_of(call.redistribution().traffic, grid, grid, nodes);
    EXPECT_EQ(mesh_route.mesh().radix(0), 4);
    if (trial % 2 == 1) mesh_route = mesh_route.over({12, {2, 2}});  // a node is two digits
    const int on_nodes = mesh_route.mesh().rounds() - 1;
    EXPECT_TRUE(mesh_route.mesh().stays_within(on_nodes - 1, 4));
    EXPECT_FALSE(mesh_route.mesh().stays_within(on_nodes, 4));
    const auto node_at = [&](int position) { return node(mesh_route.members().rank_at(position)); };
    Index direct = 0, last = 0;
    for (int x = 0; x < 12; ++x) {
      for (int y = 0; y < 12; ++y)
        if (const auto m = mesh_route.leg(y, x, y); m && node_at(x) != node_at(y)) direct += m->elements();
      const std::vector<Legs> legs = mesh_route.legs_of(x);
      for (int round = 0; round < on_nodes; ++round)
        for (const Leg& m : legs[static_cast<std::size_t>(round)].sends) EXPECT_EQ(node_at(x), node_at(m.peer));
      for (const Leg& m : legs.back().sends) last += m.elements();
    }
    EXPECT_EQ(last, direct);
  }
}

// The route of a matrix on 16x16 processes, one on each node, of a network that was measured.
ChosenRoute route_on_network(Index bytes_of_process, double seconds_per_byte, bool permits) {
  const Layout a{{7, 16, 0, 0}, {11, 16, 0, 0}}, b{{11, 16, 0, 0}, {7, 16, 0, 0}};
  const auto n = static_cast<Index>(16 * std::sqrt(static_cast<double>(bytes_of_process) / 8));
  const std::vector<int> ranks = ranks_from(0, 256);
  const ProcessGrid grid{ranks, 16};
  Links links;
  links.nodes = ranks;
  links.network = {seconds_per_byte, 2e-6};
  links.memory = {1e-10, 1e-7};
  return choose_route(redistribution_of(a, b, n, n, {}, 8), paired(grid, grid, ranks), {}, links, permits);
}

TEST(Route, HasMoreRoundsForSmallMessages) {
  const ChosenRoute chosen = route_on_network(16 << 10, 8e-11, false);
  const Route& small = chosen.route;
  ASSERT_NE(over_mesh(small), nullptr);
  EXPECT_EQ(text_of(over_mesh(small)->mesh), "4x4x4x4");
  for (const Work& round : over_mesh(small)->rounds) EXPECT_EQ(round.messages, 3);
  EXPECT_EQ(rounds_of_panel(route_on_network(256 << 10, 8e-11, false).route), 2);
  EXPECT_EQ(over_mesh(route_on_network(4 << 20, 8e-11, false).route), nullptr);
  EXPECT_LE(rounds_of_panel(route_on_network(16 << 10, 8e-9, true).route), 2);  // permits: a slow network
}

// A round costs a latency, whatever its messages: where the latency is greater than the processor time of a message,
// fewer rounds are better. 4x4/3x5 -> 4x4/5x3, 100 Gbit/s, 0.1 us a message, 16 KB for each process.
TEST(Route, KnowsLatency) {
  const Layout a{{3, 4, 0, 0}, {5, 4, 0, 0}}, b{{5, 4, 0, 0}, {3, 4, 0, 0}};
  const std::vector<int> ranks = ranks_from(0, 16);
  const ProcessGrid grid{ranks, 4};
  const auto is_direct = [&](double message, double latency) {
    Links links;
    links.nodes = ranks;
    links.network = {8e-11, message, latency};
    links.memory = {5e-11, 5e-7};
    return over_mesh(choose_route(redistribution_of(a, b, 180, 180, {}, 8), paired(grid, grid, ranks), {}, links, false)
                         .route) == nullptr;
  };
  EXPECT_TRUE(is_direct(1e-7, 2e-6));
  EXPECT_TRUE(is_direct(1e-7, 4e-6));
  EXPECT_FALSE(is_direct(1e-6, 1e-9));
  EXPECT_EQ(is_direct(1e-6, 0), is_direct(1e-6, 1e-6));  // not known: as long as a message takes of the processors
}

// On a torus, nodes that are far from each other share links. Messages go to near nodes as well, so two hops pay.
// Receivers have 22 x 2 messages, though the owner of element 0 has 11 x 2: simulated, the mesh takes 0.48 of the time.
TEST(Route, KnowsThatBytesToNearNodesAreFaster) {
  const Layout a{{11, 22, 0, 0}, {7, 2, 0, 0}}, b{{3, 22, 0, 0}, {5, 2, 0, 0}};
  const std::vector<int> ranks = ranks_from(0, 44);
  const ProcessGrid grid{ranks, 2};
  const auto chosen = [&](double to_next_node) {
    Links links;
    links.nodes = ranks;
    links.network = {3.8e-9, 2e-6, 1.4e-5, to_next_node};
    return choose_route(redistribution_of(a, b, 726, 70, {}, 8), paired(grid, grid, ranks), {}, links, false);
  };
  EXPECT_EQ(chosen(8.8e-10).route.direct.messages, 44);
  const Route near = chosen(8.8e-10).route;
  ASSERT_NE(over_mesh(near), nullptr);
  EXPECT_EQ(text_of(over_mesh(near)->mesh), "2x22");
  EXPECT_EQ(over_mesh(chosen(0).route), nullptr);       // not measured
  EXPECT_EQ(over_mesh(chosen(4.5e-9).route), nullptr);  // with the latency, no faster than to far nodes
}

// In matrices shorter than a period, the first process may have fewer partners than others.
TEST(Route, CountsTheMessagesOfTheBusiestProcess) {
  const ChosenRoute chosen = route_on_network(1 << 10, 8e-11, false);
  EXPECT_EQ(chosen.route.direct.messages, 12);
  EXPECT_EQ(rounds_of_panel(chosen.route), 2);
}

// From blocks of rows to blocks of columns, each process on a node of its own: messages to all others. Few processes
// have no third digit of more than one value.
TEST(Route, OverAMeshHasSeveralRounds) {
  for (int procs = 2; procs <= 40; ++procs) {
    const std::vector<int> ranks = ranks_from(0, procs);
    const ProcessGrid column{ranks, 1}, row{ranks, procs};
    Links links;
    links.nodes = ranks;
    links.network = {8e-11, 2e-6};
    links.memory = {1e-10, 1e-7};
    const Redistribution redistribution =
        redistribution_of({{1, procs, 0, 0}, {8, 1, 0, 0}}, {{8, 1, 0, 0}, {1, procs, 0, 0}}, procs, procs, {}, 8);
    const Route chosen = choose_route(redistribution, paired(column, row, ranks), {}, links, false).route;
    if (over_mesh(chosen) != nullptr) {
      EXPECT_GE(over_mesh(chosen)->mesh.rounds(), 2) << procs;
    }
    std::set<std::string> rated;
    for (const OverMesh& route : rated_meshes(redistribution, paired(column, row, ranks), {}, links, false)) {
      EXPECT_GE(route.mesh.rounds(), 2) << procs;
      EXPECT_TRUE(rated.insert(text_of(route.mesh)).second) << procs << ": " << text_of(route.mesh) << " twice";
    }
    EXPECT_EQ(rated.empty(), procs < 3);
  }
}

TEST(Mesh, HasTheRowsOfNodesOrTheGridOrIsNearlySquare) {
  const auto columns = [](int a, int a_columns, int b, int b_columns, const std::vector<int>& nodes) {
    const std::vector<int> ranks_a = ranks_from(0, a), ranks_b = ranks_from(0, b);
    const ProcessGrid grid_a{ranks_a, a_columns}, grid_b{ranks_b, b_columns};
    return columns_of(*paired(grid_a, grid_b, nodes));
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
  EXPECT_EQ(columns(6, 2, 6, 2, {0, 1, 2, 3, 4, 5}), 2);  // one process on each node
  EXPECT_EQ(columns(6, 2, 6, 2, {0, 0, 0, 0, 0, 0}), 2);  // one node
}

TEST(Mesh, RepeatsTheLastRadix) {
  using Radices = std::vector<int>;
  EXPECT_EQ(fitted({4, 4, 4}, 256), Radices({4, 4, 4}));
  EXPECT_EQ(fitted({4, 4, 4}, 64), Radices({4, 4}));
  EXPECT_EQ(fitted({4, 4, 4}, 12), Radices({4}));
  EXPECT_EQ(fitted({8, 2}, 40), Radices({8, 2, 2}));
  EXPECT_EQ(fitted({2}, 5), Radices({2, 2}));
  EXPECT_EQ(fitted({2}, 2), Radices());
  EXPECT_EQ(text_of(Mesh(256, fitted({2}, 256))), "2x2x2x2x2x2x2x2");
  EXPECT_EQ(text_of(Mesh(40, {8, 2, 2})), "8x2x2x2");
}

// A round has few peers: one for each value of a digit, and as many detours to one side. The bounds on the processes
// whose messages meet at one process hold.
TEST(Mesh, BringsFewPeersTogether) {
  testing::Random random(134);
  for (int trial = 0; trial < (slow_build ? 100 : 1000) && !HasFailure(); ++trial) {
    const Mesh mesh = random_mesh(random, 6 + static_cast<int>(random.below(45)));
    SCOPED_TRACE(text_of(mesh) + " of " + std::to_string(mesh.size()));
    for (int rounds = 0; rounds <= mesh.rounds(); ++rounds) {
      std::map<int, std::set<int>> sends, receives;
      for (int p = 0; p < mesh.size(); ++p)
        for (int q = 0; q < mesh.size(); ++q) {
          const int x = mesh.position(p, q, rounds);
          if (rounds == mesh.rounds()) continue;
          if (const int y = mesh.position(p, q, rounds + 1); y != x) sends[x].insert(y), receives[y].insert(x);
        }
      for (int x = 0; x < mesh.size(); ++x) {
        Index senders = 0, receivers = 0;
        for (const auto& rectangle : mesh.messages_at(x, rounds)) {
          std::set<int> found;
          for (int i = 0; i < rectangle.senders.count; ++i)
            for (int j = 0; j < rectangle.receivers.count; ++j) {
              const bool at_x = mesh.position(rectangle.senders[i], rectangle.receivers[j], rounds) == x;
              ASSERT_TRUE(at_x || mesh.is_short());
              if (at_x) found.insert(rectangle.senders[i]);
            }
          senders += std::ssize(found);
          receivers = std::max<Index>(receivers, rectangle.receivers.count);
        }
        const auto [max_senders, max_receivers] = mesh.max_ends(rounds);
        ASSERT_LE(senders, max_senders);
        ASSERT_LE(receivers, max_receivers);
        if (rounds == mesh.rounds()) continue;
        const auto count = [x](const auto& peers) { return peers.contains(x) ? std::ssize(peers.at(x)) : 0; };
        ASSERT_LT(count(sends), mesh.radix(rounds));
        ASSERT_LE(count(receives), (mesh.is_short() ? 2 : 1) * (mesh.radix(rounds) - 1));
      }
    }
  }
}

}  // namespace
}  // namespace xredist::core
