// SPDX-License-Identifier: BSD-3-Clause
#include "route/route.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "layout/index.hpp"

namespace xredist::core {
namespace {

// Messages to one process: with fewer, no mesh is considered.
constexpr Index min_messages = 4;

// Ratio of times: a mesh has to save a tenth at least.
constexpr double max_time_ratio = 0.9;

// Messages: the time for which a process waits for others at the end of each round.
constexpr Index round_end_messages = 2;

// Ratio of times: on slow networks the processes of a node hinder each other if they send to several nodes at once,
// because a matching of processes is not a matching of nodes. Measured with 4 processes on each of 4 nodes: 1.1 to 1.5
// times the port bound directly, 1.1 over a mesh of nodes.
constexpr double hindrance = 1.25;

// Assumed where nothing was measured. No network is taken to be faster per byte.
constexpr Speed assumed{.seconds_per_byte = 1e-10, .seconds_per_message = 2e-6};

// Seconds per byte of a copy within the caches, assumed where memory was not measured.
constexpr double cached_copy = 4e-11;

// Processes whose legs are counted to estimate the work of each round, and a bound on the legs counted altogether.
constexpr Index max_samples = 8, max_sampled_legs = 1 << 17;

// The maximum of messages and elements of a process along an axis.
struct AxisWork {
  Index messages, elements;
};
AxisWork work_of(const Overlap& o) {
  AxisWork work{max_partners(o), 0};
  for (Index p = 0; p < o.a.procs; ++p)
    work.elements = std::max(work.elements, local_count(o.a, p, o.a.first + o.n) - local_count(o.a, p, o.a.first));
  return work;
}

// The work of senders, or of receivers, along both axes.
struct Sides {
  AxisWork rows, cols;
  Index messages() const { return rows.messages * cols.messages; }
  Index elements() const { return rows.elements * cols.elements; }
};

// The cost of messages to a process, in seconds.
struct Prices {
  double message, byte;
  double copy = 0;  // of a byte by the processor, while the port carries another message

