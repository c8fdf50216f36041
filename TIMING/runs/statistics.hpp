// SPDX-License-Identifier: BSD-3-Clause
// Times of many calls in a few numbers.
#pragma once

#include <vector>

namespace runs {

/// [low, high] contains the median of all possible calls with a probability of at least 95 %, whatever the distribution
/// of the times. Both bounds are among the times; for fewer than six times they are the least and the greatest.
struct Summary {
  double least = 0, median = 0, low = 0, high = 0, most = 0;
};

/// At least one time.
Summary summary_of(std::vector<double> times);

}  // namespace runs
