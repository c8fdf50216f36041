// SPDX-License-Identifier: BSD-3-Clause
// Cuts messages so that the sum of the longest parts of the steps is the minimum (THEORY.md, T21), or into equal parts
// (T23).
#include "schedule/split.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "schedule/limits.hpp"

namespace xredist::core {
namespace {

constexpr int absent = -1;

// The remainder of a graph while steps are taken out of it. A step of d elements must leave no node with more than T -
// d elements, where T is the maximum load. So a node whose slack T - load is less than d is critical: the matching of
// the step must include it. The matching may include an edge if d is at most the edge's cap (THEORY.md, T22).
class Splitter {
 public:
  explicit Splitter(const Graph& graph)
      : lefts_(graph.lefts()),
        edges_(graph.list()),
        lengths_(graph.lengths()),
        caps_(edges_.size()),
        nodes_(as_size(lefts_ + graph.rights())),
        seen_(nodes_.size()),
        wide_(nodes_.size()),
        entry_(nodes_.size()) {
    for (Edge& e : edges_) e.right += lefts_;
    std::vector<int> degree(nodes_.size(), 0);
    for (const Edge& e : edges_) ++at(degree, e.left), ++at(degree, e.right);
    for (std::size_t v = 0; v < nodes_.size(); ++v) nodes_[v].edges.reserve(as_size(degree[v]));
    for (int e = 0; e < static_cast<int>(edges_.size()); ++e)
      if (at(lengths_, e) > 0)
        for (const int v : {at(edges_, e).left, at(edges_, e).right}) {
          at(nodes_, v).edges.push_back(e);
          at(nodes_, v).load += at(lengths_, e);
        }
  }

  // Finds the matching of the next step and returns its number of elements; 0 at the end.
  Index next() {
    start();
    if (T_ == 0) return 0;
    for (int v = 0; v < static_cast<int>(nodes_.size()); ++v)
      if (critical(v) && at(nodes_, v).match == absent) cover(v);
    extend();
    return d_;
  }

  // Removes the step and calls part(edge, elements) for each of its edges.
  template <class Take>
  void take(Take part) {
    for (int v = 0; v < lefts_; ++v) {
      const int e = at(nodes_, v).match;
      if (e == absent) continue;
      const Index length = std::min(at(lengths_, e), d_);
      part(as_size(e), length);
      at(lengths_, e) -= length;
      for (const int end : {v, at(edges_, e).right}) {
        at(nodes_, end).load -= length;
        if (at(lengths_, e) == 0) std::erase(at(nodes_, end).edges, e);
      }
    }
  }

  // Returns how often edges and nodes were visited so far.
  Index visits() const { return visits_; }

 private:
  struct Node {
    std::vector<int> edges;  // that are not empty
    Index load = 0;
    int match = absent;
  };

  int other(int e, int v) const { return at(edges_, e).left + at(edges_, e).right - v; }
  int mate(int v) const { return at(nodes_, v).match == absent ? absent : other(at(nodes_, v).match, v); }
  Index slack(int v) const { return T_ - at(nodes_, v).load; }
  bool critical(int v) const { return slack(v) < d_; }
  void match(int e) { at(nodes_, at(edges_, e).left).match = at(nodes_, at(edges_, e).right).match = e; }
  void unmatch(int e) { at(nodes_, at(edges_, e).left).match = at(nodes_, at(edges_, e).right).match = absent; }

