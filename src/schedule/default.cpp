// Which schedule is the cheapest, and how long it pays to look.
#include <algorithm>
#include <numeric>

#include "schedule/algorithm.hpp"
#include "schedule/classes.hpp"
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

// To make and weigh the products or the quanta, in seconds.
constexpr double look = 5e-4;

// What split_schedule may look at: three milliseconds. And what saving is worth the look, in seconds: some times what
// it takes as measured, for the best product may still be none of a split one.
constexpr Index most_looks = 1 << 20;
double work_to_split(const Graph& graph) { return 5e-8 * static_cast<double>(graph.edges()) * graph.degree(); }

// The schedules of one axis that may make a good product.
std::vector<Candidate> candidates_of_axis(const Traffic& alone, const Graph& graph, double worth) {
  std::vector<Candidate> all;
  const auto add = [&](std::optional<Schedule> schedule) {
    if (!schedule) return;
    const Index total = total_cost(graph, *schedule);
    all.push_back({std::move(*schedule), total});
  };
  add(optimal_schedule(alone));
  if (work_to_split(graph) < worth) add(split_schedule(alone, most_looks));
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
  const Traffic row_traffic = rows_alone(traffic), col_traffic = cols_alone(traffic);
  const auto row_graph = graph_of(row_traffic), col_graph = graph_of(col_traffic);
  const Bounds row_least = bounds_of(*row_graph), col_least = bounds_of(*col_graph);
  if (!choice.better(row_least.steps * col_least.steps, row_least.elements * col_least.elements)) return;
  const auto rows = candidates_of_axis(row_traffic, *row_graph, choice.left());
  const auto cols = candidates_of_axis(col_traffic, *col_graph, choice.left());
  for (const Candidate& row : rows)
    for (const Candidate& col : cols)
      if (choice.better(row.schedule.count * col.schedule.count, row.total * col.total))
        choice.take({product(row.schedule, col.schedule), row.total * col.total});
}

// Colouring takes 50 ns for a message of an axis; above so many other ways are sought first.
constexpr double most_edges_to_colour = 100'000;

// A period may be so little longer that its schedule has next to no steps more: those of some process, on either
// side, tell. Then nothing has to be coloured.
Overlap lengthened(const Overlap& o) {
  const Index longest = 64 * o.n, whole = period({o.a, o.b, longest});
  if (o.n >= whole || whole > longest || axis_edges(o) <= most_edges_to_colour / 2) return o;
  const Overlap longer{o.a, o.b, whole};
  const Classes c(longer);
  const auto near = [](Index most, const std::vector<Share>& some) {
    return static_cast<double>(most) <= 1.08 * static_cast<double>(some.size());
  };
  if (!near(c.m * c.d1, shares(o, owner(o.a, 0)))) return o;
  return near(c.n * c.d2, shares(reversed(o), owner(o.b, 0))) ? longer : o;
}

// The least number of steps, or up to a tenth more where that is known sooner.
Schedule few_steps(const Traffic& traffic) {
  const Traffic longer{lengthened(traffic.rows), lengthened(traffic.cols)};
  const bool periods = longer.rows.n >= period(longer.rows) && longer.cols.n >= period(longer.cols);
  return periods ? periodic_schedule(longer) : coloured_schedule(longer, most_edges_to_colour);
}

}  // namespace

Schedule default_schedule(const Traffic& traffic, const Network& network) {
  Schedule optimal = few_steps(traffic);
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
  if (choice.worth(look)) consider_products(traffic, choice);
  if (small && choice.worth(look)) {
    // As many parts as edges, and 4096 more at most.
    consider(quantised_schedule(traffic, std::max(sum_of_lengths(*graph) / 4096, best_quantum(*graph, network))));
  }
  if (small && choice.worth(work_to_split(*graph) / 2)) consider(split_schedule(traffic, most_looks));
  return std::move(choice).best();
}

}  // namespace xredist
