// SPDX-License-Identifier: BSD-3-Clause
#include "route/route.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "layout/index.hpp"
#include "route/adapters.hpp"
#include "route/prices.hpp"

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

// Ratio of times: on slow networks the processes of a node hinder each other if they send to several nodes at once,
// because a matching of processes is not a matching of nodes. Measured with 4 processes on each of 4 nodes: 1.1 to 1.5
// times the port bound directly, 1.1 over a mesh of nodes.
constexpr double hindrance = 1.25;

// Seconds to plan a stripe of a message in all rounds, measured with 8 to 128 processes on a node: 0.9 to 1.1 us.
constexpr double seconds_to_plan_stripe = 1e-6;

// Processes whose loads are computed to estimate the work of each round, and a bound on the messages that are visited
// to list their legs, in about 50 us.
constexpr Index min_samples = 2, max_samples = 8, max_sampled_messages = 1 << 12;

// Returns the maximum of messages and of elements of a process along an axis.
Load load_of(const Overlap& o) {
  Load load{max_partners(o), 0};
  // Within a period, processes have different numbers of partners.
  const Index samples = std::min(max_samples, o.a.procs);
  if (is_cyclic(o) && o.n < period(o))
    for (Index k = 0; k < samples; ++k)
      load.messages = std::max(load.messages, std::ssize(partners(o, k * o.a.procs / samples)));
  for (Index p = 0; p < o.a.procs; ++p) load.elements = std::max(load.elements, local_range(o.a, p, o.n).length());
  return load;
}

// The maximum loads of senders, or of receivers, along both axes.
struct Sides {
  Load rows, cols;
  Index messages() const { return rows.messages * cols.messages; }
  Index elements() const { return rows.elements * cols.elements; }
};
Sides senders_of(const Traffic& traffic) { return {load_of(traffic.rows), load_of(traffic.cols)}; }

// The facts from which routes over meshes are estimated. `direct` has the estimate of direct messages.
struct Facts {
  const Redistribution& redistribution;
  const ProcessGrid& a;
  const Options& options;
  Sides senders, receivers;
  std::optional<AdapterLoads> loads;  // if nodes have several adapters
  Costs costs;
  bool is_grid;  // A and B are on the grid that the members form
  Route direct;

  Index bytes() const { return redistribution.bytes; }
};

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

// Returns an upper bound on the elements that a process of a striped mesh holds for others, if each process of its node
// has at most `elements` (T37).
Index striped_bound(const Mesh& mesh, Index elements) {
  const Index columns = mesh.radix(0);
  const double excess = std::sqrt(static_cast<double>(mesh.size()) * static_cast<double>(elements));
  return std::min(columns * elements, elements + columns * static_cast<Index>(std::ceil(excess)));
}

// Returns an upper bound on the elements that a process has to store: the sum over the rounds of those that it holds
// for others after the round. These are no more than the senders have whose messages it holds, or their receivers get;
// and if A and B are on the grid that is the mesh, than rows and columns of both allow (THEORY.md, T31).
Index store_bound(const Facts& facts, const Mesh& mesh) {
  const Sides &senders = facts.senders, &receivers = facts.receivers;
  if (mesh.striped()) return striped_bound(mesh, senders.elements()) + striped_bound(mesh, receivers.elements());
  const Index columns = facts.a.columns;
  Index bound = 0;
  for (int rounds = 1; rounds < mesh.rounds(); ++rounds) {
    const auto [from, to] = mesh.max_ends(rounds);
    Index held = std::min(from * senders.elements(), to * receivers.elements());
    if (facts.is_grid && !mesh.is_short()) {
      if (columns % from == 0)
        held = std::min(held, senders.rows.elements *
                                  std::min(from * senders.cols.elements, columns / from * receivers.cols.elements));
      if (from % columns == 0)
        held = std::min(held, receivers.cols.elements *
                                  std::min(from / columns * senders.rows.elements, to * receivers.rows.elements));
    }
    bound += held;
  }
  return bound;
}

// Returns the route over a mesh without estimates. Messages cannot be cut into equal parts, so panels are made for half
// of the room.
Route bounded(const Facts& facts, const Mesh& mesh) {
  Route route = facts.direct;
  route.mesh = mesh;
  route.store_bound = facts.bytes() * store_bound(facts, mesh);
  route.store_room = facts.options.buffer / 2;
  if (route.store_bound > route.store_room) route.panels = ceil_div(route.store_bound, route.store_room / 2);
  return route;
}

