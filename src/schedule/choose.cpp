// SPDX-License-Identifier: BSD-3-Clause
// The default schedule: the cheapest one that the planner finds within the limits of limits.hpp.
#include "schedule/choose.hpp"

#include <algorithm>
#include <utility>

#include "schedule/limits.hpp"
#include "schedule/matchings.hpp"
#include "schedule/split.hpp"

namespace xredist::core {
namespace {

Index longest_message(const Graph& graph) {
  return std::ranges::max(graph.rows.lengths) * std::ranges::max(graph.cols.lengths);
}

// Return the times (s) of searches.
double seconds_of_split(const Graph& graph) {
  return limits::split_seconds * static_cast<double>(graph.edges()) * graph.degree();
}
double seconds_of_matchings(Index lefts, Index rights, int degree) {
  const auto [less, more] = std::minmax({static_cast<double>(lefts), static_cast<double>(rights)});
  return limits::matching_seconds * less * less * more * degree;
}
// Returns the maximum time (s) of matchings.
double max_matching_seconds(const Network& network) {
  return network.executions == 1 ? limits::matching_seconds_of_call : limits::matching_seconds_of_plan;
}

double seconds_of(const Network& network, double steps, double total) {
  return network.alpha * steps + network.beta * total;
}

// A schedule, and its times in one execution.
struct Candidate {
  Schedule schedule;
  Times times;
};

// The best schedule so far: it has the least maximum of both times over their lower bounds. Decides whether searches
// for a faster one pay.
class Choice {
 public:
  // `least`: lower bounds on the times of all schedules (THEORY.md, T20, T25).
  Choice(double executions, const Times& least, Candidate first)
      : executions_(executions), least_(least), best_(std::move(first)) {}

  bool improves(const Times& times) const { return over_least(times) < over_least(best_.times); }
  void add(Candidate other) {
    if (improves(other.times)) best_ = std::move(other);
  }

  // Returns whether a search of this time may save more than its time in all executions, and more than a fiftieth.
  bool worth(double seconds) const {
    return saving(best_.times.barriers, least_.barriers) > seconds || saving(best_.times.free, least_.free) > seconds;
  }
  // Returns the time (s) that a schedule of this time with barriers saves in all executions, or 0 if it saves less than
  // a fiftieth.
  double saving(double seconds) const { return saving(best_.times.barriers, seconds); }

  Schedule best() && { return std::move(best_.schedule); }

 private:
  double saving(double time, double other) const {
    return time > limits::time_worth_search * other ? (time - other) * executions_ : 0;
  }
  double over_least(const Times& times) const {
    return std::max(times.barriers / least_.barriers, times.free / least_.free);
  }

