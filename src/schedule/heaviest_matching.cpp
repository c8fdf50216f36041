// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/heaviest_matching.hpp"

#include <cstddef>
#include <limits>

namespace xredist::core {

// Adds rows one by one, each along a shortest augmenting path in the reduced costs u + v - w (Kuhn 1955; Edmonds, Karp
// 1972). The first step of a path sets u of the new row such that none of them is negative. v of a column without a row
// stays 0, so no other choice of columns is heavier.
std::vector<std::size_t> heaviest_matching(const Weights& w) {
  const std::size_t cols = w.cols, none = cols;
  constexpr Index infinite = std::numeric_limits<Index>::max();
  std::vector<Index> u(w.rows, 0), v(cols + 1, 0);  // duals of rows, of columns; paths start at column `cols`
  std::vector<std::size_t> row_of(cols + 1, none);
  for (std::size_t start = 0; start < w.rows; ++start) {
    std::vector<Index> distance(cols, infinite);
    std::vector<std::size_t> before(cols, none);
    std::vector<bool> done(cols + 1, false);
    row_of[cols] = start;
    std::size_t at = cols;
    do {
      done[at] = true;
      const std::size_t i = row_of[at];
      std::size_t next = none;
      Index least = infinite;
      for (std::size_t j = 0; j < cols; ++j) {
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
      for (std::size_t j = 0; j <= cols; ++j) {
        if (done[j]) {
          u[row_of[j]] -= least;
          v[j] += least;
        } else if (j < cols) {
          distance[j] -= least;
        }
      }
      at = next;
    } while (row_of[at] != none);
    for (; at != cols; at = before[at]) row_of[at] = row_of[before[at]];
  }
  row_of.pop_back();
  return row_of;
}

}  // namespace xredist::core
