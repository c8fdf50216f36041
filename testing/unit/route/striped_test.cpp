// SPDX-License-Identifier: BSD-3-Clause
// Nodes with several network adapters: striped messages load them evenly (THEORY.md, T37), and the choice of the route
// knows them.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "random/random_batch.hpp"
#include "route/adapters.hpp"
#include "route/route.hpp"

namespace xredist::core {
namespace {

using testing::described;
using testing::ranks_from;
using testing::slow_build;

// Returns the node of each rank: `count` consecutive ranks on each node, or ranks dealt to the nodes in turn.
std::vector<int> nodes_of(int size, int count, bool dealt) {
  std::vector<int> nodes(as_size(size));
  for (int rank = 0; rank < size; ++rank) at(nodes, rank) = dealt ? rank % (size / count) : rank / count;
  return nodes;
}

// Elements that leave and reach each process for other nodes, by rank.
struct Crossing {
  std::vector<Index> sent, received;
  Index lines = 0;  // sum over the messages of their shorter sides
};

Crossing direct_crossing(MeshRoute& route, const std::vector<int>& nodes) {
  const int size = route.mesh().size();
  Crossing crossing{std::vector<Index>(nodes.size(), 0), std::vector<Index>(nodes.size(), 0)};
  for (int p = 0; p < size; ++p)
    for (int q = 0; q < size; ++q) {
      const int from = route.members().rank_at(p), to = route.members().rank_at(q);
      const auto leg = route.leg(q, p, q);
      if (!leg || at(nodes, from) == at(nodes, to)) continue;
      at(crossing.sent, from) += leg->elements();
      at(crossing.received, to) += leg->elements();
      crossing.lines += std::min(leg->rows.length(), leg->cols.length());
    }
  return crossing;
}

// Expects that only the second round leaves nodes.
Crossing striped_crossing(MeshRoute& route, const std::vector<int>& nodes) {
  Crossing crossing{std::vector<Index>(nodes.size(), 0), std::vector<Index>(nodes.size(), 0)};
  for (int x = 0; x < route.mesh().size(); ++x) {
    const int me = route.members().rank_at(x);
    const std::vector<Legs> legs = route.legs_of(x);
    EXPECT_EQ(legs.size(), 3U);
    for (std::size_t round = 0; round < legs.size(); ++round) {
      for (const Leg& leg : legs[round].sends) {
        EXPECT_EQ(at(nodes, route.members().rank_at(leg.peer)) != at(nodes, me), round == 1);
        if (round == 1) at(crossing.sent, me) += leg.elements();
      }
      for (const Leg& leg : legs[round].receives)
        if (round == 1) at(crossing.received, me) += leg.elements();
    }
  }
  return crossing;
}

std::vector<Index> sums_by(const std::vector<int>& group, const std::vector<Index>& values) {
  std::vector<Index> sums(as_size(std::ranges::max(group) + 1), 0);
  for (std::size_t k = 0; k < group.size(); ++k) at(sums, group[k]) += values[k];
  return sums;
}

MeshRoute striped_route(const Traffic& traffic, const ProcessGrid& a, const ProcessGrid& b,
                        const std::vector<int>& nodes) {
  Members members(a, b, nodes);
  Mesh mesh = striped_mesh(members);
  return {traffic, a, b, std::move(members), std::move(mesh)};
}

TEST(Adapters, HaveProcessesInOrder) {
  const std::vector<int> one_node(6, 0);
  EXPECT_EQ(adapters_of(one_node, 1), one_node);
  EXPECT_EQ(adapters_of(one_node, 2), std::vector<int>({0, 0, 0, 1, 1, 1}));
  EXPECT_EQ(adapters_of(one_node, 4), std::vector<int>({0, 0, 1, 2, 2, 3}));
  EXPECT_EQ(adapters_of(std::vector{0, 1, 0, 1}, 2), std::vector<int>({0, 2, 1, 3}));
  EXPECT_EQ(adapters_of(std::vector{0, 1}, 4), std::vector<int>({0, 4}));  // fewer processes than adapters
}

// Each process of a node carries an equal share of all messages, within one line of each. So do adapters with equally
// many processes, whichever these are.
TEST(Striped, LoadsAdaptersEvenly) {
  testing::Random random(137);
  int uneven_directly = 0;
  for (int trial = 0; trial < (slow_build ? 60 : 300) && !HasFailure(); ++trial) {
    testing::Call call = testing::random_call(random, 4, 90, 90);
    const int columns = 2 + static_cast<int>(random.below(4)), rows = 2 + static_cast<int>(random.below(3));
    const int size = columns * rows, of_a = testing::processes_of(call.a), of_b = testing::processes_of(call.b);
    if (std::max(of_a, of_b) > size) continue;
    // Both grids together have all processes.
    const std::vector<int> ranks_a = ranks_from(0, of_a), ranks_b = ranks_from(size - of_b, of_b);
    if (of_a + of_b < size) continue;
    const std::vector<int> nodes = nodes_of(size, columns, random.below(2) == 0);
    const ProcessGrid a{ranks_a, call.a.cols.procs}, b{ranks_b, call.b.cols.procs};
    MeshRoute route = striped_route(call.redistribution().traffic, a, b, nodes);
    SCOPED_TRACE(testing::text(described(call), ", ", rows, " nodes of ", columns));
    const Crossing direct = direct_crossing(route, nodes), striped = striped_crossing(route, nodes);
    for (const auto& side : {&Crossing::sent, &Crossing::received}) {
      const std::vector<Index> of_nodes = sums_by(nodes, direct.*side);
      ASSERT_EQ(sums_by(nodes, striped.*side), of_nodes);
      for (int rank = 0; rank < size; ++rank)
        ASSERT_LE(std::abs(at(striped.*side, rank) * columns - at(of_nodes, at(nodes, rank))), direct.lines * columns);
      for (const Index ports : {1, 2, 3}) {
        const std::vector<int> adapters = adapters_of(nodes, ports);
        const std::vector<Index> loads = sums_by(adapters, striped.*side);
        const std::vector<Index> processes = sums_by(adapters, std::vector<Index>(as_size(size), 1));
        for (std::size_t k = 0; k < loads.size(); ++k) {
          const Index node = at(of_nodes, static_cast<Index>(k) / ports);
          ASSERT_LE(std::abs(loads[k] * columns - node * processes[k]), direct.lines * columns * processes[k]);
        }
        const Index max = std::ranges::max(sums_by(adapters, direct.*side)), node = std::ranges::max(of_nodes);
        uneven_directly += columns % ports == 0 && 2 * max * ports > 3 * node;
      }
    }
  }
  EXPECT_GT(uneven_directly, 5);
}

// 16 nodes of 64 processes with adapters of 25 Gbit/s each. `half`: A has the first half of each node, and B the rest.
Route route_with(Index ports, bool half, Index n) {
  const std::vector<int> nodes = nodes_of(1024, 64, false);
  std::vector<int> ranks_a, ranks_b;
  for (int rank = 0; rank < 1024; ++rank) (!half || rank % 64 < 32 ? ranks_a : ranks_b).push_back(rank);
  if (!half) ranks_b = ranks_a;
  const Index rows = half ? 16 : 32;
  const Layout a{{7, rows, 0, 0}, {11, 32, 0, 0}}, b{{11, rows, 0, 0}, {7, 32, 0, 0}};
  Links links;
  links.nodes = nodes;
  links.network = {3.2e-10, 2e-6};
  links.memory = {1e-10, 1e-7};
  Options options;
  options.ports = ports;
  return choose_route(redistribution_of(a, b, n, n, {}, 8), {ranks_a, 32}, {ranks_b, 32}, options, links, false).route;
}

TEST(Striped, IsChosenWhereAdaptersAreIdle) {
  const Index n = 100'000;
  const Route one = route_with(1, true, n), two = route_with(2, true, n), four = route_with(4, true, n);
  const auto is_striped = [](const Route& route) { return route.forwards() && route.mesh->striped(); };
  EXPECT_FALSE(is_striped(one));
  EXPECT_FALSE(is_striped(route_with(2, true, 10'000)));  // to plan stripes would take longer than to send messages
  EXPECT_FALSE(route_with(2, false, n).forwards());       // adapters are evenly loaded
  for (const Route& route : {two, four}) {
    EXPECT_EQ(text_of(route.mesh.value()), "striped-64x16x64");
    EXPECT_EQ(route.rounds, 3);
    EXPECT_LT(route.seconds_over_mesh, 0.9 * route.seconds_direct);
  }
  EXPECT_LT(two.seconds_direct, 1.01 * one.seconds_direct);
  EXPECT_LT(four.seconds_over_mesh, two.seconds_over_mesh);
}

// Adapters divide the bytes of a node if all processes have equally many.
TEST(Route, DividesTheBytesOfANodeByItsAdapters) {
  const Route one = route_with(1, false, 20'000), two = route_with(2, false, 20'000),
              four = route_with(4, false, 20'000);
  EXPECT_NEAR(one.seconds_direct / two.seconds_direct, 2, 0.05);
  EXPECT_NEAR(one.seconds_direct / four.seconds_direct, 4, 0.2);
}

}  // namespace
}  // namespace xredist::core
