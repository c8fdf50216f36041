// SPDX-License-Identifier: BSD-3-Clause
#include "tune/measure.hpp"

#include <algorithm>
#include <numeric>

namespace xredist::core {
namespace {

// Ratio of times: the model's choice stays unless another way takes less than this part of its time.
constexpr double min_gain = 0.99;

}  // namespace

std::size_t Measured::best() const {
  const auto least = std::ranges::min_element(ways(), {}, &WayTime::seconds);
  return least->seconds <= min_gain * ways_[0].seconds ? static_cast<std::size_t>(least - ways().begin()) : 0;
}

int Measured::trials() const {
  return std::accumulate(ways().begin(), ways().end(), 0, [](int sum, const WayTime& way) { return sum + way.trials; });
}

Measured::Pass Measured::pass_within(double limit) const {
  const double longest = limit * ways_[best()].seconds;
  Pass pass;
  for (std::size_t repetition = 0; repetition < repetitions; ++repetition)
    for (std::size_t way = 0; way < count_; ++way)
      if (ways_[way].seconds <= longest) pass.ways[pass.count++] = way;
  return pass;
}

void Measured::add(const Pass& pass, std::span<const double> seconds) {
  for (std::size_t trial = 0; trial < pass.count; ++trial) {
    WayTime& way = ways_[pass.ways[trial]];
    way.seconds = std::min(way.seconds, seconds[trial]);
    ++way.trials;
  }
}

}  // namespace xredist::core
