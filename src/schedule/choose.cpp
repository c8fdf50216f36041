// SPDX-License-Identifier: BSD-3-Clause
// The default schedule: the cheapest one that the planner finds within the limits of limits.hpp.
#include "schedule/choose.hpp"

#include <algorithm>
#include <limits>
#include <list>
#include <numeric>
#include <utility>

#include "schedule/limits.hpp"
#include "schedule/matchings.hpp"
#include "schedule/split.hpp"
#include "schedule/steps.hpp"

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

// Return the times (s) of searches.
double seconds_of_split(const Graph& graph) {
  return limits::split_seconds * static_cast<double>(graph.edges()) * graph.degree();
}
double seconds_of_matchings(Index lefts, Index rights, int degree) {
  const auto nodes = static_cast<double>(std::max(lefts, rights));
  return limits::matching_seconds * nodes * nodes * nodes * degree;
}

struct Candidate {
  Schedule schedule;
  Times times;
};

// The candidates so far, and the best of them: the one whose times with and without barriers, over those of `goal`,
// have the least maximum. All times are those of one execution. Where a graph is too large to be listed, a time without
// barriers counts as one with barriers.
class Choice {
 public:
  // `network` is for elements of one period.
  Choice(std::shared_ptr<const Graph> graph, const Network& network, bool small)
      : graph_(std::move(graph)), network_(network), small_(small) {
    if (small_) {
      least_ = least_times(*graph_, network_);
    } else {
      const Bounds bounds = bounds_of(*graph_);
      least_.barriers = least_.free = cost(bounds.steps, bounds.elements);
    }
    goal_ = least_;
  }

  // Returns whether a search of this time may save more than its time in all executions, and more than a fiftieth.
  bool worth(double seconds) const {
    const auto saves = [&](double time, double least) {
      return time > limits::time_worth_search * least && (time - least) * network_.executions > seconds;
    };
    const Times& best = candidates_.front().times;
    return saves(best.barriers, least_.barriers) || saves(best.free, least_.free);
  }
  // Returns the time (s) that such a schedule saves with barriers in all executions, or 0 if it saves less than a
  // fiftieth.
  double saving(double steps, double total) const {
    const double seconds = network_.alpha * steps + network_.beta * total, best = candidates_.front().times.barriers;
    return best > limits::time_worth_search * seconds ? (best - seconds) * network_.executions : 0;
  }

  // Considers a schedule whose T is at most `total`.
  void consider(Schedule schedule, Index total) {
    if (small_) return consider(std::optional(std::move(schedule)));
    const double seconds = cost(schedule.count, total);
    add({std::move(schedule), {seconds, seconds}});
  }
  // Considers a schedule of a graph that is small enough to be listed.
  void consider(std::optional<Schedule> schedule) {
    if (!schedule) return;
    const Times of_schedule = times(*schedule);
    add({*std::move(schedule), of_schedule});
  }

  // Considers schedules, and sets the goal to the least of their times.
  void set_goal(std::list<Schedule> schedules) {
    goal_.barriers = goal_.free = std::numeric_limits<double>::infinity();
    for (Schedule& schedule : schedules) {
      const Times x = times(schedule);
      goal_ = {std::min(goal_.barriers, x.barriers), std::min(goal_.free, x.free)};
      candidates_.push_back({std::move(schedule), x});
    }
    candidates_.sort([&](const Candidate& l, const Candidate& r) { return over_goal(l.times) < over_goal(r.times); });
  }

  // Polishes all candidates, the best ones first, in several orders, until one is near the goal both with and without
  // barriers.
  void polish() {
    std::vector<Steps> starts;
    for (const Candidate& x : candidates_) starts.push_back(steps_of(*graph_, x.schedule));
    Index visits_left = limits::polish_visits;
    for (unsigned order = 1; visits_left > 0; ++order)
      for (const Steps& start : starts) {
        if (over_goal(candidates_.front().times) <= limits::near_goal) return;
        const Steps steps = polished(*graph_, start, network_, {goal_, limits::near_goal, order}, visits_left);
        const Times of_steps = times_of(*graph_, steps, network_);
        if (over_goal(of_steps) < over_goal(candidates_.front().times))
          candidates_.front() = {schedule_from_steps(graph_, steps), of_steps};
      }
  }

  Schedule best() && { return std::move(candidates_.front().schedule); }

 private:
  double cost(Index steps, Index total) const {
    return network_.alpha * static_cast<double>(steps) + network_.beta * static_cast<double>(total);
  }
  Times times(const Schedule& schedule) const { return times_of(*graph_, steps_of(*graph_, schedule), network_); }
  void add(Candidate other) {
    candidates_.push_back(std::move(other));
    if (over_goal(candidates_.back().times) < over_goal(candidates_.front().times))
      std::swap(candidates_.front(), candidates_.back());
  }
  double over_goal(const Times& times) const {
    return std::max(times.barriers / goal_.barriers, times.free / goal_.free);
  }

