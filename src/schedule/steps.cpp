// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/steps.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <utility>

namespace xredist::core {

Steps steps_of(const Graph& graph, const Schedule& schedule) {
  Steps steps(as_size(schedule.count));
  visit_parts(graph, schedule, [&](std::size_t edge, const Part& part, double elements) {
    at(steps, part.step).push_back({edge, part.weight, elements});
  });
  return steps;
}

Schedule schedule_from_steps(std::shared_ptr<const Graph> graph, const Steps& steps) {
  std::vector<Parts> table(graph->edges());
  for (std::size_t s = 0; s < steps.size(); ++s)
    for (const EdgePart& part : steps[s]) table[part.edge].push_back({static_cast<Index>(s), part.weight});
  return schedule_from_table(std::move(graph), static_cast<Index>(steps.size()), std::move(table));
}

namespace {

// The ports of a graph, and the times at which they are free.
class Ports {
 public:
  // `edges`: the ports of each edge, both sides in one numbering.
  Ports(std::vector<Edge> edges, int count) : edges_(std::move(edges)), free_(as_size(count)) {}

  const Edge& edge(std::size_t e) const { return edges_[e]; }
  std::size_t count() const { return free_.size(); }

  // Since all ports take parts in one order, one pass over the parts finds both ends of a part ready.
  Times run(const Steps& steps, const Network& network) {
    std::ranges::fill(free_, 0);
    Times times{};
    for (const std::vector<EdgePart>& step : steps) {
      double longest = 0;
      for (const EdgePart& part : step) {
        const double time = network.alpha + network.beta * part.elements;
        const Edge& ports = edges_[part.edge];
        double &from = at(free_, ports.left), &to = at(free_, ports.right);
        from = to = std::max(from, to) + time;
        longest = std::max(longest, time);
      }
      times.barriers += longest;
    }
    times.free = std::ranges::max(free_);
    return times;
  }

  // Returns the maximum time of a port.
  double busiest(const std::vector<Index>& lengths, const Network& network) {
    std::ranges::fill(free_, 0);
    for (std::size_t e = 0; e < lengths.size(); ++e) {
      if (lengths[e] == 0) continue;
      const double time = network.alpha + network.beta * static_cast<double>(lengths[e]);
      at(free_, edge(e).left) += time;
      at(free_, edge(e).right) += time;
    }
    return std::ranges::max(free_);
  }

 private:
  std::vector<Edge> edges_;
  std::vector<double> free_;
};

Ports all_ports(const Graph& graph) {
  std::vector<Edge> edges = graph.list();
  for (Edge& e : edges) e.right += graph.lefts();
  return {std::move(edges), graph.lefts() + graph.rights()};
}

// Returns the ports that have an edge: there may be few, and a search runs through all ports many times.
Ports used_ports(const Graph& graph) {
  constexpr int none = -1;
  std::vector<Edge> edges = graph.list();
  std::vector<int> port(as_size(graph.lefts() + graph.rights()), none);
  int count = 0;
  const auto number = [&](int node) {
    int& found = at(port, node);
    return found == none ? found = count++ : found;
  };
  for (Edge& e : edges) e = {number(e.left), number(graph.lefts() + e.right)};
  return {std::move(edges), count};
}

// Tries exchanges, and keeps those that improve.
class Polisher {
 public:
  Polisher(const Graph& graph, Steps steps, const Network& network, const Polish& polish)
      : ports_(used_ports(graph)), steps_(std::move(steps)), network_(network), polish_(polish) {
    drop_empty_steps();
    for (const auto& step : steps_) parts_ += static_cast<Index>(step.size());
    improves();
  }

  // Tries all pairs of steps until none improves, or the search ends.
  Polished run() && {
    search();
    drop_empty_steps();
    return {std::move(steps_), times_, visits_};
  }

 private:
  void drop_empty_steps() {
    std::erase_if(steps_, [](const auto& step) { return step.empty(); });
  }

  void search() {
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t c = 0; c < steps_.size(); ++c)
      for (std::size_t d = 0; d < steps_.size(); ++d)
        if (c != d) pairs.emplace_back(c, d);
    std::minstd_rand random(polish_.order);
    for (std::size_t k = pairs.size(); k > 1; --k) std::swap(pairs[k - 1], pairs[random() % k]);
    for (bool again = true; again;) {
      again = false;
      for (const auto& [c, d] : pairs) {
        if (greater_ <= polish_.near || visits_ >= polish_.max_visits) return;
        again = moves(c, d) || again;
        if (c < d) again = exchanges(c, d) || again;
      }
    }
  }

