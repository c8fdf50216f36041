// SPDX-License-Identifier: BSD-3-Clause
// Messages are cut so that the longest parts of the steps add up to the least possible (THEORY.md, T21).
#include <algorithm>
#include <limits>
#include <memory>
#include <numeric>
#include <tuple>
#include <utility>
#include <vector>

#include "schedule/graph.hpp"
#include "schedule/weighted.hpp"

namespace xredist::core {
namespace {

constexpr int none = -1;
constexpr std::size_t most_edges = 1 << 15;

// What is left of a graph while steps are taken out of it. A step of d elements must leave no node with more than T - d
// elements, where T is the largest load. So a node whose slack T - load is less than d is critical: it must be in the
// matching of the step. An edge can be in it for d up to its cap (THEORY.md, T22).
class Splitter {
 public:
  explicit Splitter(const Graph& graph)
      : lefts_(graph.lefts()),
        edges_(graph.list()),
        lengths_(graph.lengths()),
        caps_(edges_.size()),
        nodes_(static_cast<std::size_t>(lefts_ + graph.rights())),
        seen_(nodes_.size()),
        wide_(nodes_.size()),
        entry_(nodes_.size()) {
    for (Edge& e : edges_) e.right += lefts_;
    std::vector<int> degree(nodes_.size(), 0);
    for (const Edge& e : edges_) ++degree[at(e.left)], ++degree[at(e.right)];
    for (std::size_t v = 0; v < nodes_.size(); ++v) nodes_[v].edges.reserve(at(degree[v]));
    for (int e = 0; e < static_cast<int>(edges_.size()); ++e)
      for (const int v : {edges_[at(e)].left, edges_[at(e)].right}) {
        nodes_[at(v)].edges.push_back(e);
        nodes_[at(v)].load += lengths_[at(e)];
      }
  }

  // Elements of the next step, whose edges are then those of matching(); 0 at the end.
  Index next() {
    start();
    if (T_ == 0) return 0;
    for (int v = 0; v < static_cast<int>(nodes_.size()); ++v)
      if (critical(v) && nodes_[at(v)].match == none) cover(v);
    extend();
    return d_;
  }

  template <class Take>
  void take(Take part) {
    for (int v = 0; v < lefts_; ++v) {
      const int e = nodes_[at(v)].match;
      if (e == none) continue;
      const Index length = std::min(lengths_[at(e)], d_);
      part(at(e), length);
      lengths_[at(e)] -= length;
      for (const int end : {v, edges_[at(e)].right}) nodes_[at(end)].load -= length;
    }
  }

  Index work() const { return work_; }

 private:
  struct Node {
    std::vector<int> edges;  // those of which something is left
    Index load = 0;
    int match = none;
  };

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int other(int e, int v) const { return edges_[at(e)].left + edges_[at(e)].right - v; }
  int mate(int v) const { return nodes_[at(v)].match == none ? none : other(nodes_[at(v)].match, v); }
  Index slack(int v) const { return T_ - nodes_[at(v)].load; }
  bool critical(int v) const { return slack(v) < d_; }
  void match(int e) { nodes_[at(edges_[at(e)].left)].match = nodes_[at(edges_[at(e)].right)].match = e; }
  void unmatch(int e) { nodes_[at(edges_[at(e)].left)].match = nodes_[at(edges_[at(e)].right)].match = none; }

  // Loads, caps, the least d that one node alone allows, and what of the last matching is of use for it.
  void start() {
    T_ = std::ranges::max_element(nodes_, {}, &Node::load)->load;
    d_ = T_;
    for (int v = 0; v < static_cast<int>(nodes_.size()); ++v) {
      Node& node = nodes_[at(v)];
      std::erase_if(node.edges, [&](int e) { return lengths_[at(e)] == 0; });
      Index widest = slack(v);
      for (const int e : node.edges) {
        if (v < lefts_) caps_[at(e)] = lengths_[at(e)] + std::min(slack(v), slack(edges_[at(e)].right));
        widest = std::max(widest, caps_[at(e)]);
      }
      work_ += static_cast<Index>(node.edges.size()) + 1;
      d_ = std::min(d_, widest);
    }
    for (int v = 0; v < lefts_; ++v)
      if (const int e = nodes_[at(v)].match; e != none && (lengths_[at(e)] == 0 || caps_[at(e)] < d_)) unmatch(e);
    extend();
  }

