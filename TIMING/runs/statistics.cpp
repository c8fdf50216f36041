// SPDX-License-Identifier: BSD-3-Clause
#include "runs/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace runs {
namespace {

// How many times the interval may leave out at either end. The probability that the median is outside of the interval
// is that of `count` tosses of a coin showing at most so many heads, or at most so many tails.
std::size_t left_out(std::size_t count) {
  const auto n = static_cast<double>(count);
  double outside = 0;
  std::size_t k = 0;
  for (; k < count / 2; ++k) {
    const auto heads = static_cast<double>(k);
    outside +=
        2 * std::exp(std::lgamma(n + 1) - std::lgamma(heads + 1) - std::lgamma(n - heads + 1) - n * std::log(2.0));
    if (outside > 0.05) break;
  }
  return k == 0 ? 0 : k - 1;
}

}  // namespace

Summary summary_of(std::vector<double> times) {
  std::ranges::sort(times);
  const std::size_t n = times.size(), out = left_out(n);
  return {times.front(), (times[(n - 1) / 2] + times[n / 2]) / 2, times[out], times[n - 1 - out], times.back()};
}

}  // namespace runs