// Returns the work of the rounds of a striped mesh (T37).
std::vector<Work> striped_work(const Facts& facts, const Mesh& mesh) {
  const Index sent = facts.bytes() * facts.senders.elements(), received = facts.bytes() * facts.receivers.elements();
  const Index across =
      facts.loads ? ceil_div(facts.bytes() * facts.loads->node, mesh.radix(0)) : facts.direct.direct.bytes;
  return {{mesh.radix(0) - 1, sent}, {mesh.radix(1) - 1, across}, {mesh.radix(2) - 1, received}};
}

// Returns the route over a mesh, estimated from `samples` processes.
Route estimated(const Facts& facts, MeshRoute& mesh_route, const Mesh& mesh, Index samples) {
  Route route = bounded(facts, mesh);
  mesh_route.reshape(mesh);
  if (mesh.striped()) {
    route.over_mesh = striped_work(facts, mesh);
  } else {
    route.over_mesh = work_of_rounds(mesh_route, route.direct, facts.bytes(), samples);
    // Samples miss the busiest receiver where only some processes of each node are receivers. Positions with another
    // last digit may send it equal parts.
    Index& last = route.over_mesh.back().bytes;
    const Index radix = mesh.radix(mesh.rounds() - 1);
    if (facts.loads) last = std::max(last, facts.bytes() * facts.receivers.elements() * (radix - 1) / radix);
  }
  for (Work& round : route.over_mesh) round.messages *= route.panels;
  route.seconds_over_mesh = facts.costs.of(mesh, route.over_mesh);
  return route;
}

// Returns factors of `count`, each the largest up to `radix` if there is one.
std::vector<int> factors_of(int count, int radix) {
  std::vector<int> factors;
  while (count > 1) {
    int factor = std::min(radix, count);
    while (factor > 1 && count % factor != 0) --factor;
    factors.push_back(factor == 1 ? count : factor);
    count /= factors.back();
  }
  return factors;
}

// Returns a mesh with digits of at most `radix` values, if the numbers allow. The columns of the mesh of two rounds are
// several digits of their own, so rounds stay on nodes, or in a row of the grid.
Mesh mesh_of_many_rounds(const Mesh& two_rounds, bool keeps_columns, int radix) {
  std::vector<int> radices = keeps_columns ? factors_of(two_rounds.radix(0), radix) : std::vector<int>();
  radices.push_back(radix);
  return {two_rounds.size(), fitted(std::move(radices), two_rounds.size())};
}

// Returns the prices of all routes. `loads`: of the adapters, if nodes have several.
Costs costs_of(const Links& links, Index ports, int on_each_node, const std::optional<AdapterLoads>& loads) {
  const int nodes = links.nodes.empty() ? 1 : std::ranges::max(links.nodes) + 1;
  const Prices memory = in_memory(links);
  if (nodes == 1) return {memory, memory, memory, memory, on_each_node};
  const Prices far = between_nodes(links, static_cast<double>(max_sharers(links.nodes, ports)));
  if (!loads) return {memory, far, far, far, on_each_node};
  return {memory, far, between_nodes(links, loads->sharers), between_nodes(links, static_cast<double>(loads->members)),
          on_each_node};
}

// Returns the route of lowest cost over a mesh of more than two rounds, if it takes less than `limit` seconds.
std::optional<Route> best_of_many_rounds(const Facts& facts, MeshRoute& mesh_route, const Mesh& two_rounds,
                                         double limit) {
  std::optional<Route> best;
  for (const int radix : many_round_radices) {
    Mesh candidate = mesh_of_many_rounds(two_rounds, facts.costs.stays(two_rounds, 0), radix);
    if (facts.is_grid && candidate.is_short()) candidate = mesh_of_many_rounds(two_rounds, true, radix);
    if (candidate.rounds() == 2) continue;
    const Route many = estimated(facts, mesh_route, candidate, min_samples);
    if (many.panels == 1 && many.seconds_over_mesh < (best ? best->seconds_over_mesh : limit)) best = many;
  }
  if (best) best = estimated(facts, mesh_route, *best->mesh, max_samples);
  return best && best->seconds_over_mesh < limit ? best : std::nullopt;
}

