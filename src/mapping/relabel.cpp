// SPDX-License-Identifier: BSD-3-Clause
#include "mapping/relabel.hpp"

#include <algorithm>
#include <numeric>

#include "mapping/kalns_ni.hpp"

namespace xredist::core {
namespace {

// For grids of the same shape: the best map of the rows combined with that of the columns. MAPPING.md says when this is
// the best map of both.
Map product_of_axes(const Volumes& volumes, const Available& available, Index limit) {
  const auto best = [&](const Shared& axis) {
    Available all{std::vector<int>(static_cast<std::size_t>(axis.p_count())), static_cast<int>(axis.p_count())};
    std::iota(all.at_a.begin(), all.at_a.end(), 0);
    bool rounded;
    return axis.p_count() <= limit ? best_map(Volumes(axis), all, rounded) : heaviest_first(Volumes(axis), all);
  };
  const Map rows = best(volumes.rows), cols = best(volumes.cols);
  Map map;
  for (const int i : rows)
    for (const int k : cols)
      map.push_back(available.at_a[static_cast<std::size_t>(i) * cols.size() + static_cast<std::size_t>(k)]);
  return map;
}

Map processes(const std::vector<int>& positions, const Available& available) {
  Map map;
  for (const int p : positions) map.push_back(available.at_a[static_cast<std::size_t>(p)]);
  return map;
}

}  // namespace

Relabelling relabel(const Layout& a, const Layout& b, Index m, Index n, const Available& available, Index limit) {
  Relabelling result{row_major(b), 1, 1, true};
  if (m == 0 || n == 0) return result;
  const Volumes volumes(a, b, m, n);
  const double elements = static_cast<double>(m) * static_cast<double>(n);
  double best = kept(volumes, available, result.map);
  result.kept_row_major = best / elements;

  if (std::max(volumes.a_positions(), volumes.b_positions()) <= limit) {
    bool rounded;
    Map map = best_map(volumes, available, rounded);
    result.optimal = !rounded;
    if (const double stays = kept(volumes, available, map);
        stays >= best) {  // it can be less only if volumes were rounded
      best = stays;
      result.map = std::move(map);
    }
  } else {
    const double most = ceiling(volumes, available);
    const auto consider = [&](Map map) {
      const double stays = kept(volumes, available, map);
      if (stays <= best) return;
      best = stays;
      result.map = std::move(map);
    };
    if (std::ranges::find(available.at_a, -1) == available.at_a.end()) {
      if (best < most)
        if (const auto closed = kalns_ni(a, b, m, n)) consider(processes(*closed, available));
      const bool same_shape = a.rows.procs == b.rows.procs && a.cols.procs == b.cols.procs;
      if (best < most && same_shape) consider(product_of_axes(volumes, available, limit));
    }
    if (best < most) {
      Volumes shorter = volumes;
      fit(shorter, 62);
      consider(heaviest_first(shorter, available));
    }
    result.optimal = best >= most;
  }
  result.kept = best / elements;
  return result;
}

}  // namespace xredist::core