  // Returns whether the steps are better than the best so far. The lesser time counts a little too: without it, most
  // exchanges would change nothing.
  bool improves() {
    const Times times = ports_.run(steps_, network_);
    const double barriers = times.barriers / polish_.goal.barriers, free = times.free / polish_.goal.free;
    const double greater = std::max(barriers, free);
    visits_ += parts_;
    constexpr double of_lesser = 0.1, rounding = 1e-9;
    const double score = greater + of_lesser * std::min(barriers, free);
    if (score > score_ - rounding) return false;
    score_ = score;
    greater_ = greater;
    times_ = times;
    return true;
  }

  // Moves step c to place d.
  bool moves(std::size_t c, std::size_t d) {
    const auto place = [&](std::size_t s) { return steps_.begin() + static_cast<std::ptrdiff_t>(s); };
    const auto move = [&](std::size_t from, std::size_t to) {
      if (from < to) std::rotate(place(from), place(from + 1), place(to + 1));
      if (from > to) std::rotate(place(to), place(from), place(from + 1));
    };
    move(c, d);
    if (improves()) return true;
    move(d, c);
    return false;
  }

  // Exchanges the first path of parts that alternate between two steps whose exchange improves.
  bool exchanges(std::size_t c, std::size_t d) {
    const std::vector<EdgePart> of_c = steps_[c], of_d = steps_[d];
    const std::vector<int> path = paths(of_c, of_d);
    const int count = path.empty() ? 0 : std::ranges::max(path) + 1;
    for (int exchanged = 0; exchanged < count; ++exchanged) {
      steps_[c].clear();
      steps_[d].clear();
      for (std::size_t k = 0; k < path.size(); ++k) {
        const bool in_c = k < of_c.size();
        steps_[in_c == (path[k] != exchanged) ? c : d].push_back(in_c ? of_c[k] : of_d[k - of_c.size()]);
      }
      if (improves()) return true;
    }
    steps_[c] = of_c;
    steps_[d] = of_d;
    return false;
  }

  // Returns the number of the path or circle that contains each part of x, then of y: parts that share a node, one of
  // each step.
  std::vector<int> paths(const std::vector<EdgePart>& x, const std::vector<EdgePart>& y) {
    constexpr int none = -1;
    std::vector<int> at_node(2 * ports_.count(), none);  // for each node the part of x, then that of y
    const auto part = [&](std::size_t k) -> const EdgePart& { return k < x.size() ? x[k] : y[k - x.size()]; };
    const auto ends = [&](std::size_t k) {
      const Edge& e = ports_.edge(part(k).edge);
      return std::pair(2 * as_size(e.left), 2 * as_size(e.right));
    };
    const std::size_t count = x.size() + y.size();
    for (std::size_t k = 0; k < count; ++k) {
      const auto [left, right] = ends(k);
      at_node[left + (k >= x.size())] = at_node[right + (k >= x.size())] = static_cast<int>(k);
    }
    std::vector<int> path(count, none);
    int paths = 0;
    for (std::size_t first = 0; first < count; ++first) {
      if (path[first] != none) continue;
      std::vector<std::size_t> reached{first};
      path[first] = paths;
      for (std::size_t head = 0; head < reached.size(); ++head) {
        const auto [left, right] = ends(reached[head]);
        const bool other = reached[head] < x.size();
        for (const int next : {at_node[left + other], at_node[right + other]}) {
          if (next == none || at(path, next) != none) continue;
          at(path, next) = paths;
          reached.push_back(as_size(next));
        }
      }
      ++paths;
    }
    return path;
  }

  Ports ports_;
  Steps steps_;
  Network network_;
  Polish polish_;
  Times times_{};  // of the best steps
  double score_ = std::numeric_limits<double>::infinity(), greater_ = score_;
  Index parts_ = 0, visits_ = 0;
};

}  // namespace

Times times_of(const Graph& graph, const Steps& steps, const Network& network) {
  return all_ports(graph).run(steps, network);
}

Times least_times(const Graph& graph, const Network& network) {
  const Bounds bounds = bounds_of(graph);
  return {network.alpha * static_cast<double>(bounds.steps) + network.beta * static_cast<double>(bounds.elements),
          all_ports(graph).busiest(graph.lengths(), network)};
}

Polished polished(const Graph& graph, Steps steps, const Network& network, const Polish& polish) {
  return Polisher(graph, std::move(steps), network, polish).run();
}

}  // namespace xredist::core