  // Computes caps and the maximum d that each node alone allows, and keeps the edges of the last matching that this d
  // allows.
  void start() {
    T_ = std::ranges::max_element(nodes_, {}, &Node::load)->load;
    for (int v = 0; v < static_cast<int>(nodes_.size()); ++v) {
      at(wide_, v) = slack(v);
      visits_ += static_cast<Index>(at(nodes_, v).edges.size()) + 1;
    }
    for (int v = 0; v < lefts_; ++v)
      for (const int e : at(nodes_, v).edges) {
        const int right = at(edges_, e).right;
        const Index cap = at(caps_, e) = at(lengths_, e) + std::min(slack(v), slack(right));
        for (const int end : {v, right}) at(wide_, end) = std::max(at(wide_, end), cap);
      }
    d_ = std::min(T_, *std::ranges::min_element(wide_));
    for (int v = 0; v < lefts_; ++v)
      if (const int e = at(nodes_, v).match; e != absent && (at(lengths_, e) == 0 || at(caps_, e) < d_)) unmatch(e);
    extend();
  }

  // Adds node v to the matching along an alternating path, from v to an unmatched node of the other side. If there is
  // none, a node of v's side that is not critical gives its edge up. Lowers d only as far as necessary, perhaps until
  // v itself is not critical.
  void cover(int v) {
    std::ranges::fill(wide_, 0);
    std::ranges::fill(seen_, false);
    queue_.assign(1, v);
    std::size_t scanned = 0;
    int end = scan(scanned);
    while (end == absent) {
      lower();
      if (!critical(v)) return;
      end = next_end();
      if (end == absent) end = scan(scanned);
    }
    augment(end, v);
  }

  // Scans the nodes of the queue, the first `scanned` of which have been scanned before, and appends to the queue.
  // Returns the node at the end of the first path that d allows: it is unmatched, or a node that is not critical has
  // given up its edge. Returns `absent` if there is no such path.
  int scan(std::size_t& scanned) {
    for (; scanned < queue_.size(); ++scanned) {
      const int x = queue_[scanned];
      if (!critical(x)) return give_up(x);
      visits_ += static_cast<Index>(at(nodes_, x).edges.size());
      for (const int e : at(nodes_, x).edges) {
        const int y = other(e, x);
        if (at(seen_, y) || at(caps_, e) <= at(wide_, y)) continue;
        at(wide_, y) = at(caps_, e);
        at(entry_, y) = e;
        if (at(caps_, e) >= d_ && ends_at(y)) return y;
      }
    }
    return absent;
  }

  // Lowers d to the next value at which the search reaches more nodes, or a node of the queue is not critical.
  void lower() {
    Index d = 0;
    for (const int x : queue_) d = std::max(d, slack(x));
    for (std::size_t y = 0; y < wide_.size(); ++y)
      if (!seen_[y]) d = std::max(d, wide_[y]);
    visits_ += static_cast<Index>(wide_.size());
    d_ = d;
  }

  // Returns the end of a path that the lower d allows through scanned nodes only, as scan() does, or `absent`.
  int next_end() {
    for (const int x : queue_)
      if (!critical(x)) return give_up(x);
    for (int y = 0; y < static_cast<int>(wide_.size()); ++y)
      if (!at(seen_, y) && at(wide_, y) >= d_ && ends_at(y)) return y;
    return absent;
  }

  // Returns whether a path that reaches y ends there, because y is unmatched. Otherwise the path goes on: the mate of y
  // joins the queue.
  bool ends_at(int y) {
    at(seen_, y) = true;
    if (mate(y) == absent) return true;
    queue_.push_back(mate(y));
    return false;
  }

  // Takes the edge of node x out of the matching, and returns the other node of the edge.
  int give_up(int x) {
    const int y = mate(x);
    unmatch(at(nodes_, x).match);
    return y;
  }

  // Exchanges the edges of the path from v to the unmatched node y.
  void augment(int y, int v) {
    for (int x = absent; x != v;) {
      const int e = at(entry_, y);
      x = other(e, y);
      y = mate(x);  // none if x is v
      match(e);
    }
  }

