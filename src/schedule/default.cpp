// Which schedule is the cheapest, and how long it pays to look.
#include <algorithm>
#include <numeric>

#include "schedule/algorithm.hpp"
#include "schedule/graph.hpp"

namespace xredist {
namespace {

double sum_of_lengths(const Graph& graph) {
  const auto sum = [](const std::vector<Index>& lengths) { return static_cast<double>(std::accumulate(lengths.begin(), lengths.end(), Index{0})); };
  return sum(graph.rows.lengths) * sum(graph.cols.lengths) * graph.periods();
}

// Above this even to compare schedules takes milliseconds.
constexpr double most_edges_to_weigh = 4096;

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
  const auto add = [&](std::optional<Schedule> schedule) {
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
  const auto consider = [&](std::optional<Schedule> other) {
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
