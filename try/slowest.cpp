// SPDX-License-Identifier: BSD-3-Clause
#include "slowest.hpp"

#include <algorithm>
#include <functional>

namespace xredist::trial {

void Slowest::add(const SlowCall& call) {
  constexpr std::size_t max_calls = 10;
  const auto place = std::ranges::upper_bound(calls_, call.seconds(), std::greater(), &SlowCall::seconds);
  calls_.insert(place, call);
  if (calls_.size() > max_calls) calls_.pop_back();
}

}  // namespace xredist::trial
