// SPDX-License-Identifier: BSD-3-Clause
// The default schedule: the cheapest one that the planner finds within the limits of limits.hpp.
#include <algorithm>
#include <numeric>

#include "schedule/algorithm.hpp"
#include "schedule/limits.hpp"

namespace xredist::core {
namespace {

// Returns the number of elements of all messages.
double sum_of_lengths(const Graph& graph) {
  const auto sum = [](const std::vector<Index>& lengths) {
    return static_cast<double>(std::accumulate(lengths.begin(), lengths.end(), Index{0}));
  };
  return sum(graph.rows.lengths) * sum(graph.cols.lengths) * graph.periods();
}

Index longest_message(const Graph& graph) {
  return std::ranges::max(graph.rows.lengths) * std::ranges::max(graph.cols.lengths);
}

// Returns the minimum saving (s) that justifies split_schedule.
double min_saving_of_split(const Graph& graph) {
  return limits::split_seconds * static_cast<double>(graph.edges()) * graph.degree();
}

// A schedule and its total T, or an upper bound on T.
struct Candidate {
  Schedule schedule;
  Index total;
};

Candidate candidate(const Graph& graph, Schedule schedule) {
  const Index total = total_cost(graph, schedule);
  return {std::move(schedule), total};
}

// The cheapest schedule so far. `network` is for elements of the graph: those of one period.
class Choice {
 public:
  Choice(const Network& network, const Bounds& bounds, Candidate first)
      : network_(network),
        bound_(cost(bounds.steps, bounds.elements)),
        min_(cost(first.schedule.count, first.total)),
        best_(std::move(first.schedule)) {}

  // Returns whether a search of this time can save more than a tenth of the bound and more than its own time.
  bool worth(double seconds) const { return min_ > limits::cost_worth_search * bound_ && min_ - bound_ > seconds; }
  // Returns the time (s) that such a schedule saves, or 0 if it saves less than a tenth.
  double saving(double steps, double total) const {
    const double seconds = network_.alpha * steps + network_.beta * total;
    return min_ > limits::cost_worth_search * seconds ? min_ - seconds : 0;
  }
  bool improves(Index steps, Index total) const { return cost(steps, total) < min_; }
  void take(Candidate other) {
    min_ = cost(other.schedule.count, other.total);
    best_ = std::move(other.schedule);
  }
  void consider(Candidate other) {
    if (improves(other.schedule.count, other.total)) take(std::move(other));
  }
  void consider(const Graph& graph, std::optional<Schedule> other) {
    if (other) consider(candidate(graph, *std::move(other)));
  }
  Schedule best() && { return std::move(best_); }

 private:
  double cost(Index steps, Index total) const {
    return network_.alpha * static_cast<double>(steps) + network_.beta * static_cast<double>(total);
  }

  Network network_;
  double bound_, min_;
  Schedule best_;
};

// One axis, its bounds, and schedules that may make a good product.
struct Factor {
  Traffic traffic;
  std::shared_ptr<const Graph> graph = graph_of(traffic);
  Bounds bounds = bounds_of(*graph);
  std::vector<Candidate> all = {};

