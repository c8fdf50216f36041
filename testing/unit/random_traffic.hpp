// SPDX-License-Identifier: BSD-3-Clause
// Traffics to try.
#pragma once

#include <random>
#include <string>

#include "layout/overlap.hpp"
#include "schedule/schedule.hpp"

namespace xredist::testing {

using namespace core;

/// Tests that try many cases try fewer of them where checks make the code slow.
#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__)
inline constexpr bool slow_build = false;
#else
inline constexpr bool slow_build = true;
#endif

/// CYCLIC(r) on P processes to CYCLIC(s) on Q, from element 0.
inline Overlap line(Index P, Index r, Index Q, Index s, Index n) { return overlap({r, P, 0, 0}, {s, Q, 0, 0}, n); }

/// Random axes of at most `procs` processes and blocks of at most `block`, with sources and offsets;
/// half of the lengths are at least a period, where a period is short enough.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  Index below(Index n) { return static_cast<Index>(engine_() % static_cast<unsigned long>(n)); }

  Overlap overlap(Index procs, Index block, Index longest) {
    const Axis a = small_axis(procs, block), b = small_axis(procs, block);
    Index n = 1 + below(longest);
    if (below(2) == 0) {
      const Index whole = period(xredist::core::overlap(a, b, Index{1} << 40));
      if (whole <= 4 * longest) n = whole + below(longest);
    }
    return xredist::core::overlap(a, b, n);
  }

  /// A number of whole periods, at most `longest` elements unless one period is longer.
  Overlap periods(Index procs, Index block, Index longest) {
    const Overlap o = overlap(procs, block, longest);
    const Index whole = period({o.a, o.b, Index{1} << 40});
    return xredist::core::overlap(o.a, o.b, whole * (1 + below(std::max<Index>(longest / whole, 1))));
  }

  Axis axis(Index procs, Index block) { return {block, procs, below(procs), below(3 * block)}; }

 private:
  Axis small_axis(Index procs, Index block) {
    const Index width = 1 + below(block);
    return axis(1 + below(procs), width);
  }

  std::mt19937_64 engine_;
};

inline std::string described(const Overlap& o) {
  const auto axis = [](const Axis& x) {
    return std::to_string(x.procs) + " procs, block " + std::to_string(x.block) + ", source " +
           std::to_string(x.source) + ", first " + std::to_string(x.first);
  };
  return axis(o.a) + " -> " + axis(o.b) + ", n " + std::to_string(o.n);
}

inline std::string described(const Traffic& traffic) {
  return std::string("rows: ").append(described(traffic.rows)) + "\ncols: " + described(traffic.cols);
}

}  // namespace xredist::testing
