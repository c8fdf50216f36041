// SPDX-License-Identifier: BSD-3-Clause
// Which schedule is the cheapest, and how long it pays to look.
#include "schedule/choose.hpp"

#include <algorithm>
#include <numeric>

#include "schedule/classes.hpp"
#include "schedule/graph.hpp"
#include "schedule/weighted.hpp"

namespace xredist::core {
namespace {

double sum_of_lengths(const Graph& graph) {
  const auto sum = [](const std::vector<Index>& lengths) {
    return static_cast<double>(std::accumulate(lengths.begin(), lengths.end(), Index{0}));
  };
  return sum(graph.rows.lengths) * sum(graph.cols.lengths) * graph.periods();
}

// Above this even to compare schedules takes milliseconds.
constexpr double most_edges_to_weigh = 4096;

// A schedule and its T, or a bound of it.
struct Candidate {
  Schedule schedule;
  Index total;
};

// To make and weigh the products or the quanta, in seconds.
constexpr double look = 5e-4;

// What split_schedule may look at: three milliseconds. And what saving is worth the look, in seconds: some times what
// it takes as measured, for the best product may still be none of a split one.
constexpr Index most_looks = 1 << 20;
double work_to_split(const Graph& graph) { return 5e-8 * static_cast<double>(graph.edges()) * graph.degree(); }

Index longest_message(const Graph& graph) {
  return *std::ranges::max_element(graph.rows.lengths) * *std::ranges::max_element(graph.cols.lengths);
}

// The cheapest so far. `network` is for elements of the graph: those of one period.
class Choice {
 public:
  Choice(const Network& network, const Bounds& bounds, Candidate first)
      : network_(network),
        bound_(cost(bounds.steps, bounds.elements)),
        least_(cost(first.schedule.count, first.total)),
        best_(std::move(first.schedule)) {}

