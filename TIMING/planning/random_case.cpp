#include "planning/random_case.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace {

using namespace xredist::core;

constexpr Index most_processes = 1024;

// No std::uniform distributions: they differ between standard libraries, and cases are to be reproduced.
class Draw {
 public:
  explicit Draw(std::mt19937_64& random) : random_(random) {}

  Index from(Index low, Index high) {
    return low + static_cast<Index>(random_() % static_cast<std::uint64_t>(high - low + 1));
  }
  double evenly(double low, double high) { return low + (high - low) * static_cast<double>(random_() >> 11) * 0x1p-53; }
  double scale(double low, double high) { return low * std::exp(evenly(0, std::log(high / low))); }
  Index scale(Index low, Index high) {
    return std::min(high, static_cast<Index>(scale(static_cast<double>(low), static_cast<double>(high) + 1)));
  }

  Coord grid() {
    const Index all = from(0, 1) == 0 ? scale(Index{1}, most_processes) : from(1, most_processes);
    switch (from(0, 4)) {
      case 0: return {1, all};
      case 1: return {all, 1};
      case 2: {
        const auto side = static_cast<Index>(std::sqrt(static_cast<double>(all)));
        return {side, all / side};
      }
      default: {
        const Index rows = scale(Index{1}, all);
        return {rows, all / rows};
      }
    }
  }

  Index block() {
    switch (from(0, 3)) {
      case 0: return from(1, 16);
      case 1: return Index{1} << from(0, 9);
      case 2: return from(1, 100);
      default: return scale(Index{1}, Index{4096});
    }
  }
  // Often a multiple of another, or a part of it.
  Index block(Index other) {
    switch (from(0, 5)) {
      case 0: return other;
      case 1: return other * from(1, 8);
      case 2: return std::gcd(other, block());
      default: return block();
    }
  }

  Axis axis(Index procs, Index width) {
    return {width, procs, from(0, procs - 1), from(0, 1) == 0 ? 0 : from(0, 3 * procs * width)};
  }

  Overlap axes(Index P, Index Q) {
    const Index width = block();
    const Axis a = axis(P, width), b = axis(Q, block(width));
    const Index n = scale(Index{1}, Index{1'000'000}), cycle = std::lcm(P * a.block, Q * b.block);
    const bool periods = cycle <= 10'000'000 && from(0, 2) == 0;
    return overlap(a, b, periods ? cycle * std::max<Index>(1, n / cycle) : n);
  }

 private:
  std::mt19937_64& random_;
};

}  // namespace

RandomCase random_case(std::mt19937_64& random) {
  Draw draw(random);
  const Coord A = draw.grid(), B = draw.grid();
  const Overlap rows = draw.axes(A.row, B.row), cols = draw.axes(A.col, B.col);
  const int element = 4 << draw.from(0, 2);
  const double alpha = draw.scale(1e-7, 1e-3), beta = draw.scale(1e-12, 1e-5);
  const Coord sender{draw.from(0, A.row - 1), draw.from(0, A.col - 1)};
  const Coord receiver{draw.from(0, B.row - 1), draw.from(0, B.col - 1)};
  return {{rows, cols}, element, alpha, beta, sender, receiver};
}