  // Adds edges between unmatched nodes until there are none. Nodes of large load come first: of all orders that were
  // tried, this one leads to the fewest steps, as few as heaviest matchings.
  void extend() {
    order_.clear();
    for (int v = 0; v < lefts_; ++v)
      if (at(nodes_, v).match == absent) order_.push_back(v);
    const auto load = [&](int v) { return std::pair(at(nodes_, v).load, at(nodes_, v).edges.size()); };
    std::ranges::stable_sort(order_, std::ranges::greater{}, load);
    for (const int v : order_) {
      int best = absent;
      for (const int e : at(nodes_, v).edges) {
        if (at(caps_, e) < d_ || at(nodes_, at(edges_, e).right).match != absent) continue;
        if (best == absent || better(e, best)) best = e;
      }
      visits_ += static_cast<Index>(at(nodes_, v).edges.size());
      if (best != absent) match(best);
    }
  }
  bool better(int e, int f) const {
    const auto key = [&](int x) {
      const Index length = at(lengths_, x);
      return std::tuple(std::min(length, d_), length <= d_, at(nodes_, at(edges_, x).right).edges.size());
    };
    return key(e) > key(f);
  }

  int lefts_;
  std::vector<Edge> edges_;  // right nodes are numbered after the left ones
  std::vector<Index> lengths_, caps_;
  std::vector<Node> nodes_;
  std::vector<char> seen_;
  std::vector<Index> wide_;  // for each node to reach, the maximum cap of an edge to it; at first also the slack
  std::vector<int> entry_;   // that edge
  std::vector<int> queue_, order_;
  Index T_ = 0, d_ = 0, visits_ = 0;
};

}  // namespace

std::optional<Schedule> split_schedule(const Traffic& traffic, const Ranks& ranks) {
  if (traffic.rows.n == 0 || traffic.cols.n == 0) return std::nullopt;
  if (axis_edges(traffic.rows) * axis_edges(traffic.cols) > limits::edges_to_match) return std::nullopt;
  return split_schedule(graph_of(traffic, ranks));
}

std::optional<Schedule> split_schedule(const std::shared_ptr<const Graph>& graph, Index max_visits) {
  if (graph->edges() > as_size(limits::edges_to_match)) return std::nullopt;
  if (std::max(graph->lefts(), graph->rights()) > limits::nodes_to_match) return std::nullopt;
  Splitter rest(*graph);
  std::vector<Parts> table(graph->edges());
  Index steps = 0;
  for (; rest.next() > 0; ++steps) {
    if (rest.visits() > max_visits) return std::nullopt;
    rest.take([&](std::size_t e, Index length) { table[e].push_back({steps, length}); });
  }
  return schedule_from_table(graph, steps, std::move(table));
}

std::optional<Schedule> quantised_schedule(const std::shared_ptr<const Graph>& graph, double quantum) {
  if (graph->edges() > limits::quanta) return std::nullopt;
  const std::vector<Edge> messages = graph->list();
  const std::vector<Index> lengths = graph->lengths();
  std::vector<Edge> edges;
  std::vector<std::size_t> message;  // of each edge
  std::vector<int> degree(as_size(graph->lefts() + graph->rights()), 0);
  for (std::size_t e = 0; e < messages.size(); ++e) {
    const auto quanta = static_cast<Index>(std::ceil(static_cast<double>(lengths[e]) * graph->periods() / quantum));
    if (quanta + static_cast<Index>(edges.size()) > limits::quanta) return std::nullopt;
    edges.insert(edges.end(), as_size(quanta), messages[e]);
    message.insert(message.end(), as_size(quanta), e);
    at(degree, messages[e].left) += static_cast<int>(quanta);
    at(degree, graph->lefts() + messages[e].right) += static_cast<int>(quanta);
  }
  const int steps = *std::ranges::max_element(degree);
  const std::vector<int> colours = colour_edges(edges, graph->lefts(), graph->rights(), steps);
  std::vector<Parts> table(messages.size());
  for (std::size_t k = 0; k < edges.size(); ++k) table[message[k]].push_back({colours[k], 1});
  return schedule_from_table(graph, steps, std::move(table));
}

}  // namespace xredist::core