  double of(const Work& work) const {
    const auto messages = static_cast<double>(work.messages), bytes = static_cast<double>(work.bytes);
    return std::max(message * messages + copy * bytes, byte * bytes) +
           message * static_cast<double>(round_end_messages);
  }
};

double measured_or(double assumption, double measured) { return measured > 0 ? measured : assumption; }

// A packet in memory takes a notice and an answer, and its bytes are packed and unpacked.
Prices in_memory(const Links& links) {
  return {2 * measured_or(assumed.seconds_per_message, links.memory.seconds_per_message),
          2 * measured_or(assumed.seconds_per_byte, links.memory.seconds_per_byte)};
}

// Between nodes, all processes of a node share its port.
Prices between_nodes(const Links& links, Index sharers) {
  return {measured_or(assumed.seconds_per_message, links.network.seconds_per_message),
          static_cast<double>(sharers) * std::max(links.network.seconds_per_byte, assumed.seconds_per_byte),
          2 * measured_or(cached_copy, links.memory.seconds_per_byte)};
}

// Returns the maximum number of processes on a node.
Index max_processes_on_node(const Links& links) {
  std::vector<Index> count(links.nodes.size() + 1, 0);
  for (const int node : links.nodes) ++count[static_cast<std::size_t>(node)];
  return std::max<Index>(1, std::ranges::max(count));
}

Work work_of(const Legs& legs, Index bytes) {
  Work work;
  for (const auto* list : {&legs.sends, &legs.receives}) {
    std::set<int> peers;
    Index elements = 0;
    for (const Leg& leg : *list) {
      peers.insert(leg.peer);
      elements += leg.elements();
    }
    work = {std::max(work.messages, static_cast<Index>(peers.size())), std::max(work.bytes, elements * bytes)};
  }
  return work;
}

// Estimates the work of each round from a few processes, which are the same on all processes.
void sample(MeshRoute& mesh_route, Index bytes, Route& route) {
  const Index size = mesh_route.mesh().size();
  const Index samples = std::clamp<Index>(max_sampled_legs / (size + 2 * route.direct.messages), 1, max_samples);
  for (Index k = 0; k < std::min(samples, size); ++k) {
    const Index position = (k * size / samples + k % mesh_route.mesh().columns()) % size;
    const MeshLegs legs = mesh_route.legs_of(static_cast<int>(position));
    for (std::size_t round = 0; round < legs.size(); ++round) {
      const Work work = work_of(legs[round], bytes);
      Work& max = route.over_mesh[round];
      max = {std::max(max.messages, work.messages), std::max(max.bytes, work.bytes)};
    }
  }
}

// Returns an upper bound on the elements that a process stores: those that its row sends, that its column receives, or,
// if A and B are on the grid that is the mesh, that its rows of A have in its columns of B (THEORY.md, T31).
Index store_bound(const Mesh& mesh, const ProcessGrid& a, const ProcessGrid& b, const Sides& senders,
                  const Sides& receivers) {
  const Index row = mesh.columns() + (mesh.short_row() > 0 ? mesh.short_row() / (mesh.rows() - 1) + 1 : 0);
  const Index bound = std::min(row * senders.elements(), Index{mesh.rows()} * receivers.elements());
  const bool grid = mesh.columns() == a.columns && a == b;
  return grid ? std::min(bound, senders.rows.elements * receivers.cols.elements) : bound;
}

// Messages cannot be cut into equal parts, so panels are made for half of the room.
void set_panels(Route& route, Index bound, Index buffer) {
  route.store_bound = bound;
  route.store_room = buffer / 2;
  route.panels = bound <= route.store_room ? 1 : ceil_div(bound, route.store_room / 2);
}

// Estimates the times of both routes. Returns whether the mesh is faster.
bool is_faster(MeshRoute& mesh_route, Index bytes, const Prices& memory, const Prices& far, bool by_nodes,
               Route& route) {
  sample(mesh_route, bytes, route);
  for (Work& round : route.over_mesh) round.messages *= route.panels;
  // The store costs two more copies. Between nodes, `copy` has them.
  const bool extra_copies = by_nodes || far.copy == 0;
  route.seconds_over_mesh = (by_nodes ? memory : far).of(route.over_mesh[0]) + far.of(route.over_mesh[1]) +
                            (extra_copies ? memory.byte * static_cast<double>(route.over_mesh[1].bytes) : 0);
  return route.seconds_over_mesh < max_time_ratio * route.seconds_direct;
}

}  // namespace

ChosenRoute choose_route(const Redistribution& redistribution, const ProcessGrid& a, const ProcessGrid& b,
                         const Options& options, const Links& links, bool permits) {
  const auto& [traffic, region, bytes, operation] = redistribution;
  const Traffic back = reversed(traffic);
  const Sides senders{work_of(traffic.rows), work_of(traffic.cols)}, receivers{work_of(back.rows), work_of(back.cols)};
  Route route;
  route.direct = {std::max(senders.messages(), receivers.messages()),
                  bytes * std::max(senders.elements(), receivers.elements())};
  const bool asked = options.route == Options::two_hops;
  // A user who names an algorithm wants its schedule.
  if (options.route == Options::direct || (options.algorithm != 0 && !asked)) return {route, std::nullopt};
  if ((route.direct.messages < min_messages || links.nodes.empty()) && !asked) return {route, std::nullopt};
  Mesh mesh = mesh_of(a, b, links.nodes);
  if (mesh.rows() == 1 || mesh.columns() == 1) return {route, std::nullopt};

  const bool network = !links.nodes.empty() && std::ranges::max(links.nodes) > 0;
  const Index sharers = network ? max_processes_on_node(links) : 1;
  const Prices memory = in_memory(links), far = network ? between_nodes(links, sharers) : memory;
  const bool by_nodes = sharers > 1 && mesh.columns() == sharers;
  route.mesh_rows = mesh.rows(), route.mesh_columns = mesh.columns();
  route.seconds_direct = far.of(route.direct) * (permits && by_nodes ? hindrance : 1);
  const Index bound = bytes * store_bound(mesh, a, b, senders, receivers);
  Route over_mesh = route;
  set_panels(over_mesh, bound, options.buffer);
  const double lower_bound = far.of({over_mesh.panels, route.direct.bytes}) * (by_nodes ? 1 : 2);
  if (!asked && lower_bound > max_time_ratio * route.seconds_direct) return {route, std::nullopt};
  MeshRoute mesh_route(traffic, a, b, std::move(mesh));
  const bool faster = is_faster(mesh_route, bytes, memory, far, by_nodes, over_mesh);
  over_mesh.rounds = 2;
  if (asked || faster) return {over_mesh, std::move(mesh_route)};
  over_mesh.rounds = over_mesh.panels = 1;
  return {over_mesh, std::nullopt};
}

}  // namespace xredist::core
