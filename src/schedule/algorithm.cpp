#include "schedule/algorithm.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "schedule/cost.hpp"
#include "schedule/graph.hpp"

namespace xredist {
namespace {

using Made = std::optional<Schedule>;

// The quantum that balances the steps' start-ups against what stays of the bound: THEORY.md. Without a
// price of elements messages stay whole.
double best_quantum(const Graph& graph, const Network& network) {
  const Bounds bounds = bounds_of(graph);
  const double elements = static_cast<double>(bounds.elements) * graph.periods();
  if (network.beta <= 0) return std::max(1.0, elements);
  return std::max(1.0, std::sqrt(network.alpha * elements / (network.beta * static_cast<double>(bounds.steps))));
}

double sum_of_lengths(const Graph& graph) {
  const auto sum = [](const std::vector<Index>& lengths) { return static_cast<double>(std::accumulate(lengths.begin(), lengths.end(), Index{0})); };
  return sum(graph.rows.lengths) * sum(graph.cols.lengths) * graph.periods();
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
     [](const Traffic& t, const Network& network) { return quantised_schedule(t, best_quantum(*graph_of(t), network)); }},
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

namespace {

// A schedule and its T, or a bound of it.
struct Candidate {
  Schedule schedule;
  Index total;
};

// Work of split_schedule in seconds, as measured.
double work_to_split(const Graph& graph) {
  const double nodes = std::max(graph.lefts(), graph.rights());
  return 5e-8 * nodes * nodes * static_cast<double>(graph.edges());
}

// The schedules of one axis that may make a good product.
std::vector<Candidate> candidates_of_axis(const Traffic& alone, double worth) {
  const auto graph = graph_of(alone);
  std::vector<Candidate> all;
  const auto add = [&](Made schedule) {
    if (!schedule) return;
    const Index total = total_cost(*graph, *schedule);
    all.push_back({std::move(*schedule), total});
  };
  add(optimal_schedule(alone));
  if (work_to_split(*graph) < worth) add(split_schedule(alone));
  return all;
}

Index longest_message(const Graph& graph) {
  return *std::ranges::max_element(graph.rows.lengths) * *std::ranges::max_element(graph.cols.lengths);
}

// The cheapest so far. `network` is for elements of the graph: those of one period.
class Choice {
 public:
  Choice(const Network& network, const Bounds& bounds, Candidate first)
      : network_(network), bound_(cost(bounds.steps, bounds.elements)), least_(cost(first.schedule.count, first.total)),
        best_(std::move(first.schedule)) {}

  // Not for what can save a tenth only, nor for less time than the look itself takes.
  bool worth(double seconds) const { return least_ > 1.1 * bound_ && least_ - bound_ > seconds; }
  double left() const { return least_ > 1.1 * bound_ ? least_ - bound_ : 0; }
  bool better(Index steps, Index total) const { return cost(steps, total) < least_; }
  void take(Candidate other) {
    least_ = cost(other.schedule.count, other.total);
    best_ = std::move(other.schedule);
  }
  Schedule best() && { return std::move(best_); }

 private:
  double cost(Index steps, Index total) const {
    return network_.alpha * static_cast<double>(steps) + network_.beta * static_cast<double>(total);
  }

  Network network_;
  double bound_, least_;
  Schedule best_;
};

void consider_products(const Traffic& traffic, Choice& choice) {
  const auto rows = candidates_of_axis(rows_alone(traffic), choice.left()), cols = candidates_of_axis(cols_alone(traffic), choice.left());
  for (const Candidate& row : rows)
    for (const Candidate& col : cols)
      if (choice.better(row.schedule.count * col.schedule.count, row.total * col.total))
        choice.take({product(row.schedule, col.schedule), row.total * col.total});
}

}  // namespace

Schedule default_schedule(const Traffic& traffic, const Network& network) {
  Schedule optimal = optimal_schedule(traffic);
  const double edges[] = {axis_edges(traffic.rows), axis_edges(traffic.cols)};
  if (std::max(edges[0], edges[1]) > most_edges_to_weigh) return optimal;
  const auto graph = graph_of(traffic);
  const bool small = edges[0] * edges[1] <= most_edges_to_weigh;
  const Index total = small ? total_cost(*graph, optimal) : optimal.count * longest_message(*graph);
  Choice choice({network.alpha, network.beta * graph->periods()}, bounds_of(*graph), {std::move(optimal), total});
  const auto consider = [&](Made other) {
    if (!other) return;
    const Index its = total_cost(*graph, *other);
    if (choice.better(other->count, its)) choice.take({std::move(*other), its});
  };
  if (choice.worth(1e-3)) consider_products(traffic, choice);
  if (small && choice.worth(1e-3)) {
    // As many parts as edges, and 4096 more at most.
    consider(quantised_schedule(traffic, std::max(sum_of_lengths(*graph) / 4096, best_quantum(*graph, network))));
  }
  if (small && choice.worth(work_to_split(*graph))) consider(split_schedule(traffic));
  return std::move(choice).best();
}

}  // namespace xredist