  // Adds node v to the matching by an alternating path that ends at a node not matched, or at a node of v's side
  // that is not critical and gives its edge up. Lowers d as little as it must for there to be one.
  void cover(int v) {
    std::ranges::fill(wide_, 0);
    std::ranges::fill(seen_, false);
    queue_.assign(1, v);
    Index widest_slack = 0;
    for (std::size_t head = 0;;) {
      for (; head < queue_.size(); ++head) {
        const int x = queue_[head];
        if (!critical(x)) return flip(x, v);
        widest_slack = std::max(widest_slack, slack(x));
        work_ += static_cast<Index>(nodes_[at(x)].edges.size());
        for (const int e : nodes_[at(x)].edges) {
          const int y = other(e, x);
          if (seen_[at(y)] || caps_[at(e)] <= wide_[at(y)]) continue;
          wide_[at(y)] = caps_[at(e)];
          entry_[at(y)] = e;
          if (caps_[at(e)] < d_) continue;
          if (const int next = reach(y); next == none) return augment(y, v);
        }
      }
      // Nothing at d. The next smaller one for which more can be reached, or a node here gives its edge up.
      Index d = widest_slack;
      for (std::size_t y = 0; y < wide_.size(); ++y)
        if (!seen_[y]) d = std::max(d, wide_[y]);
      work_ += static_cast<Index>(wide_.size());
      d_ = d;
      for (const int x : queue_)
        if (!critical(x)) return flip(x, v);
      for (int y = 0; y < static_cast<int>(wide_.size()); ++y)
        if (!seen_[at(y)] && wide_[at(y)] >= d_ && reach(y) == none) return augment(y, v);
    }
  }

  // Puts the mate of y in the queue; none where y has no mate.
  int reach(int y) {
    seen_[at(y)] = true;
    const int next = mate(y);
    if (next != none) queue_.push_back(next);
    return next;
  }

  // Exchanges the edges of the path from v to y, a node not matched.
  void augment(int y, int v) {
    for (;;) {
      const int e = entry_[at(y)], x = other(e, y), next = x == v ? none : mate(x);
      match(e);
      if (x == v) return;
      y = next;
    }
  }

  // Of the path from v to x, which gives its edge up.
  void flip(int x, int v) {
    if (x == v) return;
    const int y = mate(x);
    nodes_[at(x)].match = none;
    augment(y, v);
  }

  // More edges while there are any between nodes that are not matched. Nodes of large load come first: of all orders
  // that were tried, this leads to the fewest steps, as few as heaviest matchings.
  void extend() {
    order_.resize(at(lefts_));
    std::iota(order_.begin(), order_.end(), 0);
    const auto load = [&](int v) { return std::pair(nodes_[at(v)].load, nodes_[at(v)].edges.size()); };
    std::ranges::stable_sort(order_, std::ranges::greater{}, load);
    for (const int v : order_) {
      if (nodes_[at(v)].match != none) continue;
      int best = none;
      for (const int e : nodes_[at(v)].edges) {
        if (caps_[at(e)] < d_ || nodes_[at(edges_[at(e)].right)].match != none) continue;
        if (best == none || better(e, best)) best = e;
      }
      work_ += static_cast<Index>(nodes_[at(v)].edges.size());
      if (best != none) match(best);
    }
  }
  bool better(int e, int f) const {
    const auto key = [&](int x) {
      const Index length = lengths_[at(x)];
      return std::tuple(std::min(length, d_), length <= d_, nodes_[at(edges_[at(x)].right)].edges.size());
    };
    return key(e) > key(f);
  }

  int lefts_;
  std::vector<Edge> edges_;  // right nodes are numbered after the left ones
  std::vector<Index> lengths_, caps_;
  std::vector<Node> nodes_;
  std::vector<char> seen_;
  std::vector<Index> wide_;  // of nodes to reach: the largest cap of an edge there
  std::vector<int> entry_;   // and that edge
  std::vector<int> queue_, order_;
  Index T_ = 0, d_ = 0, work_ = 0;
};

}  // namespace

std::optional<Schedule> split_schedule(const Traffic& traffic, const Ranks& ranks) {
  if (traffic.rows.n == 0 || traffic.cols.n == 0) return std::nullopt;
  if (axis_edges(traffic.rows) * axis_edges(traffic.cols) > most_edges) return std::nullopt;
  return split_schedule(graph_of(traffic, ranks));
}

std::optional<Schedule> split_schedule(const std::shared_ptr<const Graph>& graph, Index most_work) {
  if (graph->edges() > most_edges) return std::nullopt;
  if (std::max(graph->lefts(), graph->rights()) > most_nodes_to_match) return std::nullopt;
  Splitter rest(*graph);
  std::vector<Parts> table(graph->edges());
  Index steps = 0;
  for (; rest.next() > 0; ++steps) {
    if (rest.work() > most_work) return std::nullopt;
    rest.take([&](std::size_t e, Index length) { table[e].push_back({steps, length}); });
  }
  return tabulated(graph, steps, std::move(table));
}

}  // namespace xredist::core
