// SPDX-License-Identifier: BSD-3-Clause
// Random redistributions as a caller states them, and the owner of each element by ScaLAPACK's rule alone.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "copy/chunks.hpp"
#include "random/brute_force.hpp"
#include "random/random_traffic.hpp"

namespace xredist::testing {

/// The arguments of a redistribution that are equal on all processes.
struct Call {
  Layout a, b;
  Index m, n;
  Region region;
  Index bytes;  ///< of an element

  Redistribution redistribution() const { return redistribution_of(a, b, m, n, region, bytes); }
};

/// The source of a message's runs in the packer: Runs, or the tables of its sender or of its receiver.
enum class RunsBy { walking, sender, receiver };
inline constexpr RunsBy all_runs_by[] = {RunsBy::walking, RunsBy::sender, RunsBy::receiver};

inline RunTables tables_of(const Redistribution& redistribution, Coord p, Coord q, RunsBy by) {
  const auto& [rows, cols] = redistribution.traffic;
  if (by == RunsBy::sender) return {{rows, p.row, true}, {cols, p.col, true}};
  if (by == RunsBy::receiver) return {{rows, q.row, false}, {cols, q.col, false}};
  return {};
}

/// Returns the elements of a submatrix that p of A and q of B share along one dimension, ascending.
inline std::vector<Index> shared(const Axis& a, const Axis& b, Index n, Index p, Index q) {
  std::vector<Index> elements;
  for (Index k = 0; k < n; ++k)
    if (holder(a, a.first + k) == p && holder(b, b.first + k) == q) elements.push_back(k);
  return elements;
}

/// The elements of an axis that one process holds, up to the end of a submatrix.
struct Held {
  std::vector<Index> local;  ///< local index of each element of the submatrix; -1 if another process holds it
  Index count = 0;           ///< size of the local array, including elements before the submatrix
};

inline Held held_by(const Axis& axis, Index p, Index n) {
  Held held{std::vector<Index>(as_size(n), -1)};
  for (Index g = 0; g < axis.first + n; ++g) {
    if (holder(axis, g) != p) continue;
    const Index place = place_of(axis, g);
    if (g >= axis.first) at(held.local, g - axis.first) = place;
    held.count = std::max(held.count, place + 1);
  }
  return held;
}

inline bool moves(const Region& region, Index i, Index j) {
  switch (region.kind) {
    case Region::Kind::upper: return i - j <= region.shift;
    case Region::Kind::lower: return i - j >= region.shift;
    case Region::Kind::all: break;
  }
  return true;
}

/// Returns an axis with blocks of one element, of a few, of about 16 or of many.
inline Axis random_axis(Random& random, Index procs) {
  const Index kind = random.below(4);
  const Index block = kind == 0 ? 1 : kind == 1 ? 1 + random.below(8) : kind == 2 ? 15 + random.below(3) : 40;
  Axis axis = random_axis(random, 1 + random.below(procs), block);
  if (random.below(3) == 0) axis.first = 0;
  return axis;
}

inline Layout random_layout(Random& random, Index procs) {
  const Axis rows = random_axis(random, procs);
  return {rows, random_axis(random, procs)};
}

/// Returns all elements in half of the cases, otherwise a trapezoid of either kind, with a diagonal anywhere.
inline Region random_region(Random& random, Index m, Index n) {
  const Index kind = random.below(4);
  if (kind < 2) return {};
  return {kind == 2 ? Region::Kind::upper : Region::Kind::lower, random.below(m + n + 1) - n};
}

/// Returns the move of a submatrix of at most longest_m x longest_n elements between grids of at most procs x procs
/// processes. In a third of the cases some axes are partitions.
inline Call random_call(Random& random, Index procs, Index longest_m, Index longest_n) {
  Layout a = random_layout(random, procs), b = random_layout(random, procs);
  const Index m = 1 + random.below(longest_m), n = 1 + random.below(longest_n);
  if (random.below(3) == 0) {
    for (Axis* rows : {&a.rows, &b.rows})
      if (random.below(2) == 0) *rows = random_partition(random, *rows, rows->first + longest_m);
    for (Axis* cols : {&a.cols, &b.cols})
      if (random.below(2) == 0) *cols = random_partition(random, *cols, cols->first + longest_n);
  }
  return {a, b, m, n, random_region(random, m, n), Index{4} << random.below(3)};
}

inline std::string described(const Call& call) {
  const auto layout = [](const Layout& l) { return text("{", described(l.rows), "; ", described(l.cols), "}"); };
  const char* const kinds[] = {"all", "upper", "lower"};
  return text("A ", layout(call.a), ", B ", layout(call.b), "; m ", call.m, ", n ", call.n, ", region ",
              kinds[static_cast<int>(call.region.kind)], " shift ", call.region.shift, ", bytes ", call.bytes);
}

/// A rectangle of the message of a call from p to q, cut into chunks of at most `limit` bytes.
struct Cutting {
  Coord p, q;
  Interval rows, cols;
  Index limit;
};

/// Returns the message to which a random element belongs, or a random part of that message.
inline Cutting random_cutting(Random& random, const Call& call) {
  const Index i = random.below(call.m), j = random.below(call.n);
  const auto place = [&](const Layout& l) {
    return Coord{holder(l.rows, l.rows.first + i), holder(l.cols, l.cols.first + j)};
  };
  const Coord p = place(call.a), q = place(call.b);
  const auto part = [&](Index length) {
    if (random.below(2) == 0) return Interval{0, length};
    const Index begin = random.below(length);
    return Interval{begin, begin + 1 + random.below(length - begin)};
  };
  const auto rows = static_cast<Index>(shared(call.a.rows, call.b.rows, call.m, p.row, q.row).size());
  const auto cols = static_cast<Index>(shared(call.a.cols, call.b.cols, call.n, p.col, q.col).size());
  const Interval row_part = part(rows), col_part = part(cols);
  const Index elements[] = {1, 1 + random.below(10), 1 + random.below(500), 1 + random.below(rows * cols)};
  return {p, q, row_part, col_part, elements[random.below(4)] * call.bytes + random.below(call.bytes)};
}

inline std::string described(const Cutting& cut) {
  const auto pair = [](Index x, Index y) { return text("{", x, ", ", y, "}"); };
  return text("p ", pair(cut.p.row, cut.p.col), ", q ", pair(cut.q.row, cut.q.col), ", rows ",
              pair(cut.rows.begin, cut.rows.end), ", cols ", pair(cut.cols.begin, cut.cols.end), ", limit ", cut.limit);
}

}  // namespace xredist::testing
