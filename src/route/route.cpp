// SPDX-License-Identifier: BSD-3-Clause
#include "route/route.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "layout/index.hpp"
#include "route/prices.hpp"
#include "schedule/classes.hpp"

namespace xredist::core {
namespace {

// Messages to one process: with fewer, no mesh is considered.
constexpr Index min_messages = 4;

// Ratio of times: a mesh has to save a tenth at least.
constexpr double max_time_ratio = 0.9;

// Bytes: a process that sends and receives more takes two rounds at most, because more rounds copy more bytes.
constexpr Index max_bytes_in_many_rounds = Index{256} << 10;

// The radices of meshes of many rounds. In the model, routes of at most two rounds take 1.10 to 1.87 times as long in
// 45 of 2000 random cases on 16 to 64 processes, 1.10 to 2.65 times in 28 of 400 on 256, and to 2.39 in 11 of 200 on
// 1024.
constexpr int many_round_radices[] = {2, 4, 8};

// Ratio of the maximum load to the average, assumed for meshes whose loads take too long to compute: that of
// CYCLIC(64) -> CYCLIC(48) on 256 processes.
constexpr double max_load_ratio = 5.0 / 3;

// Ratio of times: on slow networks the processes of a node hinder each other if they send to several nodes at once,
// because a matching of processes is not a matching of nodes. Measured with 4 processes on each of 4 nodes: 1.1 to 1.5
// times the port bound directly, 1.1 over a mesh of nodes.
constexpr double hindrance = 1.25;

// Processes whose loads are computed to estimate the work of each round, and a bound on the messages that are visited
// to list their legs, in about 50 us.
constexpr Index min_samples = 2, max_samples = 8, max_sampled_messages = 1 << 12;

// Messages that are visited for one process of a mesh of more than two rounds, at most: 0.2 ms. Larger meshes have the
// expected work instead, which chooses worse: in 4 of 300 random cases on 1024 to 4096 processes, by 1.2 to 1.8.
constexpr Index max_visited_messages = 1 << 14;

// Returns the maximum of messages and of elements of a process along an axis.
Load max_load(const Overlap& o) {
  Load load{max_messages(o), 0};
  // Within a period, processes have different numbers of partners.
  const Index samples = std::min(max_samples, o.a.procs);
  if (is_cyclic(o) && o.n < period(o))
    for (Index k = 0; k < samples; ++k)
      load.messages = std::max(load.messages, std::ssize(partners(o, k * o.a.procs / samples)));
  load.elements = max_held(o);
  return load;
}

// The maximum loads of senders, or of receivers, along both axes.
struct Sides {
  Load rows, cols;
  Index messages() const { return rows.messages * cols.messages; }
  Index elements() const { return rows.elements * cols.elements; }
};
Sides senders_of(const Traffic& traffic) { return {max_load(traffic.rows), max_load(traffic.cols)}; }

// Both ends of the messages.
struct Ends {
  explicit Ends(const Traffic& traffic) : senders(senders_of(traffic)), receivers(senders_of(reversed(traffic))) {}

  // Returns the maximum work of a process if messages go directly.
  Work direct(Index bytes) const {
    return {std::max(senders.messages(), receivers.messages()),
            bytes * std::max(senders.elements(), receivers.elements())};
  }

  Sides senders, receivers;
};

// The facts from which routes over meshes are estimated. `direct` and `seconds_direct`: of direct messages.
struct Facts {
  const Redistribution& redistribution;
  const std::shared_ptr<const GridPair>& grids;
  const Options& options;
  Ends ends;
  Mesh mesh;  // the mesh that the option `route` asks for, or else that of two rounds
  Costs costs;
  Work direct;
  double seconds_direct;