  double executions_;
  Times least_;
  Candidate best_;
};

// One axis alone.
struct Factor {
  Traffic axis;
  std::shared_ptr<const Graph> graph = graph_of(axis);
  Bounds bounds = bounds_of(*graph);
};

// A schedule, and its total.
struct Weighed {
  Schedule schedule;
  Index total;
};

// Returns a schedule of an axis that may make a good product: split, if that lowers the total and takes less than
// `seconds`.
Weighed good_factor(const Factor& factor, double seconds) {
  const auto weighed = [&](Schedule schedule) {
    const Index total = total_cost(*factor.graph, schedule);
    return Weighed{std::move(schedule), total};
  };
  Weighed optimal = weighed(optimal_schedule(factor.axis));
  if (optimal.total == factor.bounds.elements || seconds_of_split(*factor.graph) >= seconds) return optimal;
  std::optional<Schedule> split = split_schedule(factor.graph, limits::split_visits);
  return split ? weighed(*std::move(split)) : optimal;
}

// Returns the product of schedules of the axes, split where that pays, with its time with barriers for both times: S
// and T are products (THEORY.md, T24). Nothing if no product saves more than the search takes.
std::optional<Candidate> good_product(const Traffic& traffic, const Network& network, const Choice& choice) {
  if (!choice.worth(limits::search_seconds)) return std::nullopt;
  const Factor rows{rows_alone(traffic)}, cols{cols_alone(traffic)};
  const double periods = rows.graph->periods() * cols.graph->periods();
  const auto seconds_of_product = [&](double steps, Index row_total, Index col_total) {
    return seconds_of(network, steps, periods * static_cast<double>(row_total * col_total));
  };
  const auto saving_with = [&](double steps) {
    return choice.saving(seconds_of_product(steps, rows.bounds.elements, cols.bounds.elements));
  };
  const auto steps = static_cast<double>(rows.bounds.steps * cols.bounds.steps);
  if (saving_with(steps) == 0) return std::nullopt;
  const double saving = saving_with(limits::steps_of_split * steps);
  Weighed row = good_factor(rows, saving), col = good_factor(cols, saving);
  Schedule both = product(std::move(row.schedule), std::move(col.schedule));
  const double seconds = seconds_of_product(static_cast<double>(both.count), row.total, col.total);
  return Candidate{std::move(both), {seconds, seconds}};
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
  const Traffic simple{simpler(traffic.rows), simpler(traffic.cols)};
  const bool periods = simple.rows.n >= period(simple.rows) && simple.cols.n >= period(simple.cols);
  return periods ? periodic_schedule(simple) : coloured_schedule(simple, limits::edges_to_colour);
}

// Returns lower bounds on the steps and the total of all schedules, from the messages of the owners of the first
// elements and from the elements of the busiest process. The total is exact for whole periods, and the steps mostly are
// (max_partners).
Bounds least_of(const Traffic& traffic) {
  const Overlap &rows = traffic.rows, &cols = traffic.cols;
  const auto both = [&](Index (*of)(const Overlap&)) {
    return std::max(of(rows) * of(cols), of(reversed(rows)) * of(reversed(cols)));
  };
  return {both(max_partners), both(max_held)};
}

// Replaces axes that are shorter than a period by whole periods, if these have no more steps and hardly a greater total
// (THEORY.md, T37): a period needs no list of its messages. Example: 256x512/64 -> 128x1024/128 has at most four
// messages a process; with 10^5 x 10^5 elements the lists of its columns have 1563 edges.
Traffic longer(const Traffic& traffic) {
  const auto& [rows, cols] = traffic;
  const double edges = std::max(axis_edges(rows), axis_edges(cols));
  const Index processes = std::max(rows.a.procs * cols.a.procs, rows.b.procs * cols.b.procs);
  if (edges <= limits::edges_to_list || processes <= static_cast<Index>(limits::processes_without_own)) return traffic;
  const std::optional<Overlap> long_rows = in_whole_period(rows), long_cols = in_whole_period(cols);
  if (!long_rows || !long_cols || too_large(long_rows->n, long_cols->n)) return traffic;
  if (std::max(axis_edges(*long_rows), axis_edges(*long_cols)) > edges) return traffic;
  const Traffic periods{*long_rows, *long_cols};
  const Bounds before = least_of(traffic), after = least_of(periods);
  const double limit = limits::time_worth_search * static_cast<double>(before.elements);
  return after.steps <= before.steps && static_cast<double>(after.elements) <= limit ? periods : traffic;
}

// Returns the best schedule of a graph whose messages can be listed. Searches while a faster schedule can save more
// than the search takes.
Schedule best_by_times(const std::shared_ptr<const Graph>& graph, const Traffic& traffic, const Network& network,
                       Schedule first) {
  const Network of_period{network.alpha, network.beta * graph->periods()};
  const auto weighed = [&](Schedule schedule) {
    const Times times = times_of(*graph, schedule, of_period);
    return Candidate{std::move(schedule), times};
  };
  Choice choice(network.executions, least_times(*graph, of_period), weighed(std::move(first)));
  if (std::optional<Candidate> product = good_product(traffic, network, choice)) {
    // Without barriers a product takes no more time than with them, so a better one need not be listed. But its time is
    // that of whole periods.
    const bool of_periods = network.executions == 1 && graph->own.empty();
    if (!of_periods || !choice.improves(product->times)) product = weighed(std::move(product->schedule));
    choice.add(*std::move(product));
  }
  if (choice.worth(limits::seconds_per_sorted_message * static_cast<double>(graph->edges())))
    choice.add(weighed(schedule_from_colours(graph, colours_of(*graph, ColourOrder::by_length))));
  if (choice.worth(seconds_of_split(*graph) / 2))
    if (std::optional<Schedule> split = split_schedule(graph, limits::split_visits))
      choice.add(weighed(*std::move(split)));
  const double matchings = seconds_of_matchings(graph->lefts(), graph->rights(), graph->degree());
  if (matchings < max_matching_seconds(network) && choice.worth(matchings))
    choice.add(weighed(stepwise_schedule(graph)));
  return std::move(choice).best();
}

// Returns the better of `first` and a product by their S and T, for a graph that is too large to be listed. The time
// with barriers stands for both times.
Schedule best_by_totals(const Graph& graph, const Traffic& traffic, const Network& network, Schedule first) {
  const auto times = [&](Index steps, Index total) {
    const double seconds =
        seconds_of(network, static_cast<double>(steps), graph.periods() * static_cast<double>(total));
    return Times{seconds, seconds};
  };
  const Bounds bounds = bounds_of(graph);
  const Times of_first = times(first.count, first.count * longest_message(graph));
  Choice choice(network.executions, times(bounds.steps, bounds.elements), {std::move(first), of_first});
  if (std::optional<Candidate> product = good_product(traffic, network, choice)) choice.add(*std::move(product));
  return std::move(choice).best();
}

// Returns whether an axis has few messages, which are found in little time.
bool can_be_listed(const Overlap& o, const Network& network) {
  const double pieces = axis_edges(o), pairs = static_cast<double>(o.a.procs) * static_cast<double>(o.b.procs);
  return std::min(pieces, pairs) <= limits::edges_to_weigh &&
         pieces <= (network.executions == 1 ? limits::edges_to_weigh : limits::pieces_of_plan);
}

// Returns the graph by which schedules are compared. For many executions, it has an edge for each message, if such a
// graph is small: then processes that are alike need not send alike, and lengths are exact.
std::shared_ptr<const Graph> graph_to_weigh(const Traffic& traffic, const Network& network, const Ranks& ranks) {
  std::shared_ptr<const Graph> graph = graph_of(traffic, ranks);
  const auto& [rows, cols] = traffic;
  const Index lefts = rows.a.procs * cols.a.procs, rights = rows.b.procs * cols.b.procs;
  if (network.executions == 1 || !graph->own.empty() ||
      seconds_of_matchings(lefts, rights, graph->degree()) > max_matching_seconds(network))
    return graph;
  auto whole = std::make_shared<const Graph>(Graph{whole_axis_graph(rows), whole_axis_graph(cols)});
  return static_cast<double>(whole->edges()) <= limits::edges_to_weigh ? whole : graph;
}

}  // namespace

Schedule default_schedule(const Traffic& given, const Network& network, const Ranks& ranks) {
  const Traffic traffic = longer(given);
  if (!can_be_listed(traffic.rows, network) || !can_be_listed(traffic.cols, network)) return few_steps(traffic);
  const auto graph = graph_to_weigh(traffic, network, ranks);
  const bool own = !graph->own.empty();
  Schedule first = own ? schedule_from_colours(graph, colours_of(*graph)) : few_steps(traffic);
  if (own || static_cast<double>(graph->edges()) <= limits::edges_to_weigh)
    return best_by_times(graph, traffic, network, std::move(first));
  return best_by_totals(*graph, traffic, network, std::move(first));
}

}  // namespace xredist::core