  void add(std::optional<Schedule> schedule) {
    if (schedule) all.push_back(candidate(*graph, *std::move(schedule)));
  }
};

// Considers products of schedules of the axes, whose S and T are products (THEORY.md, T24).
void consider_products(const Traffic& traffic, Choice& choice) {
  Factor rows{rows_alone(traffic)}, cols{cols_alone(traffic)};
  const auto steps = static_cast<double>(rows.bounds.steps * cols.bounds.steps);
  const auto total = static_cast<double>(rows.bounds.elements * cols.bounds.elements);
  if (choice.saving(steps, total) == 0) return;
  for (Factor* axis : {&rows, &cols}) axis->add(optimal_schedule(axis->traffic));
  const double saving = choice.saving(limits::steps_of_split * steps, total);
  for (Factor* axis : {&rows, &cols})
    if (axis->all.front().total > axis->bounds.elements && min_saving_of_split(*axis->graph) < saving)
      axis->add(split_schedule(axis->graph, limits::split_visits));
  for (const Candidate& row : rows.all)
    for (const Candidate& col : cols.all)
      if (choice.improves(row.schedule.count * col.schedule.count, row.total * col.total))
        choice.take({product(row.schedule, col.schedule), row.total * col.total});
}

// Returns an axis on which each process of A has one message for each of B (THEORY.md, T17).
Overlap all_pairs(const Overlap& o) {
  return {{1, o.a.procs, 0, 0}, {o.a.procs, o.b.procs, 0, 0}, o.a.procs * o.b.procs};
}

// Replaces an axis of many messages by all pairs (THEORY.md, T17) if that has hardly more steps: all pairs need no
// colouring. Compares with the messages of element 0's owner on either side. In planning_benchmark,
// 1024/1000:1024/1 takes 25 us instead of 30 ms, with 1024 steps instead of 1000.
Overlap simpler(const Overlap& o) {
  if (axis_edges(o) <= limits::edges_without_shortcut || o.a.procs == 1 || o.b.procs == 1) return o;
  const double limit = axis_edges(o) > limits::edges_of_dense_axis ? limits::many_more_steps : limits::few_more_steps;
  const auto near = [limit](Index all, Index messages) {
    return static_cast<double>(all) <= limit * static_cast<double>(messages);
  };
  return near(o.b.procs, max_partners(o)) && near(o.a.procs, max_partners(reversed(o))) ? all_pairs(o) : o;
}

// Returns a schedule with the minimum number of steps, or with slightly more if that is found sooner (THEORY.md, T17,
// T19).
Schedule few_steps(const Traffic& traffic) {
  const Traffic longer{simpler(traffic.rows), simpler(traffic.cols)};
  const bool periods = longer.rows.n >= period(longer.rows) && longer.cols.n >= period(longer.cols);
  return periods ? periodic_schedule(longer) : coloured_schedule(longer, limits::edges_to_colour);
}

// Colours the graph and weighs the colours.
Candidate coloured_candidate(const std::shared_ptr<const Graph>& graph, ColourOrder order) {
  std::vector<int> colours = colours_of(*graph, order);
  const std::vector<Index> lengths = graph->lengths();
  std::vector<Index> longest(colours.empty() ? 0 : as_size(std::ranges::max(colours)) + 1, 0);
  for (std::size_t e = 0; e < colours.size(); ++e)
    at(longest, colours[e]) = std::max(at(longest, colours[e]), lengths[e]);
  return {schedule_from_colours(graph, std::move(colours)), std::accumulate(longest.begin(), longest.end(), Index{0})};
}

// Searches for a cheaper schedule while that can save more than the search takes. `small`: edges can be weighed.
Schedule cheapest(Choice choice, const Traffic& traffic, const std::shared_ptr<const Graph>& graph,
                  const Network& network, bool small) {
  if (choice.worth(limits::search_seconds)) consider_products(traffic, choice);
  if (small && choice.worth(limits::search_seconds)) {
    const double min_quantum = sum_of_lengths(*graph) / limits::quanta_of_default;
    choice.consider(*graph, quantised_schedule(graph, std::max(min_quantum, best_quantum(*graph, network))));
  }
  if (small && choice.worth(min_saving_of_split(*graph) / 2))
    choice.consider(*graph, split_schedule(graph, limits::split_visits));
  return std::move(choice).best();
}

}  // namespace

Schedule default_schedule(const Traffic& traffic, const Network& network, const Ranks& ranks) {
  const double row_edges = axis_edges(traffic.rows), col_edges = axis_edges(traffic.cols);
  if (std::max(row_edges, col_edges) > limits::edges_to_weigh) return few_steps(traffic);
  const auto graph = graph_of(traffic, ranks);
  const Network of_period{network.alpha, network.beta * graph->periods()};
  const Bounds bounds = bounds_of(*graph);
  if (!graph->own.empty()) {
    Choice choice(of_period, bounds, coloured_candidate(graph, ColourOrder::any));
    if (choice.worth(limits::seconds_per_sorted_message * static_cast<double>(graph->edges())))
      choice.consider(coloured_candidate(graph, ColourOrder::by_length));
    return cheapest(std::move(choice), traffic, graph, network, true);
  }
  Schedule optimal = few_steps(traffic);
  const bool small = row_edges * col_edges <= limits::edges_to_weigh;
  const Index total = small ? total_cost(*graph, optimal) : optimal.count * longest_message(*graph);
  return cheapest({of_period, bounds, {std::move(optimal), total}}, traffic, graph, network, small);
}

}  // namespace xredist::core