  Index bytes() const { return redistribution.bytes; }
  MeshRoute legs() const { return {redistribution.traffic, grids, mesh}; }
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
std::vector<Work> sampled(const MeshRoute& mesh_route, Index bytes, Index samples) {
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

// Estimates the work of each round: from `samples` processes or, without products, as many as time allows, at least
// one. Meshes of more than two rounds are not sampled if that takes long.
std::vector<Work> work_of_rounds(const MeshRoute& mesh_route, const Work& direct, Index bytes, Index samples) {
  if (mesh_route.loads_are_products()) return sampled(mesh_route, bytes, samples);
  const Mesh& mesh = mesh_route.mesh();
  const Index visits = max_visits(mesh, direct.messages);
  if (visits > max_visited_messages && mesh.rounds() > 2) return expected(mesh, direct, max_load_ratio);
  return sampled(mesh_route, bytes, std::clamp<Index>(max_sampled_messages / visits, 1, samples));
}

// Returns an upper bound on the elements that a process has to store: the sum over the rounds of those that it holds
// for others after the round. These are no more than the senders have whose messages it holds, or their receivers get;
// and if A and B are on the grid that is the mesh, than rows and columns of both allow (route/THEORY.md, T31).
Index store_bound(const Facts& facts, const Mesh& mesh) {
  const auto& [senders, receivers] = facts.ends;
  const Index columns = facts.grids->a().grid.columns;
  Index bound = 0;
  for (int rounds = 1; rounds < mesh.rounds(); ++rounds) {
    const auto [from, to] = mesh.max_ends(rounds);
    Index held = std::min(from * senders.elements(), to * receivers.elements());
    if (facts.grids->is_grid() && !mesh.is_short()) {
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

Store store_for(const Facts& facts, const Mesh& mesh) {
  return {facts.bytes() * store_bound(facts, mesh), facts.options.buffer / 2};
}

// Returns the number of panels. Messages cannot be cut into equal parts, so panels are made for half of the room.
Index panels_for(const Store& store) { return store.bound > store.room ? ceil_div(store.bound, store.room / 2) : 1; }

// Returns the route over a mesh, estimated from `samples` processes.
OverMesh estimated(const Facts& facts, const MeshRoute& legs, Index samples) {
  const Store store = store_for(facts, legs.mesh());
  OverMesh route{legs.mesh(), panels_for(store), store, work_of_rounds(legs, facts.direct, facts.bytes(), samples), 0};
  for (Work& round : route.rounds) round.messages *= route.panels;
  route.seconds = facts.costs.of(route.mesh, route.rounds);
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

// Returns the prices of all routes.
Costs costs_of(const Links& links, int on_each_node) {
  const Prices memory = in_memory(links);
  return {memory, links.nodes.count() == 1 ? memory : between_nodes(links), on_each_node};
}

// Returns the meshes that are considered beside the one of two rounds: each has more rounds, and none comes twice. A
// radix that is not less than the number of positions would leave one digit.
std::vector<Mesh> meshes_of_many_rounds(const Facts& facts, const Mesh& two_rounds) {
  std::vector<Mesh> meshes;
  for (const int radix : many_round_radices) {
    Mesh many = mesh_of_many_rounds(two_rounds, facts.costs.stays(two_rounds, 0), radix);
    if (facts.grids->is_grid() && many.is_short()) many = mesh_of_many_rounds(two_rounds, true, radix);
    if (many.rounds() > 2 && std::ranges::find(meshes, many) == meshes.end()) meshes.push_back(std::move(many));
  }
  return meshes;
}

// Returns the route of lowest cost over a mesh of more than two rounds, if it takes less than `limit` seconds.
std::optional<OverMesh> best_of_many_rounds(const Facts& facts, const MeshRoute& two_rounds, double limit) {
  std::optional<OverMesh> best;
  for (Mesh& many : meshes_of_many_rounds(facts, two_rounds.mesh())) {
    OverMesh route = estimated(facts, two_rounds.over(std::move(many)), min_samples);
    if (route.panels == 1 && route.seconds < (best ? best->seconds : limit)) best = std::move(route);
  }
  if (best) best = estimated(facts, two_rounds.over(best->mesh), max_samples);
  return best && best->seconds < limit ? std::move(best) : std::nullopt;
}

// Returns a lower bound on the time of all routes over the mesh, or over meshes that are considered in its place.
double min_seconds(const Facts& facts) {
  return facts.costs.far.of({panels_for(store_for(facts, facts.mesh)), facts.direct.bytes}) *
         (facts.costs.stays(facts.mesh, 0) ? 1 : 2);
}

// Returns the route of lowest cost over the mesh of two rounds, or over meshes of more rounds. `permits`: as in
// choose_route.
OverMesh best_over_meshes(const Facts& facts, const MeshRoute& two_rounds, bool permits) {
  OverMesh best = estimated(facts, two_rounds, max_samples);
  if (permits || facts.direct.bytes >= max_bytes_in_many_rounds) return best;
  const double limit = max_time_ratio * std::min(best.seconds, facts.seconds_direct);
  std::optional<OverMesh> many = best_of_many_rounds(facts, two_rounds, limit);
  return many ? std::move(*many) : best;
}

// Returns the facts about a redistribution, unless no mesh is possible.
std::optional<Facts> facts_of(const Redistribution& redistribution, const std::shared_ptr<const GridPair>& grids,
                              const Options& options, const Links& links, bool permits, const Ends& ends) {
  std::optional<Mesh> mesh = mesh_of(*grids, options.route);
  if (!mesh) return std::nullopt;
  const Work direct = ends.direct(redistribution.bytes);
  const Costs costs = costs_of(links, grids->members().on_each_node());
  const double seconds = costs.far.of(direct) * (permits && costs.stays(*mesh, 0) ? hindrance : 1);
  return Facts{.redistribution = redistribution,
               .grids = grids,
               .options = options,
               .ends = ends,
               .mesh = *std::move(mesh),
               .costs = costs,
               .direct = direct,
               .seconds_direct = seconds};
}

Route forwarded(const Facts& facts, OverMesh best) {
  return {facts.direct, facts.seconds_direct, std::move(best), true};
}

// Returns the route over the mesh that the user asks for.
ChosenRoute route_asked_for(const Facts& facts) {
  MeshRoute legs = facts.legs();
  Route route = forwarded(facts, estimated(facts, legs, max_samples));
  return {std::move(route), std::move(legs)};
}

// Returns the best route over meshes if it saves enough time, otherwise the direct one.
ChosenRoute fastest_route(const Facts& facts, bool permits) {
  const double limit = max_time_ratio * facts.seconds_direct;
  if (min_seconds(facts) > limit) return {{.direct = facts.direct, .seconds_direct = facts.seconds_direct}};
  const MeshRoute legs = facts.legs();
  OverMesh best = best_over_meshes(facts, legs, permits);
  if (best.seconds >= limit) return {{facts.direct, facts.seconds_direct, std::move(best)}};
  MeshRoute legs_of_best = legs.over(best.mesh);
  return {forwarded(facts, std::move(best)), std::move(legs_of_best)};
}

// The part of the option `route` that is left to decide.
enum class Question { none, whether_to_forward, forwarding_asked };

Question question_of(const Options& options, const Links& links, const GridPair& grids) {
  if (options.route.kind == RouteOption::Kind::direct) return Question::none;
  if (options.route.kind == RouteOption::Kind::over_mesh) return Question::forwarding_asked;
  // A user who names an algorithm wants its schedule. Before the links are explored, no route is known to be better.
  if (options.algorithm != AlgorithmId::by_default || links.nodes.empty()) return Question::none;
  const auto is_small = [](const PlacedGrid& of) { return std::ssize(of.grid.ranks) < min_messages; };
  const bool few = is_small(grids.a()) && is_small(grids.b());
  return few ? Question::none : Question::whether_to_forward;
}

// Returns the number of columns of a mesh of two digits, which is the radix of the first round.
int columns_of(const GridPair& grids) {
  if (const int on_each_node = grids.members().on_each_node(); on_each_node > 0) return on_each_node;
  return grids.equal() ? static_cast<int>(grids.a().grid.columns) : columns_of_square(grids.members().size());
}

}  // namespace

std::optional<Mesh> mesh_of(const GridPair& grids, const RouteOption& option) {
  const int size = grids.members().size();
  std::vector<int> radices = radices_of(option);
  radices = radices.empty() ? std::vector{columns_of(grids)} : fitted(radices, size);
  if (radices.empty() || radices.front() == 1 || radices.front() >= size) return std::nullopt;
  return Mesh(size, radices);
}

ChosenRoute choose_route(const Redistribution& redistribution, const std::shared_ptr<const GridPair>& grids,
                         const Options& options, const Links& links, bool permits) {
  const Question question = question_of(options, links, *grids);
  if (question == Question::none) return {};
  const bool asked = question == Question::forwarding_asked;
  const Ends ends(redistribution.traffic);
  const Work direct = ends.direct(redistribution.bytes);
  const bool few = !asked && direct.messages < min_messages;
  const std::optional<Facts> facts =
      few ? std::nullopt : facts_of(redistribution, grids, options, links, permits, ends);
  if (!facts) return {{.direct = direct}};
  return asked ? route_asked_for(*facts) : fastest_route(*facts, permits);
}

std::vector<OverMesh> rated_meshes(const Redistribution& redistribution, const std::shared_ptr<const GridPair>& grids,
                                   const Options& options, const Links& links, bool permits) {
  Options forwarding = options;
  forwarding.route = {RouteOption::Kind::over_mesh};
  const std::optional<Facts> facts =
      facts_of(redistribution, grids, forwarding, links, permits, Ends(redistribution.traffic));
  if (!facts) return {};
  const MeshRoute legs = facts->legs();
  std::vector<OverMesh> rated{estimated(*facts, legs, max_samples)};
  for (Mesh& many : meshes_of_many_rounds(*facts, facts->mesh)) {
    OverMesh route = estimated(*facts, legs.over(std::move(many)), min_samples);
    if (route.panels == 1) rated.push_back(std::move(route));
  }
  std::ranges::stable_sort(rated, {}, &OverMesh::seconds);
  return rated;
}

}  // namespace xredist::core
