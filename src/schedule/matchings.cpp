// SPDX-License-Identifier: BSD-3-Clause
// Schedules that take one matching of the graph after the other, each a step (Desprez et al. 1998, section 4.5;
// THEORY.md, T26).
#include "schedule/matchings.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "schedule/heaviest_matching.hpp"

namespace xredist::core {
namespace {

// The messages of a graph that no step has taken yet.
class Rest {
 public:
  explicit Rest(const Graph& graph)
      : edges_(graph.list()),
        lengths_(graph.lengths()),
        lefts_(graph.lefts()),
        degrees_(as_size(lefts_ + graph.rights())),
        transposed_(lefts_ > graph.rights()),
        weights_{as_size(std::min(lefts_, graph.rights())), as_size(std::max(lefts_, graph.rights()))},
        edge_at_(weights_.values.size()) {
    // Weights of matchings must fit 62 bits. The loss is a millionth of the longest message.
    while (std::ranges::max(lengths_) >> 20 > 0)
      for (Index& length : lengths_) length = (length + 1) / 2;
    for (std::size_t e = 0; e < edges_.size(); ++e)
      if (lengths_[e] > 0) ++left(e), ++right(e);
  }

  Index degree() const { return std::ranges::max(degrees_); }

  // Removes the heaviest matching and returns its edges. With `saturated`, a matching that covers as many nodes of
  // maximum degree as possible, which is all of them (König), comes before a heavier one. Of equally heavy matchings,
  // the one whose nodes have the most messages left is taken: these nodes are the hardest to serve later.
  std::vector<std::size_t> take(bool saturated) {
    const Index most = degree(), nodes = static_cast<Index>(degrees_.size());
    const Index bonus = saturated ? std::ranges::max(lengths_) * nodes + 1 : 0, unit = nodes * most + 1;
    std::ranges::fill(weights_.values, 0);
    for (std::size_t e = 0; e < edges_.size(); ++e) {
      if (lengths_[e] == 0) continue;
      const Index weight = lengths_[e] + bonus * ((left(e) == most) + (right(e) == most));
      const std::size_t place = place_of(edges_[e]);
      const Index value = weight * unit + left(e) + right(e);
      if (value > weights_.values[place]) weights_.values[place] = value, edge_at_[place] = e;
    }
    const std::vector<std::size_t> row = heaviest_matching(weights_);
    std::vector<std::size_t> taken;
    for (std::size_t col = 0; col < row.size(); ++col) {
      if (row[col] >= weights_.rows || weights_(row[col], col) == 0) continue;
      const std::size_t e = taken.emplace_back(edge_at_[row[col] * weights_.cols + col]);
      lengths_[e] = 0;
      --left(e), --right(e);
    }
    return taken;
  }

 private:
  Index& left(std::size_t e) { return at(degrees_, edges_[e].left); }
  Index& right(std::size_t e) { return at(degrees_, lefts_ + edges_[e].right); }
  std::size_t place_of(const Edge& e) const {
    const auto [row, col] = transposed_ ? std::pair(e.right, e.left) : std::pair(e.left, e.right);
    return as_size(row) * weights_.cols + as_size(col);
  }

  std::vector<Edge> edges_;
  std::vector<Index> lengths_;  // 0: taken
  int lefts_;
  std::vector<Index> degrees_;
  bool transposed_;  // the rows of the weights are the right nodes, because there are fewer
  Weights weights_;
  std::vector<std::size_t> edge_at_;  // the edge whose weight each entry of the weights is
};

Schedule by_matchings(const std::shared_ptr<const Graph>& graph, bool saturated) {
  std::vector<Parts> table(graph->edges());
  Index steps = 0;
  for (Rest rest(*graph); rest.degree() > 0; ++steps)
    for (const std::size_t e : rest.take(saturated)) table[e].push_back({steps, 1});
  return schedule_from_table(graph, steps, std::move(table));
}

}  // namespace

Schedule stepwise_schedule(const std::shared_ptr<const Graph>& graph) { return by_matchings(graph, true); }
Schedule greedy_schedule(const std::shared_ptr<const Graph>& graph) { return by_matchings(graph, false); }

}  // namespace xredist::core
