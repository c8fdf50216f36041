// Times of many calls in a few numbers.
#pragma once

#include <vector>

namespace runs {

/// [low, high] holds the median of all calls that might be made with a probability of 95 % or more: two of the
/// times in their order, whatever their distribution. Of fewer than six times: the least and the greatest.
struct Summary {
  double least = 0, median = 0, low = 0, high = 0, most = 0;
};

/// At least one time.
Summary summary_of(std::vector<double> times);

}  // namespace runs
