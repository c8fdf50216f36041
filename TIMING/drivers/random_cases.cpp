// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cmath>
#include <random>

#include "drivers/input.hpp"

namespace drivers {
namespace {

// Draws the same numbers on all processes and with all standard libraries, whose distributions differ.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : engine_(seed) {}

  // Returns a number from `low` to `high`, uniformly distributed.
  Index from(Index low, Index high) {
    return low + static_cast<Index>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  // Returns a number from `low` to `high` whose logarithm is uniformly distributed.
  double scaled(double low, double high) {
    const double u = static_cast<double>(engine_() >> 11) * 0x1p-53;
    return low * std::pow(high / low, u);
  }
  Index scaled_whole(Index low, Index high) {
    return std::min(high, static_cast<Index>(scaled(static_cast<double>(low), static_cast<double>(high + 1))));
  }

 private:
  std::mt19937_64 engine_;
};

enum class Kind { square, tall, wide, column, row, narrow, panel, count };

Case shape(Kind kind, Draw& draw) {
  const auto elements = std::floor(draw.scaled(3e3, 2e6));
  const auto side = static_cast<Index>(std::sqrt(elements));
  const Index aspect = draw.scaled_whole(2, 11), few = draw.from(2, 32);
  const auto whole = static_cast<Index>(elements);
  switch (kind) {
    case Kind::tall: return {side * aspect, std::max<Index>(1, side / aspect)};
    case Kind::wide: return {std::max<Index>(1, side / aspect), side * aspect};
    case Kind::column: return {whole, 1};
    case Kind::row: return {1, whole};
    case Kind::narrow: return {whole / few, few};
    default: return {side, side};
  }
}

Matrix matrix(const Case& c, Kind kind, int processes, Draw& draw) {
  Matrix x;
  const auto size = static_cast<int>(draw.from(1, processes));
  do x.nprow = static_cast<int>(draw.from(1, size));
  while (size % x.nprow != 0);
  x.npcol = size / x.nprow;
  x.mb = draw.scaled_whole(1, 256);
  x.nb = draw.scaled_whole(1, 256);
  if (kind == Kind::panel) {
    x.i = draw.from(1, 200);
    x.j = draw.from(1, 200);
  }
  x.M = c.m + x.i - 1;
  x.N = c.n + x.j - 1;
  return x;
}

}  // namespace

std::vector<Case> random_cases(std::uint64_t seed, int count, int processes) {
  Draw draw(seed);
  std::vector<Case> cases;
  for (int k = 0; k < count; ++k) {
    const auto kind = static_cast<Kind>(k % static_cast<int>(Kind::count));
    Case c = shape(kind, draw);
    c.a = matrix(c, kind, processes, draw);
    c.b = matrix(c, kind, processes, draw);
    cases.push_back(c);
  }
  return cases;
}

}  // namespace drivers
