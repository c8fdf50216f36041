// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstddef>
#include <limits>

#include "mapping/assignment.hpp"

namespace xredist::core {
namespace {

// The weights of the complete bipartite graph on n + n nodes, row by row; 0 means no edge.
struct Matrix {
  std::size_t n;
  std::vector<Index> weights = std::vector<Index>(n * n, 0);

  Index& operator()(std::size_t i, std::size_t j) { return weights[i * n + j]; }
  Index operator()(std::size_t i, std::size_t j) const { return weights[i * n + j]; }
};

// Returns for each column its row in a perfect matching of maximum weight. Adds rows one by one, each along a shortest
// augmenting path in the reduced costs u + v - w >= 0 (Kuhn 1955; Edmonds, Karp 1972).
std::vector<std::size_t> assign(const Matrix& w) {
  const std::size_t n = w.n, none = n;
  constexpr Index infinite = std::numeric_limits<Index>::max();
  std::vector<Index> u(n, 0), v(n + 1, 0);  // duals of rows, of columns; paths start at column n
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
  Matrix matrix{as_size(std::max(lefts, rights))};
  for (std::size_t e = 0; e < edges.size(); ++e) {
    Index& weight = matrix(as_size(edges[e].left), as_size(edges[e].right));
    weight = std::max(weight, weights[e]);
  }
  const std::vector<std::size_t> left_of = assign(matrix);
  std::vector<int> matching;
  std::vector<bool> taken(as_size(lefts), false);  // by the first of the heaviest parallel edges
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const auto left = as_size(edges[e].left), right = as_size(edges[e].right);
    if (weights[e] <= 0 || taken[left] || left_of[right] != left || weights[e] != matrix(left, right)) continue;
    taken[left] = true;
    matching.push_back(static_cast<int>(e));
  }
  return matching;
}

}  // namespace xredist::core
