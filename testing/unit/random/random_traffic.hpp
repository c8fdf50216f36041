// SPDX-License-Identifier: BSD-3-Clause
// Random axes, overlaps and traffics.
#pragma once

#include <algorithm>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "layout/overlap.hpp"
#include "layout/partition.hpp"
#include "schedule/schedule.hpp"

namespace xredist::testing {

using namespace core;

/// Whether sanitizers make the code slow: tests of many cases then try fewer.
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__)
inline constexpr bool slow_build = false;
#else
inline constexpr bool slow_build = true;
#endif

/// Returns CYCLIC(r) on P processes to CYCLIC(s) on Q, from element 0.
inline Overlap line(Index P, Index r, Index Q, Index s, Index n) { return Overlap({r, P, 0, 0}, {s, Q, 0, 0}, n); }

/// Returns the axis with a partition in place of its blocks.
inline Axis in_partition(const Axis& axis, const std::vector<Index>& cuts, const std::vector<int>& owners) {
  return {std::make_shared<const Partition>(cuts, owners, axis.procs), axis.first};
}

/// Draws axes of at most `procs` processes and blocks of at most `block`, with sources and offsets. Half of the lengths
/// are at least a period, if a period is short enough.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  Index below(Index n) { return static_cast<Index>(engine_() % static_cast<unsigned long>(n)); }

  Overlap overlap(Index procs, Index block, Index longest) {
    const Axis a = small_axis(procs, block), b = small_axis(procs, block);
    Index n = 1 + below(longest);
    if (below(2) == 0) {
      const Index whole = period(Overlap(a, b, Index{1} << 40));
      if (whole <= 4 * longest) n = whole + below(longest);
    }
    return Overlap(a, b, n);
  }

  /// Draws a number of whole periods, at most `longest` elements unless one period is longer.
  Overlap periods(Index procs, Index block, Index longest) {
    const Overlap o = overlap(procs, block, longest);
    const Index whole = period({o.a, o.b, Index{1} << 40});
    return Overlap(o.a, o.b, whole * (1 + below(std::max<Index>(longest / whole, 1))));
  }

  /// Draws a partition of at least `extent` elements: intervals of one element, of a few or of many, some empty; with
  /// random owners, one owner, or each process in turn.
  Axis cut(const Axis& axis, Index extent) {
    const Index length = 1 + below(below(3) == 0 ? 1 : below(2) == 0 ? 5 : extent + 1), lone = below(axis.procs);
    const Index kind = below(4);
    std::vector<Index> cuts{0};
    std::vector<int> owners;
    for (extent += below(10); cuts.back() < extent;) {
      const auto number = static_cast<Index>(owners.size());
      owners.push_back(static_cast<int>(kind == 0 ? lone : kind == 1 ? number % axis.procs : below(axis.procs)));
      cuts.push_back(std::min(extent, cuts.back() + (below(5) == 0 ? 0 : 1 + below(length))));
    }
    return in_partition(axis, cuts, owners);
  }

  /// Draws an overlap in which one side or both are partitions.
  Overlap partitioned_overlap(Index procs, Index block, Index longest) {
    const Overlap o = overlap(procs, block, longest);
    const Index which = below(3);
    Axis a = which == 0 ? o.a : cut(o.a, o.a.first + o.n), b = which == 1 ? o.b : cut(o.b, o.b.first + o.n);
    return Overlap(std::move(a), std::move(b), o.n);
  }

  /// Draws an overlap of CYCLIC axes, or one with a partition.
  Overlap any_overlap(Index procs, Index block, Index longest) {
    return below(2) == 0 ? overlap(procs, block, longest) : partitioned_overlap(procs, block, longest);
  }

  Axis axis(Index procs, Index block) { return {block, procs, below(procs), below(3 * block)}; }

 private:
  Axis small_axis(Index procs, Index block) {
    const Index width = 1 + below(block);
    return axis(1 + below(procs), width);
  }

  std::mt19937_64 engine_;
};

template <class... Values>
std::string text(const Values&... values) {
  std::ostringstream out;
  (out << ... << values);
  return out.str();
}

inline std::string described(const Axis& x) {
  if (is_cyclic(x)) return text(x.procs, " procs, block ", x.block(), ", source ", x.source(), ", first ", x.first);
  std::string intervals;
  for (const OwnedInterval& i : x.partition()->intervals()) intervals += text(" {", i.owner, ", ", i.end, "}");
  return text(x.procs, " procs, intervals {owner, end}:", intervals, ", first ", x.first);
}

inline std::string described(const Overlap& o) { return text(described(o.a), " -> ", described(o.b), ", n ", o.n); }

inline std::string described(const Traffic& traffic) {
  return text("rows: ", described(traffic.rows), "\ncols: ", described(traffic.cols));
}

/// Returns consecutive ranks, or every `stride`-th.
inline std::vector<int> ranks_from(int first, Index count, int stride = 1) {
  std::vector<int> ranks(as_size(count));
  for (std::size_t k = 0; k < ranks.size(); ++k) ranks[k] = first + static_cast<int>(k) * stride;
  return ranks;
}

}  // namespace xredist::testing