  // Not for what can save a tenth only, nor for less time than the look itself takes.
  bool worth(double seconds) const { return least_ > 1.1 * bound_ && least_ - bound_ > seconds; }
  // What a schedule saves, in seconds; 0 for less than a tenth.
  double saves(double steps, double total) const {
    const double its = network_.alpha * steps + network_.beta * total;
    return least_ > 1.1 * its ? least_ - its : 0;
  }
  bool better(Index steps, Index total) const { return cost(steps, total) < least_; }
  void take(Candidate other) {
    least_ = cost(other.schedule.count, other.total);
    best_ = std::move(other.schedule);
  }
  void consider(Candidate other) {
    if (better(other.schedule.count, other.total)) take(std::move(other));
  }
  void consider(const Graph& graph, std::optional<Schedule> other) {
    if (!other) return;
    const Index total = total_cost(graph, *other);
    consider({std::move(*other), total});
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

// Splitting an axis takes up to some times the least number of steps; with so many it is to be worth the look.
constexpr double steps_of_split = 1.6;

// One axis, its bounds, and the schedules that may make a good product.
struct Factor {
  Traffic traffic;
  std::shared_ptr<const Graph> graph = graph_of(traffic);
  Bounds least = bounds_of(*graph);
  std::vector<Candidate> all = {};

  void add(std::optional<Schedule> schedule) {
    if (!schedule) return;
    const Index total = total_cost(*graph, *schedule);
    all.push_back({std::move(*schedule), total});
  }
};

void consider_products(const Traffic& traffic, Choice& choice) {
  Factor rows{rows_alone(traffic)}, cols{cols_alone(traffic)};
  const auto steps = static_cast<double>(rows.least.steps * cols.least.steps);
  const auto total = static_cast<double>(rows.least.elements * cols.least.elements);
  if (choice.saves(steps, total) == 0) return;
  for (Factor* axis : {&rows, &cols}) axis->add(optimal_schedule(axis->traffic));
  const double worth = choice.saves(steps_of_split * steps, total);
  for (Factor* axis : {&rows, &cols})
    if (axis->all.front().total > axis->least.elements && work_to_split(*axis->graph) < worth)
      axis->add(split_schedule(axis->graph, most_looks));
  for (const Candidate& row : rows.all)
    for (const Candidate& col : cols.all)
      if (choice.better(row.schedule.count * col.schedule.count, row.total * col.total))
        choice.take({product(row.schedule, col.schedule), row.total * col.total});
}

// To find and colour messages takes 20 to 50 ns each; for more pieces of an axis other ways are sought first.
constexpr double most_edges_to_colour = 100'000;

// An axis on which each process of A has one message for each of B (THEORY.md, T17).
Overlap all_pairs(const Overlap& o) {
  return {{1, o.a.procs, 0, 0}, {o.a.procs, o.b.procs, 0, 0}, o.a.procs * o.b.procs};
}

// Replaces an axis of many messages by one that has hardly more steps and needs no colouring: one of all pairs
// (THEORY.md, T17) or of a whole period (T18). The messages of one process on either side decide.
Overlap simpler(const Overlap& o) {
  const Index longest = 64 * o.n, whole = period({o.a, o.b, longest});
  if (axis_edges(o) <= most_edges_to_colour / 2 || o.a.procs == 1 || o.b.procs == 1) return o;
  const auto sends = static_cast<double>(most_partners(o));
  const auto receives = static_cast<double>(most_partners(reversed(o)));
  const auto near = [&](Index left, Index right, double more) {
    return static_cast<double>(left) <= more * sends && static_cast<double>(right) <= more * receives;
  };
  if (near(o.b.procs, o.a.procs, axis_edges(o) > 4 * most_edges_to_colour ? 1.25 : 1.05)) return all_pairs(o);
  if (o.n >= whole || whole > longest) return o;
  const Overlap longer{o.a, o.b, whole};
  const Classes c(longer);
  return near(c.m * c.d1, c.n * c.d2, 1.05) ? longer : o;
}

// The least number of steps, or some more where such a schedule is found sooner (THEORY.md, T17 to T19).
Schedule few_steps(const Traffic& traffic) {
  const Traffic longer{simpler(traffic.rows), simpler(traffic.cols)};
  const bool periods = longer.rows.n >= period(longer.rows) && longer.cols.n >= period(longer.cols);
  return periods ? periodic_schedule(longer) : coloured_schedule(longer, most_edges_to_colour);
}

// Of the graph's own colouring.
Candidate coloured_and_weighed(const std::shared_ptr<const Graph>& graph, ColourOrder order) {
  std::vector<int> colours = colours_of(*graph, order);
  const std::vector<Index> lengths = graph->lengths();
  std::vector<Index> longest(colours.empty() ? 0 : static_cast<std::size_t>(std::ranges::max(colours)) + 1, 0);
  for (std::size_t e = 0; e < colours.size(); ++e) {
    Index& most = longest[static_cast<std::size_t>(colours[e])];
    most = std::max(most, lengths[e]);
  }
  return {coloured(graph, std::move(colours)), std::accumulate(longest.begin(), longest.end(), Index{0})};
}

// To colour messages in the order of their length, in seconds for each.
constexpr double order = 4e-8;

// Looks for something cheaper while that can save more than it takes. `small`: edges can be weighed one by one.
Schedule cheapest(Choice choice, const Traffic& traffic, const std::shared_ptr<const Graph>& graph,
                  const Network& network, bool small) {
  if (choice.worth(look)) consider_products(traffic, choice);
  if (small && choice.worth(look)) {
    // As many parts as edges, and 4096 more at most.
    const double quantum = std::max(sum_of_lengths(*graph) / 4096, best_quantum(*graph, network));
    choice.consider(*graph, quantised_schedule(graph, quantum));
  }
  if (small && choice.worth(work_to_split(*graph) / 2)) choice.consider(*graph, split_schedule(graph, most_looks));
  return std::move(choice).best();
}

}  // namespace

Schedule default_schedule(const Traffic& traffic, const Network& network, const Ranks& ranks) {
  const double edges[] = {axis_edges(traffic.rows), axis_edges(traffic.cols)};
  if (std::max(edges[0], edges[1]) > most_edges_to_weigh) return few_steps(traffic);
  const auto graph = graph_of(traffic, ranks);
  const Network of_period{network.alpha, network.beta * graph->periods()};
  const Bounds bounds = bounds_of(*graph);
  if (!graph->own.empty()) {
    Choice choice(of_period, bounds, coloured_and_weighed(graph, ColourOrder::any));
    if (choice.worth(order * static_cast<double>(graph->edges())))
      choice.consider(coloured_and_weighed(graph, ColourOrder::by_length));
    return cheapest(std::move(choice), traffic, graph, network, true);
  }
  Schedule optimal = few_steps(traffic);
  const bool small = edges[0] * edges[1] <= most_edges_to_weigh;
  const Index total = small ? total_cost(*graph, optimal) : optimal.count * longest_message(*graph);
  return cheapest({of_period, bounds, {std::move(optimal), total}}, traffic, graph, network, small);
}

}  // namespace xredist::core
