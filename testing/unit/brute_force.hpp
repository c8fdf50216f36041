// The same facts as src/layout, found by looking at every element.
#pragma once

#include <map>
#include <random>
#include <utility>

#include "layout/overlap.hpp"
#include "schedule/schedule.hpp"

namespace xredist::testing {

/// Elements that each pair (sender, receiver) shares.
using Volumes = std::map<std::pair<Index, Index>, Index>;

inline Volumes volumes(const Overlap& o) {
  Volumes volumes;
  for (Index k = 0; k < o.n; ++k) ++volumes[{owner(o.a, k), owner(o.b, k)}];
  return volumes;
}

/// Local index of element k on the process that owns it.
inline Index local_index(const Axis& axis, Index k) {
  const Index g = axis.first + k;
  return g / axis.block / axis.procs * axis.block + g % axis.block;
}

struct Degrees {
  Index left = 0, right = 0;
};

/// The most messages that one process sends, and receives, along an axis.
inline Degrees degrees(const Volumes& volumes) {
  std::map<Index, Index> sends, receives;
  Degrees most;
  for (const auto& [pair, volume] : volumes) {
    most.left = std::max(most.left, ++sends[pair.first]);
    most.right = std::max(most.right, ++receives[pair.second]);
  }
  return most;
}

/// Random axes of at most `procs` processes and blocks of at most `block`, with sources and offsets;
/// half of the lengths are at least a period, where a period is short enough.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  Index below(Index n) { return static_cast<Index>(engine_() % static_cast<unsigned long>(n)); }

  Overlap overlap(Index procs, Index block, Index longest) {
    const Axis a = axis(procs, block), b = axis(procs, block);
    Index n = 1 + below(longest);
    if (below(2) == 0) {
      const Index whole = period(xredist::overlap(a, b, Index{1} << 40));
      if (whole <= 4 * longest) n = whole + below(longest);
    }
    return xredist::overlap(a, b, n);
  }

 private:
  Axis axis(Index procs, Index block) {
    Axis axis{1 + below(block), 1 + below(procs), 0, below(3 * block)};
    axis.source = below(axis.procs);
    return axis;
  }

  std::mt19937_64 engine_;
};

}  // namespace xredist::testing
