#include "schedule/algorithm.hpp"

#include <algorithm>
#include <cmath>

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
     [](const Traffic& t, const Network& network) { return quantised_schedule(t, best_quantum(bounds_of(t), network)); }},
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
  // Larger graphs are not worth the work of looking; neither is what can save only a tenth, or less
  // time than the look takes.
  if (axis_edges(traffic.rows) * axis_edges(traffic.cols) > 4096) return best;
  const auto graph = graph_of(traffic);
  const auto cost = [&](const Schedule& s) {
    return network.alpha * static_cast<double>(s.count) + network.beta * static_cast<double>(total_cost(*graph, s));
  };
  const Bounds bounds = bounds_of(traffic);
  double least = cost(best);
  const double bound = network.alpha * static_cast<double>(bounds.steps) + network.beta * static_cast<double>(bounds.elements);
  if (least <= std::max(1.1 * bound, bound + 1e-3)) return best;
  const auto consider = [&](Made other) {
    if (!other || cost(*other) >= least) return;
    least = cost(*other);
    best = std::move(*other);
  };
  if (std::max(graph->lefts(), graph->rights()) <= 32) consider(split_schedule(traffic));
  consider(quantised_schedule(traffic, best_quantum(bounds, network)));
  return best;
}

}  // namespace xredist