  std::shared_ptr<const Graph> graph_;
  Network network_;
  bool small_;
  Times least_, goal_;
  std::list<Candidate>
      candidates_;  // the best comes first; a list, because code that sorts schedules in arrays is long
};

// One axis, its bounds, and schedules that may make a good product.
struct Factor {
  struct Weighed {
    Schedule schedule;
    Index total;
  };
  Traffic traffic;
  std::shared_ptr<const Graph> graph = graph_of(traffic);
  Bounds bounds = bounds_of(*graph);
  std::vector<Weighed> all = {};

  void add(std::optional<Schedule> schedule) {
    if (!schedule) return;
    const Index total = total_cost(*graph, *schedule);
    all.push_back({*std::move(schedule), total});
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
    if (axis->all.front().total > axis->bounds.elements && seconds_of_split(*axis->graph) < saving)
      axis->add(split_schedule(axis->graph, limits::split_visits));
  for (const auto& row : rows.all)
    for (const auto& col : cols.all) choice.consider(product(row.schedule, col.schedule), row.total * col.total);
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

// Returns whether the graph has a node for each process: then schedules that treat no two messages alike have times.
bool has_each_message(const Graph& graph, const Traffic& traffic) {
  const auto& [rows, cols] = traffic;
  return graph.lefts() == rows.a.procs * cols.a.procs && graph.rights() == rows.b.procs * cols.b.procs;
}

// Considers cheaper schedules of a graph that can be listed, while they can save more than the search takes.
void search(Choice& choice, const std::shared_ptr<const Graph>& graph, const Traffic& traffic, const Network& network) {
  if (choice.worth(limits::seconds_per_sorted_message * static_cast<double>(graph->edges())))
    choice.consider(std::optional(schedule_from_colours(graph, colours_of(*graph, ColourOrder::by_length))));
  if (choice.worth(limits::search_seconds)) {
    const double min_quantum = sum_of_lengths(*graph) / limits::quanta_of_default;
    choice.consider(quantised_schedule(graph, std::max(min_quantum, best_quantum(*graph, network))));
  }
  if (choice.worth(seconds_of_split(*graph) / 2)) choice.consider(split_schedule(graph, limits::split_visits));
  const double matchings = seconds_of_matchings(graph->lefts(), graph->rights(), graph->degree());
  if (matchings < limits::max_matching_seconds && choice.worth(matchings)) {
    std::list<Schedule> others{stepwise_schedule(graph), greedy_schedule(graph)};
    if (has_each_message(*graph, traffic)) {
      others.push_back(caterpillar_schedule(traffic));
      others.push_back(shifted_schedule(traffic));
    }
    choice.set_goal(std::move(others));
    if (choice.worth(limits::polish_seconds)) choice.polish();
  }
}

// Returns the graph by which schedules are compared. For many executions, it has an edge for each message, if such a
// graph is small: then processes that are alike need not send alike, and lengths are exact.
std::shared_ptr<const Graph> graph_to_weigh(const Traffic& traffic, const Network& network, const Ranks& ranks) {
  std::shared_ptr<const Graph> graph = graph_of(traffic, ranks);
  const auto& [rows, cols] = traffic;
  const Index lefts = rows.a.procs * cols.a.procs, rights = rows.b.procs * cols.b.procs;
  if (network.executions == 1 || !graph->own.empty() ||
      seconds_of_matchings(lefts, rights, graph->degree()) > limits::max_matching_seconds)
    return graph;
  auto whole = std::make_shared<const Graph>(Graph{whole_axis_graph(rows), whole_axis_graph(cols)});
  return static_cast<double>(whole->edges()) <= limits::edges_to_weigh ? whole : graph;
}

}  // namespace

Schedule default_schedule(const Traffic& traffic, const Network& network, const Ranks& ranks) {
  const double row_edges = axis_edges(traffic.rows), col_edges = axis_edges(traffic.cols);
  if (std::max(row_edges, col_edges) > limits::edges_to_weigh) return few_steps(traffic);
  const auto graph = graph_to_weigh(traffic, network, ranks);
  const bool own = !graph->own.empty(), small = own || static_cast<double>(graph->edges()) <= limits::edges_to_weigh;
  Choice choice(graph, {network.alpha, network.beta * graph->periods(), network.executions}, small);
  Schedule first = own ? schedule_from_colours(graph, colours_of(*graph)) : few_steps(traffic);
  const Index total = small ? 0 : first.count * longest_message(*graph);
  choice.consider(std::move(first), total);
  if (choice.worth(limits::search_seconds)) consider_products(traffic, choice);
  if (small) search(choice, graph, traffic, network);
  return std::move(choice).best();
}

}  // namespace xredist::core
