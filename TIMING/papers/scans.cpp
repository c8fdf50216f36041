// SPDX-License-Identifier: BSD-3-Clause
#include "papers/scans.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace papers {
namespace {

using xredist::core::Axis;

// The elements E(s, rP, r) of a process.
struct Pattern {
  Index s, stride, r;

  Pattern(const Axis& axis, Index process)
      : s((process - axis.source() + axis.procs) % axis.procs * axis.block() - axis.first),
        stride(axis.block() * axis.procs),
        r(axis.block()) {}

  // Returns the first block that ends after element 0.
  Interval first_block() const {
    const Index start = xredist::core::modulo(s + r - 1, stride) - r + 1;
    return {start, start + r};
  }
};

void step(Interval& block, Index stride) {
  block.begin += stride;
  block.end += stride;
}

Scan scan_up_to(const Pattern& a, const Pattern& b, Index end, Index period) {
  Scan scan{{}, period};
  Interval own = a.first_block(), theirs = b.first_block();
  scan.visited = (own.begin < end) + (theirs.begin < end);
  while (own.begin < end && theirs.begin < end) {
    const Interval both{std::max({own.begin, theirs.begin, Index{0}}), std::min({own.end, theirs.end, end})};
    if (both.begin < both.end) scan.intervals.push_back(both);
    const bool own_ends_first = own.end < theirs.end;
    Interval& passed = own_ends_first ? own : theirs;
    step(passed, own_ends_first ? a.stride : b.stride);
    if (passed.begin < end) ++scan.visited;
  }
  return scan;
}

// Adds an element after all others.
void add(std::vector<Interval>& intervals, Index k) {
  if (intervals.empty() || intervals.back().end < k) intervals.push_back({k, k});
  intervals.back().end = k + 1;
}

// Returns the inverse of x modulo y, which have no common factor, by Euclid's extended algorithm.
Index inverse(Index x, Index y) {
  Index r0 = y, r1 = x % y, t0 = 0, t1 = 1;
  while (r1 != 0) {
    const Index quotient = r0 / r1;
    r0 = std::exchange(r1, r0 - quotient * r1);
    t0 = std::exchange(t1, t0 - quotient * t1);
  }
  return xredist::core::modulo(t0, y);
}

}  // namespace

std::vector<Index> elements_of(const Scan& scan, Index n) {
  std::vector<Index> all;
  for (Index start = 0; start < n; start += scan.period)
    for (const Interval& x : scan.intervals)
      for (Index k = start + x.begin; k < std::min(start + x.end, n); ++k) all.push_back(k);
  return all;
}

Index count_of(const Scan& scan, Index n) {
  Index count = 0;
  const Index periods = n / scan.period, rest = n % scan.period;
  for (const Interval& x : scan.intervals)
    count += periods * x.length() + std::max<Index>(std::min(x.end, rest) - x.begin, 0);
  return count;
}

Scan scan_indices(const Overlap& o, Index p, Index q) {
  Scan scan{{}, std::max<Index>(o.n, 1)};
  for (; scan.visited < o.n; ++scan.visited)
    if (owner(o.a, scan.visited) == p && owner(o.b, scan.visited) == q) add(scan.intervals, scan.visited);
  return scan;
}

Scan scan_blocks(const Overlap& o, Index p, Index q) {
  return scan_up_to({o.a, p}, {o.b, q}, o.n, std::max<Index>(o.n, 1));
}

Scan scan_period(const Overlap& o, Index p, Index q) {
  const Pattern a(o.a, p), b(o.b, q);
  const Index period = std::lcm(a.stride, b.stride);
  return scan_up_to(a, b, std::min(o.n, period), period);
}

Scan scan_pairs(const Overlap& o, Index p, Index q) {
  const Pattern a(o.a, p), b(o.b, q);
  const Index g = std::gcd(a.stride, b.stride), cycles = b.stride / g, to_cycles = inverse(a.stride / g, cycles);
  Scan scan{{}, a.stride * cycles, a.r * b.r};
  std::vector<Index> found;
  for (Index i = 0; i < a.r; ++i)
    for (Index j = 0; j < b.r; ++j) {
      const Index distance = b.s + j - (a.s + i);
      if (distance % g != 0) continue;
      const Index cycle = xredist::core::modulo(distance / g % cycles * to_cycles, cycles);
      const Index k = xredist::core::modulo(a.s + i + a.stride * cycle, scan.period);
      if (k < o.n) found.push_back(k);
    }
  std::ranges::sort(found);
  for (const Index k : found) add(scan.intervals, k);
  return scan;
}

}  // namespace papers
