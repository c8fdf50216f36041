// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/relabel.hpp"

#include <algorithm>
#include <numeric>

namespace xredist::core {
namespace {

// Returns the axes of both grids, the one first whose coordinate is the fastest in their positions.
std::vector<Overlap> axes_of(const Traffic& traffic) {
  const auto& factors = traffic.cols.factors();
  std::vector<Overlap> axes(factors ? *factors : std::vector{traffic.cols});
  axes.push_back(traffic.rows);
  return axes;
}

// Returns the product of the best maps of all axes, for grids of the same shape (Kalns & Ni 1995, eq. 2 and theorem 2).
// MAPPING.md says when this is the best map of all together.
Map product_of_axes(const std::vector<Overlap>& axes, const Available& available, Index limit) {
  const auto best = [&](const Shared& axis) {
    Available all{std::vector<int>(as_size(axis.p_count())), static_cast<int>(axis.p_count())};
    std::iota(all.at_a.begin(), all.at_a.end(), 0);
    return axis.p_count() <= limit ? best_map(Volumes(axis), all).map : heaviest_first(Volumes(axis), all);
  };
  Map positions{0};
  for (const Overlap& axis : axes) {
    const Map along = best(Shared(axis));
    const int before = static_cast<int>(positions.size());
    Map extended;
    for (const int i : along)
      for (const int k : positions) extended.push_back(i * before + k);
    positions = std::move(extended);
  }
  std::ranges::transform(positions, positions.begin(), [&](int position) { return at(available.at_a, position); });
  return positions;
}

}  // namespace

Relabelling relabel(const Layout& a, const Layout& b, Index m, Index n, const Available& available, Index limit) {
  return relabel({Overlap(a.rows, b.rows, m), Overlap(a.cols, b.cols, n)}, available, limit);
}

Relabelling relabel(const Traffic& traffic, const Available& available, Index limit) {
  const auto& [rows, cols] = traffic;
  Relabelling result{row_major(rows.b.procs * cols.b.procs), 1, 1, true};
  if (rows.n == 0 || cols.n == 0) return result;
  const Volumes volumes(traffic);
  const double elements = static_cast<double>(rows.n) * static_cast<double>(cols.n);
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
    const std::vector<Overlap> axes = axes_of(traffic);
    const bool same_shape = std::ranges::all_of(axes, [](const Overlap& o) { return o.a.procs == o.b.procs; });
    if (most < bound && all_available && same_shape) consider(product_of_axes(axes, available, limit));
    result.optimal = most >= bound;
    if (!result.optimal) {
      AugmentedMap augmented = by_augmenting_paths(volumes, available, max_budget);
      consider(std::move(augmented.map));
      result.optimal = augmented.best || most >= bound;
    }
    if (!result.optimal) consider(heaviest_first(volumes, available));
  }
  result.retained = most / elements;
  return result;
}

}  // namespace xredist::core
