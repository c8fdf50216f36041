// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/matching.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace xredist::core {
namespace {

// The complete bipartite graph on n + n nodes with a weight for each pair, 0 where there is no edge.
class Matrix {
 public:
  explicit Matrix(std::size_t n) : n_(n), weights_(n * n, 0) {}
  Index& operator()(std::size_t i, std::size_t j) { return weights_[i * n_ + j]; }
  Index operator()(std::size_t i, std::size_t j) const { return weights_[i * n_ + j]; }
  std::size_t size() const { return n_; }

 private:
  std::size_t n_;
  std::vector<Index> weights_;
};

// For each column the row of a perfect matching of greatest weight. Rows are added one by one, each
// along a shortest augmenting path in the reduced costs u + v - w >= 0 (Kuhn 1955; Edmonds, Karp 1972).
std::vector<std::size_t> assign(const Matrix& w) {
  const std::size_t n = w.size(), none = n;
  constexpr Index infinite = std::numeric_limits<Index>::max();
  std::vector<Index> u(n, 0), v(n + 1, 0);  // of rows, of columns; column n is where a path starts
  std::vector<std::size_t> row_of(n + 1, none);
  for (std::size_t i = 0; i < n; ++i) {
    u[i] = w(i, 0);
    for (std::size_t j = 1; j < n; ++j) u[i] = std::max(u[i], w(i, j));
  }
  for (std::size_t start = 0; start < n; ++start) {
    std::vector<Index> distance(n, infinite);
    std::vector<std::size_t> before(n, none);
    std::vector<bool> done(n + 1, false);
    row_of[n] = start;
    std::size_t at = n;
    do {
      done[at] = true;
      const std::size_t i = row_of[at];
      std::size_t next = none;
      Index least = infinite;
      for (std::size_t j = 0; j < n; ++j) {
        if (done[j]) continue;
        const Index slack = u[i] + v[j] - w(i, j);
        if (slack < distance[j]) {
          distance[j] = slack;
          before[j] = at;
        }
        if (distance[j] < least) {
          least = distance[j];
          next = j;
        }
      }
      for (std::size_t j = 0; j <= n; ++j) {
        if (done[j]) {
          u[row_of[j]] -= least;
          v[j] += least;
        } else if (j < n) {
          distance[j] -= least;
        }
      }
      at = next;
    } while (row_of[at] != none);
    for (; at != n; at = before[at]) row_of[at] = row_of[before[at]];
  }
  row_of.pop_back();
  return row_of;
}

}  // namespace

std::vector<int> heaviest_matching(const std::vector<Edge>& edges, const std::vector<Index>& weights, int lefts,
                                   int rights) {
  Matrix matrix(static_cast<std::size_t>(std::max(lefts, rights)));
  for (std::size_t e = 0; e < edges.size(); ++e) {
    Index& weight = matrix(static_cast<std::size_t>(edges[e].left), static_cast<std::size_t>(edges[e].right));
    weight = std::max(weight, weights[e]);
  }
  const std::vector<std::size_t> left_of = assign(matrix);
  std::vector<int> matching;
  std::vector<bool> taken(static_cast<std::size_t>(lefts), false);  // of parallel edges the first of the heaviest
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto left = static_cast<std::size_t>(edges[e].left), right = static_cast<std::size_t>(edges[e].right);
    if (weights[e] <= 0 || taken[left] || left_of[right] != left || weights[e] != matrix(left, right)) continue;
    taken[left] = true;
    matching.push_back(static_cast<int>(e));
  }
  return matching;
}

}  // namespace xredist::core
