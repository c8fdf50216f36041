// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/relabel.hpp"

#include <algorithm>
#include <numeric>

namespace xredist::core {
namespace {

// Returns the product of the best maps of the rows and of the columns, for grids of the same shape. MAPPING.md says
// when this is the best map of both.
Map product_of_axes(const Volumes& volumes, const Available& available, Index limit) {
  const auto best = [&](const Shared& axis) {
    Available all{std::vector<int>(as_size(axis.p_count())), static_cast<int>(axis.p_count())};
    std::iota(all.at_a.begin(), all.at_a.end(), 0);
    return axis.p_count() <= limit ? best_map(Volumes(axis), all).map : heaviest_first(Volumes(axis), all);
  };
  const Map rows = best(volumes.rows), cols = best(volumes.cols);
  Map map;
  for (const int i : rows)
    for (const int k : cols) map.push_back(at(available.at_a, i * std::ssize(cols) + k));
  return map;
}

}  // namespace

Relabelling relabel(const Layout& a, const Layout& b, Index m, Index n, const Available& available, Index limit) {
  Relabelling result{row_major(b), 1, 1, true};
  if (m == 0 || n == 0) return result;
  const Volumes volumes(a, b, m, n);
  const double elements = static_cast<double>(m) * static_cast<double>(n);
  double most = retained_elements(volumes, available, result.map);
  result.retained_row_major = most / elements;
  const auto consider = [&](Map map) {
    const double retained = retained_elements(volumes, available, map);
    if (retained <= most) return;
    most = retained;
    result.map = std::move(map);
  };

  if (std::max(volumes.a_positions(), volumes.b_positions()) <= limit) {
    auto [map, rounded] = best_map(volumes, available);
    consider(std::move(map));
    result.optimal = !rounded;
  } else {
    const double bound = max_retained(volumes, available);
    const bool all_available = std::ranges::find(available.at_a, -1) == available.at_a.end();
    const bool same_shape = a.rows.procs == b.rows.procs && a.cols.procs == b.cols.procs;
    if (most < bound && all_available && same_shape) consider(product_of_axes(volumes, available, limit));
    result.optimal = most >= bound;
    if (!result.optimal) {
      AugmentedMap augmented = by_augmenting_paths(volumes, available, max_looks);
      consider(std::move(augmented.map));
      result.optimal = augmented.best || most >= bound;
    }
    if (!result.optimal) consider(heaviest_first(volumes, available));
  }
  result.retained = most / elements;
  return result;
}

}  // namespace xredist::core
