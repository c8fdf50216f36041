#include "schedule/algorithm.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "schedule/cost.hpp"
#include "schedule/graph.hpp"

namespace xredist {
namespace {

using Made = std::optional<Schedule>;

// The quantum that balances the steps' start-ups against what stays of the bound: THEORY.md.
Index best_quantum(const Bounds& bounds, const Network& network) {
  const double u = std::sqrt(network.alpha * static_cast<double>(bounds.elements) /
                             (network.beta * static_cast<double>(bounds.steps)));
  return std::max<Index>(1, static_cast<Index>(std::ceil(u)));
}

Index sum_of_lengths(const Graph& graph) {
  const auto sum = [](const std::vector<Index>& lengths) { return std::accumulate(lengths.begin(), lengths.end(), Index{0}); };
  return sum(graph.rows.lengths) * sum(graph.cols.lengths);
}

// Above this even to compare schedules takes milliseconds.
constexpr double most_edges_to_weigh = 4096;

constexpr Algorithm table[] = {
    {"default", "the cheapest of optimal, split and quantised",
     [](const Traffic& t, const Network& network) { return Made(default_schedule(t, network)); }},
    {"optimal", "the least number of steps (T3, colouring)",
     [](const Traffic& t, const Network&) { return Made(optimal_schedule(t)); }},
    {"stepwise", "Desprez et al.: the least number of steps, heaviest matchings",
     [](const Traffic& t, const Network&) { return stepwise_schedule(t); }},
    {"greedy", "Desprez et al.: heaviest matching each time",
     [](const Traffic& t, const Network&) { return greedy_schedule(t); }},
    {"split", "messages cut, the least total",
     [](const Traffic& t, const Network&) { return split_schedule(t); }},
    {"quantised", "messages cut into equal parts",
     [](const Traffic& t, const Network& network) { return quantised_schedule(t, best_quantum(bounds_of(*graph_of(t)), network)); }},
    {"walker-otto", "Walker & Otto: r -> Kr and Kr -> r on one grid",
     [](const Traffic& t, const Network&) { return walker_otto_schedule(t); }},
    {"caterpillar", "Prylli & Tourancheau, both ways at once",
     [](const Traffic& t, const Network&) { return Made(caterpillar_schedule(t)); }},
    {"reference", "ScaLAPACK's order, one way after the other",
     [](const Traffic& t, const Network&) { return Made(reference_schedule(t)); }},
    {"shifted", "receiver p, p + 1, ...", [](const Traffic& t, const Network&) { return Made(shifted_schedule(t)); }},
    {"rank", "receiver 0, 1, ... for all", [](const Traffic& t, const Network&) { return Made(rank_schedule(t)); }},
};

}  // namespace

std::span<const Algorithm> algorithms() { return table; }

const Algorithm* find_algorithm(std::string_view name) {
  const auto found = std::ranges::find(table, name, &Algorithm::name);
  return found == std::end(table) ? nullptr : found;
}

Schedule default_schedule(const Traffic& traffic, const Network& network) {
  Schedule best = optimal_schedule(traffic);
  if (axis_edges(traffic.rows) * axis_edges(traffic.cols) > most_edges_to_weigh) return best;
  const auto graph = graph_of(traffic);
  const Bounds bounds = bounds_of(*graph);
  const auto cost = [&](Index steps, Index total) {
    return network.alpha * static_cast<double>(steps) + network.beta * static_cast<double>(total);
  };
  const double bound = cost(bounds.steps, bounds.elements);
  double least = cost(best.count, total_cost(*graph, best));
  // Not for what can save a tenth only, nor for less time than the look itself takes.
  const auto worth = [&](double work) { return least > 1.1 * bound && least - bound > work; };
  const auto consider = [&](Made other) {
    if (!other) return;
    const double its = cost(other->count, total_cost(*graph, *other));
    if (its >= least) return;
    least = its;
    best = std::move(*other);
  };
  if (worth(1e-3)) {
    // As many parts as edges, and 4096 more at most.
    const Index coarse = std::max<Index>(1, sum_of_lengths(*graph) / 4096);
    consider(quantised_schedule(traffic, std::max(coarse, best_quantum(bounds, network))));
  }
  const double nodes = std::max(graph->lefts(), graph->rights());
  if (worth(5e-8 * nodes * nodes * static_cast<double>(graph->edges()))) consider(split_schedule(traffic));
  return best;
}

}  // namespace xredist
