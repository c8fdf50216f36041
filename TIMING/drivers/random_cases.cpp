#include "drivers/random_cases.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace drivers {
namespace {

using cases::Case;
using cases::Index;
using cases::Matrix;

// The same numbers on all processes and with all standard libraries, whose distributions differ.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : engine_(seed) {}

  int below(int n) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(n)); }
  // From `least` to `most`; logarithms are equally likely.
  Index scaled(double least, double most) {
    const double u = static_cast<double>(engine_() >> 11) * 0x1p-53;
    return static_cast<Index>(least * std::pow(most / least, u));
  }

 private:
  std::mt19937_64 engine_;
};

enum class Kind { square, tall, wide, column, row, narrow, panel, count };

Case shape(Kind kind, Dice& dice) {
  const auto elements = static_cast<double>(dice.scaled(3e3, 2e6));
  const auto side = static_cast<Index>(std::sqrt(elements));
  const Index aspect = dice.scaled(2, 12), few = 2 + dice.below(31);
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

Matrix matrix(const Case& c, Kind kind, int processes, Dice& dice) {
  Matrix x;
  const int size = 1 + dice.below(processes);
  do x.nprow = 1 + dice.below(size);
  while (size % x.nprow != 0);
  x.npcol = size / x.nprow;
  x.mb = dice.scaled(1, 257);
  x.nb = dice.scaled(1, 257);
  if (kind == Kind::panel) {
    x.i = 1 + dice.below(200);
    x.j = 1 + dice.below(200);
  }
  x.M = c.m + x.i - 1;
  x.N = c.n + x.j - 1;
  return x;
}

}  // namespace

std::vector<Case> random_cases(std::uint64_t seed, int count, int processes) {
  Dice dice(seed);
  std::vector<Case> cases;
  for (int k = 0; k < count; ++k) {
    const auto kind = static_cast<Kind>(k % static_cast<int>(Kind::count));
    Case c = shape(kind, dice);
    c.a = matrix(c, kind, processes, dice);
    c.b = matrix(c, kind, processes, dice);
    cases.push_back(c);
  }
  return cases;
}

}  // namespace drivers
