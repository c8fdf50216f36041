// SPDX-License-Identifier: BSD-3-Clause
// The default schedule: the cheapest one that the planner finds within the limits of limits.hpp.
#include "schedule/choose.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <list>
#include <utility>

#include "schedule/by_class.hpp"
#include "schedule/limits.hpp"
#include "schedule/matchings.hpp"
#include "schedule/split.hpp"
#include "schedule/steps.hpp"

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

// Returns the greater ratio of both times to those of the goal.
double over(const Times& goal, const Times& times) {
  return std::max(times.barriers / goal.barriers, times.free / goal.free);
}

// Decides whether searches for faster schedules pay, compared with the times of the best schedule so far.
struct Prospects {
  Network network;  // for elements of one period
  Times least;      // lower bounds on the times of all schedules (THEORY.md, T20, T25)

  // Returns whether a search of this time may save more than its time in all executions, and more than a fiftieth.
  bool worth(double seconds, const Times& best) const {
    const auto saves = [&](double time, double bound) {
      return time > limits::time_worth_search * bound && (time - bound) * network.executions > seconds;
    };
    return saves(best.barriers, least.barriers) || saves(best.free, least.free);
  }
  // Returns the time (s) that a schedule of so many steps and so large a total saves with barriers in all executions,
  // or 0 if it saves less than a fiftieth.
  double saving(double steps, double total, const Times& best) const {
    const double seconds = seconds_of(network, steps, total);
    return best.barriers > limits::time_worth_search * seconds ? (best.barriers - seconds) * network.executions : 0;
  }
};

// The candidates so far. The first is the best one: it has the least maximum of both times over their lower bounds.
class Choice {
 public:
  Choice(const Prospects& prospects, Candidate first) : prospects_(prospects) {
    candidates_.push_back(std::move(first));
  }

  void add(Candidate other) {
    candidates_.push_back(std::move(other));
    if (over(prospects_.least, candidates_.back().times) < over(prospects_.least, candidates_.front().times))
      std::swap(candidates_.front(), candidates_.back());
  }

  const Prospects& prospects() const { return prospects_; }
  bool worth(double seconds) const { return prospects_.worth(seconds, candidates_.front().times); }
  double saving(double steps, double total) const { return prospects_.saving(steps, total, candidates_.front().times); }

  Schedule best() && { return std::move(candidates_.front().schedule); }
  std::list<Candidate> all() && { return std::move(candidates_); }

