// SPDX-License-Identifier: BSD-3-Clause
#include "schedules/array.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "schedules/command_line.hpp"

namespace xschedule {
namespace {

constexpr Index max_intervals = 1 << 20;  // of the folded columns

std::string by(const std::array<Index, 3>& x) {
  return std::to_string(x[0]).append("x").append(std::to_string(x[1])).append("x").append(std::to_string(x[2]));
}

// Returns dimensions 2 and 3 of one side as columns.
cases::Partition folded(const Axis& second, const Axis& third, Index n2, Index n3) {
  if (n3 > max_intervals / max_blocks(second, n2))
    throw std::invalid_argument("--size: too many blocks in all planes of dimension 3");
  cases::Partition columns{{0}, {}};
  for (Index k = 0; k < n3; ++k)
    for (BlockScan scan(second, 0);; scan.step()) {
      const Index end = std::min(scan.end(), n2);
      columns.cuts.push_back(k * n2 + end);
      columns.owners.push_back(static_cast<int>(scan.owner() * third.procs + owner(third, k)));
      if (end == n2) break;
    }
  return columns;
}

cases::Matrix matrix_of(const std::array<Index, 3>& procs, Index block, cases::Partition columns) {
  if (procs[1] > cases::max_int / procs[2]) throw std::invalid_argument("grids: too many processes");
  cases::Matrix x;
  x.nprow = static_cast<int>(procs[0]);
  x.npcol = static_cast<int>(procs[1] * procs[2]);
  x.mb = block;
  x.cols = std::move(columns);
  return x;
}

}  // namespace

Shown shown(Array array, const Network& network, int per_node, const std::string& route) {
  std::vector<Dimension> dimensions;
  for (std::size_t k = 0; k < 3; ++k) {
    const Axis a(array.blocks_a[k], array.procs_a[k], 0, 0), b(array.blocks_b[k], array.procs_b[k], 0, 0);
    if (array.size[k] == 0) {
      const auto period = cases::period_of(a, b);
      if (!period) throw std::invalid_argument("--size: required, because a period exceeds 2^62 elements");
      array.size[k] = *period;
    }
    dimensions.push_back({a, b, array.size[k]});
  }
  const auto& [m, n2, n3] = array.size;
  if (n2 > cases::max_elements / n3) throw std::invalid_argument("--size: a plane has too many elements");
  const Dimension &second = dimensions[1], &third = dimensions[2];
  cases::Case c;
  c.a = matrix_of(array.procs_a, array.blocks_a[0], folded(second.a, third.a, n2, n3));
  c.b = matrix_of(array.procs_b, array.blocks_b[0], folded(second.b, third.b, n2, n3));
  c.m = m;
  c.n = n2 * n3;
  Shown result = shown(std::move(c), network, per_node, route);
  result.title = by(array.procs_a) + " processes, blocks " + by(array.blocks_a) + " -> " + by(array.procs_b) +
                 " processes, blocks " + by(array.blocks_b) + ", " + by(array.size) + " elements";
  result.dimensions = std::move(dimensions);
  return result;
}

}  // namespace xschedule
