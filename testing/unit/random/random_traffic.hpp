// SPDX-License-Identifier: BSD-3-Clause
// Random axes, overlaps and traffics.
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "layout/listed.hpp"
#include "layout/overlap.hpp"
#include "layout/partition.hpp"
#include "schedule/cost.hpp"
#include "schedule/schedule.hpp"
#include "support/random.hpp"

namespace xredist::testing {

using namespace core;

/// Whether sanitizers make the code slow: tests of many cases then try fewer.
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__)
inline constexpr bool slow_build = false;
#else
inline constexpr bool slow_build = true;
#endif

/// Networks where steps cost most, and where bytes do.
inline constexpr Network ethernet{2e-5, 8e-9}, slow{1e-7, 1e-6};

/// Returns CYCLIC(r) on P processes to CYCLIC(s) on Q, from element 0.
inline Overlap line(Index P, Index r, Index Q, Index s, Index n) { return Overlap({r, P, 0, 0}, {s, Q, 0, 0}, n); }

/// Returns the axis with a partition in place of its blocks.
inline Axis in_partition(const Axis& axis, const std::vector<Index>& cuts, const std::vector<int>& owners,
                         const std::vector<Index>& places = {}) {
  return {std::make_shared<const Partition>(cuts, owners, axis.procs, places), axis.first};
}

/// Returns an axis of `procs` processes and blocks of `block`, with any source and offset.
inline Axis random_axis(Random& random, Index procs, Index block) {
  return {block, procs, random.below(procs), random.below(3 * block)};
}

/// Returns CYCLIC axes of at most `procs` processes and blocks of at most `block`. Half of the lengths are at least a
/// period, if a period is short enough.
inline Overlap random_overlap(Random& random, Index procs, Index block, Index longest) {
  const auto small_axis = [&] {
    const Index width = 1 + random.below(block);
    return random_axis(random, 1 + random.below(procs), width);
  };
  const Axis a = small_axis(), b = small_axis();
  Index n = 1 + random.below(longest);
  if (random.below(2) == 0) {
    const Index whole = period(Overlap(a, b, Index{1} << 40));
    if (whole <= 4 * longest) n = whole + random.below(longest);
  }
  return Overlap(a, b, n);
}

/// Returns a number of whole periods, at most `longest` elements unless one period is longer.
inline Overlap random_periods(Random& random, Index procs, Index block, Index longest) {
  const Overlap o = random_overlap(random, procs, block, longest);
  const Index whole = period({o.a, o.b, Index{1} << 40});
  return Overlap(o.a, o.b, whole * (1 + random.below(std::max<Index>(longest / whole, 1))));
}

/// Returns a list of `count` different elements of an axis of twice as many at most: neighbours, or in any order.
inline std::vector<Index> random_list(Random& random, Index count) {
  std::vector<Index> all(as_size(count + random.below(count + 1)));
  std::iota(all.begin(), all.end(), 0);
  const Index swaps = random.below(3) == 0 ? random.below(3) : std::ssize(all);
  for (Index k = 0; k < swaps; ++k)
    std::swap(at(all, random.below(std::ssize(all))), at(all, random.below(std::ssize(all))));
  const Index begin = random.below(std::ssize(all) - count + 1);
  return {all.begin() + begin, all.begin() + begin + count};
}

/// Returns a partition of at least `extent` elements: intervals of one element, of a few or of many, some empty; with
/// random owners, one owner, or each process in turn; in the order of the matrix, or with random places. Or returns
/// the partition that a list of elements makes of the axis.
inline Axis random_partition(Random& random, const Axis& axis, Index extent) {
  const auto below = [&](Index n) { return random.below(n); };
  if (extent > 0 && below(4) == 0) {
    Axis of_list = listed(axis, random_list(random, extent), 0, false);
    of_list.first = axis.first;
    return of_list;
  }
  const Index length = 1 + below(below(3) == 0 ? 1 : below(2) == 0 ? 5 : extent + 1), lone = below(axis.procs);
  const Index kind = below(4);
  std::vector<Index> cuts{0};
  std::vector<int> owners;
  for (extent += below(10); cuts.back() < extent;) {
    const auto number = static_cast<Index>(owners.size());
    owners.push_back(static_cast<int>(kind == 0 ? lone : kind == 1 ? number % axis.procs : below(axis.procs)));
    cuts.push_back(std::min(extent, cuts.back() + (below(5) == 0 ? 0 : 1 + below(length))));
  }
  return in_partition(axis, cuts, owners, below(2) == 0 ? std::vector<Index>() : random_places(random, cuts, owners));
}

/// Returns an overlap in which one side or both are partitions.
inline Overlap partitioned_overlap(Random& random, Index procs, Index block, Index longest) {
  const Overlap o = random_overlap(random, procs, block, longest);
  const Index which = random.below(3);
  Axis a = which == 0 ? o.a : random_partition(random, o.a, o.a.first + o.n);
  Axis b = which == 1 ? o.b : random_partition(random, o.b, o.b.first + o.n);
  return Overlap(std::move(a), std::move(b), o.n);
}

/// Returns an overlap of CYCLIC axes, or one with a partition.
inline Overlap any_overlap(Random& random, Index procs, Index block, Index longest) {
  return random.below(2) == 0 ? random_overlap(random, procs, block, longest)
                              : partitioned_overlap(random, procs, block, longest);
}

template <class... Values>
std::string text(const Values&... values) {
  std::ostringstream out;
  (out << ... << values);
  return out.str();
}

inline std::string described(const Axis& x) {
  if (is_cyclic(x)) return text(x.procs, " procs, block ", x.block(), ", source ", x.source(), ", first ", x.first);
  std::string intervals;
  for (const OwnedInterval& i : x.partition()->intervals())
    intervals += text(" {", i.owner, ", ", i.end, ", ", i.local, "}");
  return text(x.procs, " procs, intervals {owner, end, place}:", intervals, ", first ", x.first);
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