 private:
  Prospects prospects_;
  std::list<Candidate> candidates_;  // a list, because code that sorts schedules in arrays is long
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

// Considers products of schedules of the axes, whose S and T are products (THEORY.md, T24). weighed(product, T) returns
// the candidate.
void consider_products(const Traffic& traffic, Choice& choice,
                       const std::function<Candidate(Schedule, Index)>& weighed) {
  if (!choice.worth(limits::search_seconds)) return;
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
    for (const auto& col : cols.all) choice.add(weighed(product(row.schedule, col.schedule), row.total * col.total));
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

// Returns whether the graph has a node for each process: then schedules that treat no two messages alike have times.
bool has_each_message(const Graph& graph, const Traffic& traffic) {
  const auto& [rows, cols] = traffic;
  return graph.lefts() == rows.a.procs * cols.a.procs && graph.rights() == rows.b.procs * cols.b.procs;
}

// A graph that is small enough to list the steps of its schedules.
struct Listed {
  std::shared_ptr<const Graph> graph;
  Network network;  // for elements of one period

  Candidate weighed(Schedule schedule) const {
    const Times times = times_of(*graph, steps_of(*graph, schedule), network);
    return {std::move(schedule), times};
  }
};

// Polishes all candidates in turn, in several orders, until a schedule is near the goal both with and without barriers.
// Returns the schedule that is the nearest. The first candidate must be the nearest one.
Schedule polished_best(const Listed& listed, const Times& goal, std::list<Candidate> candidates) {
  const auto& [graph, network] = listed;
  std::vector<Steps> starts;
  for (const Candidate& x : candidates) starts.push_back(steps_of(*graph, x.schedule));
  Candidate best = std::move(candidates.front());
  Index visits_left = network.executions == 1 ? limits::polish_visits_of_call : limits::polish_visits_of_plan;
  for (unsigned order = 1;; ++order)
    for (const Steps& start : starts) {
      if (visits_left <= 0 || over(goal, best.times) <= limits::near_goal) return std::move(best.schedule);
      const Polished found = polished(*graph, start, network, {goal, limits::near_goal, order, visits_left});
      visits_left -= found.visits;
      if (over(goal, found.times) < over(goal, best.times))
        best = {schedule_from_steps(graph, found.steps), found.times};
    }
}

// Adds schedules of heaviest matchings, caterpillars, and one class after the other to the candidates. The least times
// of the added schedules are the goal from now on: no schedule may reach the lower bounds. Returns the best candidate,
// polished if that is worth its time.
Schedule best_beside_matchings(const Listed& listed, const Traffic& traffic, Choice choice) {
  const Prospects prospects = choice.prospects();
  std::list<Schedule> others{stepwise_schedule(listed.graph), greedy_schedule(listed.graph)};
  if (has_each_message(*listed.graph, traffic)) {
    others.push_back(caterpillar_schedule(traffic));
    others.push_back(shifted_schedule(traffic));
    if (std::optional<Schedule> by_class = by_class_schedule(traffic)) others.push_back(*std::move(by_class));
  }
  std::list<Candidate> candidates = std::move(choice).all();
  Times goal{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  for (Schedule& other : others) {
    const Times& times = candidates.emplace_back(listed.weighed(std::move(other))).times;
    goal = {std::min(goal.barriers, times.barriers), std::min(goal.free, times.free)};
  }
  candidates.sort([&](const Candidate& l, const Candidate& r) { return over(goal, l.times) < over(goal, r.times); });
  if (!prospects.worth(limits::polish_seconds, candidates.front().times)) return std::move(candidates.front().schedule);
  return polished_best(listed, goal, std::move(candidates));
}

// Returns the best schedule of a graph that can be listed. Searches while a faster schedule can save more than the
// search takes.
Schedule best_by_times(const Listed& listed, const Traffic& traffic, Schedule first) {
  const auto& [graph, network] = listed;
  Choice choice({network, least_times(*graph, network)}, listed.weighed(std::move(first)));
  const auto consider = [&](std::optional<Schedule> schedule) {
    if (schedule) choice.add(listed.weighed(*std::move(schedule)));
  };
  consider_products(traffic, choice, [&](Schedule schedule, Index) { return listed.weighed(std::move(schedule)); });
  if (choice.worth(limits::seconds_per_sorted_message * static_cast<double>(graph->edges())))
    consider(schedule_from_colours(graph, colours_of(*graph, ColourOrder::by_length)));
  if (choice.worth(seconds_of_split(*graph) / 2)) consider(split_schedule(graph, limits::split_visits));
  const double matchings = seconds_of_matchings(graph->lefts(), graph->rights(), graph->degree());
  if (matchings >= max_matching_seconds(network) || !choice.worth(matchings)) return std::move(choice).best();
  return best_beside_matchings(listed, traffic, std::move(choice));
}

// Returns the better of `first` and the products by their S and T, for a graph that is too large to be listed. The time
// with barriers stands for both times. `network` is for elements of one period.
Schedule best_by_totals(const Graph& graph, const Traffic& traffic, const Network& network, Schedule first) {
  const auto times = [&](Index steps, Index total) {
    const double seconds = seconds_of(network, static_cast<double>(steps), static_cast<double>(total));
    return Times{seconds, seconds};
  };
  const auto weighed = [&](Schedule schedule, Index total) {
    const Times of_schedule = times(schedule.count, total);
    return Candidate{std::move(schedule), of_schedule};
  };
  const Bounds bounds = bounds_of(graph);
  const Index max_total = first.count * longest_message(graph);
  Choice choice({network, times(bounds.steps, bounds.elements)}, weighed(std::move(first), max_total));
  consider_products(traffic, choice, weighed);
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
  const Network of_period{network.alpha, network.beta * graph->periods(), network.executions};
  const bool own = !graph->own.empty();
  Schedule first = own ? schedule_from_colours(graph, colours_of(*graph)) : few_steps(traffic);
  if (own || static_cast<double>(graph->edges()) <= limits::edges_to_weigh)
    return best_by_times({graph, of_period}, traffic, std::move(first));
  return best_by_totals(*graph, traffic, of_period, std::move(first));
}

}  // namespace xredist::core