// Returns a lower bound on the time of all routes over `mesh`, or over meshes that are considered in its place.
double min_seconds(const Facts& facts, const Mesh& mesh, const Links& links) {
  if (facts.loads) return seconds_of_adapter(links, ceil_div(facts.bytes() * facts.loads->node, facts.options.ports));
  return facts.costs.far.of({bounded(facts, mesh).panels, facts.direct.direct.bytes}) *
         (facts.costs.stays(mesh, 0) ? 1 : 2);
}

// Returns the route of lowest cost over `mesh`, or over meshes of more rounds. `permits`: as in choose_route.
Route best_over_meshes(const Facts& facts, MeshRoute& mesh_route, const Mesh& mesh, bool permits) {
  Route best = estimated(facts, mesh_route, mesh, max_samples);
  const auto limit = [&] { return max_time_ratio * std::min(best.seconds_over_mesh, best.seconds_direct); };
  if (!permits && best.direct.bytes < max_bytes_in_many_rounds)
    if (const auto many = best_of_many_rounds(facts, mesh_route, mesh, limit())) best = *many;
  if (facts.loads) {
    const Route striped = estimated(facts, mesh_route, striped_mesh(mesh_route.members()), 0);
    const Index stripes = striped.mesh->radix(0) * best.direct.messages;
    if (striped.seconds_over_mesh + seconds_to_plan_stripe * static_cast<double>(stripes) < limit()) best = striped;
  }
  return best;
}

}  // namespace

std::optional<Mesh> mesh_of(const Members& members, const ProcessGrid& a, const ProcessGrid& b, Index option) {
  if (option == Options::striped)
    return members.on_each_node() > 0 ? std::optional(striped_mesh(members)) : std::nullopt;
  std::vector<int> radices = radices_of(option);
  radices = radices.empty() ? std::vector{columns_of(members, a, b)} : fitted(radices, members.size());
  if (radices.empty() || radices.front() == 1 || radices.front() >= members.size()) return std::nullopt;
  return Mesh(members.size(), radices);
}

ChosenRoute choose_route(const Redistribution& redistribution, const ProcessGrid& a, const ProcessGrid& b,
                         const Options& options, const Links& links, bool permits) {
  const Traffic& traffic = redistribution.traffic;
  const bool asked = options.route != Options::direct && options.route != Options::by_cost;
  // A user who names an algorithm wants its schedule. Before the links are explored, no route is known to be better.
  const bool weighed =
      options.route == Options::by_cost && options.algorithm == AlgorithmId::by_default && !links.nodes.empty();
  const bool few = std::ssize(a.ranks) < min_messages && std::ssize(b.ranks) < min_messages;
  if (!asked && (!weighed || few)) return {};
  const Sides senders = senders_of(traffic), receivers = senders_of(reversed(traffic));
  Route direct{.direct = {std::max(senders.messages(), receivers.messages()),
                          redistribution.bytes * std::max(senders.elements(), receivers.elements())}};
  if (direct.direct.messages < min_messages && !asked) return {direct, std::nullopt};
  Members members(a, b, links.nodes);
  const std::optional<Mesh> mesh = mesh_of(members, a, b, options.route);
  if (!mesh) return {direct, std::nullopt};

  std::optional<AdapterLoads> loads;
  if (options.ports > 1 && members.on_each_node() > 0)
    loads = adapter_loads(traffic, a, b, members, links.nodes, options.ports);
  const Costs costs = costs_of(links, options.ports, members.on_each_node(), loads);
  direct.seconds_direct = costs.direct.of(direct.direct) * (permits && costs.stays(*mesh, 0) ? hindrance : 1);
  const Facts facts{redistribution, a, options, senders, receivers, loads, costs, a == b && members.begin_with(a),
                    direct};
  const double limit = max_time_ratio * direct.seconds_direct;
  if (!asked && min_seconds(facts, *mesh, links) > limit) return {direct, std::nullopt};
  MeshRoute mesh_route(traffic, a, b, std::move(members), *mesh);
  Route route =
      asked ? estimated(facts, mesh_route, *mesh, max_samples) : best_over_meshes(facts, mesh_route, *mesh, permits);
  if (!asked && route.seconds_over_mesh >= limit) {
    route.panels = 1;
    return {route, std::nullopt};
  }
  mesh_route.reshape(*route.mesh);
  route.rounds = route.mesh->rounds();
  return {route, std::move(mesh_route)};
}

}  // namespace xredist::core
