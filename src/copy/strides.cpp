// SPDX-License-Identifier: BSD-3-Clause
#include "copy/strides.hpp"

namespace xredist::core {

GroupStrides::GroupStrides(const std::vector<Digit>& digits) {
  for (const Digit& digit : digits) {
    if (!digits_.empty() && digits_.back().stride * digits_.back().extent == digit.stride)
      digits_.back().extent *= digit.extent;
    else
      digits_.push_back(digit);
  }
  if (digits_.empty()) digits_.push_back({1, 1});
  digits_.back().extent = std::numeric_limits<Index>::max();
}

}  // namespace xredist::core
