// SPDX-License-Identifier: BSD-3-Clause
#include "route/route.hpp"

#include <algorithm>
#include <utility>

#include "layout/index.hpp"

namespace xredist::core {
namespace {

// Messages to one process: with fewer, no mesh is considered.
constexpr Index min_messages = 4;

// Ratio of times: a mesh has to save a tenth at least.
constexpr double max_time_ratio = 0.9;

// Bytes: a process that sends and receives more takes two rounds at most, because more rounds copy more bytes.
constexpr Index max_bytes_in_many_rounds = Index{256} << 10;

// The radices of meshes of many rounds.
constexpr int many_round_radices[] = {2, 4, 8};

// Ratio of the maximum load to the average, assumed for meshes whose loads take too long to compute: that of
// CYCLIC(64) -> CYCLIC(48) on 256 processes.
constexpr double max_load_ratio = 5.0 / 3;

// Latency of a message, as a multiple of the processor time that it takes at both ends.
constexpr double latency_messages = 1;

// Ratio of times: on slow networks the processes of a node hinder each other if they send to several nodes at once,
// because a matching of processes is not a matching of nodes. Measured with 4 processes on each of 4 nodes: 1.1 to 1.5
// times the port bound directly, 1.1 over a mesh of nodes.
constexpr double hindrance = 1.25;

// Assumed where nothing was measured. No network is taken to be faster per byte.
constexpr Speed assumed{.seconds_per_byte = 1e-10, .seconds_per_message = 2e-6};

// Seconds per byte of a copy within the caches, assumed where memory was not measured.
constexpr double cached_copy = 4e-11;

// Processes whose loads are computed to estimate the work of each round, and a bound on the messages that are visited
// to list their legs, in about 50 us.
constexpr Index min_samples = 2, max_samples = 8, max_sampled_messages = 1 << 12;

// The maximum of messages and elements of a process along an axis.
struct AxisWork {
  Index messages, elements;
};
AxisWork work_of(const Overlap& o) {
  AxisWork work{max_partners(o), 0};
  // Within a period, processes have different numbers of partners.
  if (is_cyclic(o) && o.n < period(o))
    for (Index k = 0; k < max_samples; ++k)
      work.messages = std::max(work.messages, std::ssize(partners(o, k * o.a.procs / max_samples)));
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

// The cost of messages to a process, in seconds. `message` is processor time, half of it at either end.
struct Prices {
  double message, byte;
  double copy = 0;  // of a byte by the processor, while the port carries another message

  // Returns the time of a round. Either a process is busy with its messages all the time, or its port is; or it waits
  // for a message that its sender sends last.
  double of(const Work& work) const {
    const auto messages = static_cast<double>(work.messages), bytes = static_cast<double>(work.bytes);
    const double latency = message * latency_messages;
    return std::max({message * messages + copy * bytes, message * (messages + 1) / 2 + latency + copy * bytes,
                     byte * bytes + latency});
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
Index max_processes_on_node(const Links& links, int nodes) {
  if (nodes == std::ssize(links.nodes)) return 1;
  std::vector<Index> count(static_cast<std::size_t>(nodes), 0);
  for (const int node : links.nodes) ++count[static_cast<std::size_t>(node)];
  return std::ranges::max(count);
}

// Returns the messages that a process visits to list its legs, at most.
Index max_visits(const Mesh& mesh, Index messages) {
  Index visits = 0;
  for (int rounds = 0; rounds <= mesh.rounds(); ++rounds) {
    const auto [from, to] = mesh.max_ends(rounds);
    visits += std::min({from * to, from * messages, to * messages});
  }
  return visits;
}

// Returns the work of each round if every process had a message for each value of the round's digit, and loads `ratio`
// times the average.
std::vector<Work> expected(const Mesh& mesh, const Work& direct, double ratio) {
  std::vector<Work> rounds;
  for (int round = 0; round < mesh.rounds(); ++round) {
    const Index moved = mesh.radix(round) - 1;
    const double share = static_cast<double>(moved) / mesh.radix(round) * static_cast<double>(direct.bytes);
    rounds.push_back({std::min(moved, direct.messages), static_cast<Index>(ratio * share)});
  }
  return rounds;
}

// Estimates the work of each round from a few processes, which are the same on all processes.
std::vector<Work> sampled(MeshRoute& mesh_route, Index bytes, Index samples) {
  const Mesh& mesh = mesh_route.mesh();
  const Index size = mesh.size();
  std::vector<Work> rounds(static_cast<std::size_t>(mesh.rounds()));
  for (Index k = 0; k < std::min(samples, size); ++k) {
    const Index position = (k * size / samples + k % mesh.radix(0)) % size;
    const std::vector<Load> loads = mesh_route.loads_of(static_cast<int>(position));
    for (std::size_t round = 0; round < loads.size(); ++round) {
      Work& max = rounds[round];
      max = {std::max(max.messages, loads[round].messages), std::max(max.bytes, bytes * loads[round].elements)};
    }
  }
  return rounds;
}

// Estimates the work of each round: from `samples` processes or, without products, as many as time allows. A mesh of
// two rounds is always sampled.
std::vector<Work> work_of_rounds(MeshRoute& mesh_route, const Work& direct, Index bytes, Index samples) {
  if (mesh_route.loads_are_products()) return sampled(mesh_route, bytes, samples);
  const Mesh& mesh = mesh_route.mesh();
  const Index possible = max_sampled_messages / max_visits(mesh, direct.messages);
  if (possible < min_samples && mesh.rounds() > 2) return expected(mesh, direct, max_load_ratio);
  return sampled(mesh_route, bytes, std::clamp<Index>(possible, 1, samples));
}

// Returns an upper bound on the elements that a process has to store: the sum over the rounds of those that it holds
// for others after the round. These are no more than the senders have whose messages it holds, or their receivers get;
// and if A and B are on the grid that is the mesh, than rows and columns of both allow (THEORY.md, T31).
Index store_bound(const Mesh& mesh, const ProcessGrid& a, bool is_grid, const Sides& senders, const Sides& receivers) {
  Index bound = 0;
  for (int rounds = 1; rounds < mesh.rounds(); ++rounds) {
    const auto [from, to] = mesh.max_ends(rounds);
    Index held = std::min(from * senders.elements(), to * receivers.elements());
    if (is_grid && !mesh.is_short() && mesh.order() == Mesh::Order::lowest_digit_first) {
      if (a.columns % from == 0)
        held = std::min(held, senders.rows.elements *
                                  std::min(from * senders.cols.elements, a.columns / from * receivers.cols.elements));
      if (from % a.columns == 0)
        held = std::min(held, receivers.cols.elements *
                                  std::min(from / a.columns * senders.rows.elements, to * receivers.rows.elements));
    }
    bound += held;
  }
  return bound;
}

// Messages cannot be cut into equal parts, so panels are made for half of the room.
void set_panels(Route& route, Index bound, Index buffer) {
  route.store_bound = bound;
  route.store_room = buffer / 2;
  route.panels = bound <= route.store_room ? 1 : ceil_div(bound, route.store_room / 2);
}

// The costs of packets between the processes of a node, and of those that cross the network.
struct Costs {
  Prices memory, far;
  int on_each_node;  // positions that follow each other; 0: no round stays on nodes

  bool stays(const Mesh& mesh, int round) const { return on_each_node > 1 && mesh.stays_within(round, on_each_node); }
  double of(const Mesh& mesh, const std::vector<Work>& rounds) const {
    double seconds = 0;
    for (int round = 0; round < mesh.rounds(); ++round) {
      const Work& work = rounds[static_cast<std::size_t>(round)];
      seconds += (stays(mesh, round) ? memory : far).of(work);
      // The store costs two more copies. Between nodes, `copy` has them.
      if (round > 0 && (far.copy == 0 || stays(mesh, 0))) seconds += memory.byte * static_cast<double>(work.bytes);
    }
    return seconds;
  }
};

// Returns factors of `count`, each the largest up to `radix` if there is one.
void add_factors(int count, int radix, std::vector<int>& factors) {
  while (count > 1) {
    int factor = std::min(radix, count);
    while (factor > 1 && count % factor != 0) --factor;
    if (factor == 1) factor = count;
    factors.push_back(factor);
    count /= factor;
  }
}

// Returns a mesh with digits of at most `radix` values, if the numbers allow. The columns of the mesh of two rounds are
// several digits of their own, so rounds stay on nodes, or in a row of the grid.
Mesh mesh_of_many_rounds(const Mesh& two_rounds, bool keeps_columns, int radix) {
  std::vector<int> radices;
  if (keeps_columns) add_factors(two_rounds.radix(0), radix, radices);
  Index product = 1;
  for (const int x : radices) product *= x;
  for (; product * radix < two_rounds.size(); product *= radix) radices.push_back(radix);
  return {two_rounds.size(), radices};
}

}  // namespace

std::optional<Mesh> mesh_of(const Members& members, const ProcessGrid& a, const ProcessGrid& b, Index option) {
  std::vector<int> radices = radices_of(option);
  radices = radices.empty() ? std::vector{columns_of(members, a, b)} : fitted(radices, members.size());
  if (radices.empty() || radices.front() == 1 || radices.front() >= members.size()) return std::nullopt;
  return Mesh(members.size(), radices);
}

ChosenRoute choose_route(const Redistribution& redistribution, const ProcessGrid& a, const ProcessGrid& b,
                         const Options& options, const Links& links, bool permits) {
  const Traffic& traffic = redistribution.traffic;
  const Index bytes = redistribution.bytes;
  Route route;
  const bool asked = options.route != Options::direct && options.route != Options::by_cost;
  // A user who names an algorithm wants its schedule. Before the links are explored, no route is known to be better.
  const bool weighed = options.route == Options::by_cost && options.algorithm == 0 && !links.nodes.empty();
  if (!asked && !weighed) return {route, std::nullopt};
  const Traffic back = reversed(traffic);
  const Sides senders{work_of(traffic.rows), work_of(traffic.cols)}, receivers{work_of(back.rows), work_of(back.cols)};
  route.direct = {std::max(senders.messages(), receivers.messages()),
                  bytes * std::max(senders.elements(), receivers.elements())};
  if (route.direct.messages < min_messages && !asked) return {route, std::nullopt};
  Members members(a, b, links.nodes);
  std::optional<Mesh> mesh = mesh_of(members, a, b, options.route);
  if (!mesh) return {route, std::nullopt};

  const int nodes = links.nodes.empty() ? 1 : std::ranges::max(links.nodes) + 1;
  const bool network = nodes > 1;
  const Index sharers = network ? max_processes_on_node(links, nodes) : 1;
  const Prices memory = in_memory(links);
  const Costs costs{memory, network ? between_nodes(links, sharers) : memory, members.on_each_node()};
  const bool by_nodes = costs.stays(*mesh, 0);
  route.seconds_direct = costs.far.of(route.direct) * (permits && by_nodes ? hindrance : 1);
  const bool is_grid = a == b && members.begin_with(a);
  const auto bounded = [&](const Mesh& of) {
    Route result = route;
    result.mesh = of;
    set_panels(result, bytes * store_bound(of, a, is_grid, senders, receivers), options.buffer);
    return result;
  };
  Route over_mesh = bounded(*mesh);
  const double lower_bound = costs.far.of({over_mesh.panels, route.direct.bytes}) * (by_nodes ? 1 : 2);
  if (!asked && lower_bound > max_time_ratio * route.seconds_direct) return {route, std::nullopt};
  MeshRoute mesh_route(traffic, a, b, std::move(members), *mesh);
  const auto estimated = [&](const Mesh& of, Index samples) {
    Route result = bounded(of);
    mesh_route.reshape(of);
    result.over_mesh = work_of_rounds(mesh_route, route.direct, bytes, samples);
    for (Work& round : result.over_mesh) round.messages *= result.panels;
    result.seconds_over_mesh = costs.of(of, result.over_mesh);
    return result;
  };
  over_mesh = estimated(*mesh, max_samples);

  if (!asked && !permits && route.direct.bytes < max_bytes_in_many_rounds) {
    const double limit = max_time_ratio * std::min(over_mesh.seconds_over_mesh, route.seconds_direct);
    std::optional<Route> best;
    for (const int radix : many_round_radices) {
      Mesh candidate = mesh_of_many_rounds(*mesh, by_nodes, radix);
      if (is_grid && candidate.is_short()) candidate = mesh_of_many_rounds(*mesh, true, radix);
      if (candidate.rounds() == 2) continue;
      const Route many = estimated(candidate, min_samples);
      if (many.panels == 1 && many.seconds_over_mesh < (best ? best->seconds_over_mesh : limit)) best = many;
    }
    if (best) best = estimated(*best->mesh, max_samples);
    if (best && best->seconds_over_mesh < limit) over_mesh = *best;
    mesh_route.reshape(*over_mesh.mesh);
  }
  if (asked || over_mesh.seconds_over_mesh < max_time_ratio * route.seconds_direct) {
    over_mesh.rounds = over_mesh.mesh->rounds();
    return {over_mesh, std::move(mesh_route)};
  }
  over_mesh.panels = 1;
  return {over_mesh, std::nullopt};
}

}  // namespace xredist::core
