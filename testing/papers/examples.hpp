// SPDX-License-Identifier: BSD-3-Clause
// Examples of the papers in one dimension, whose grids count as disjoint.
#pragma once

#include <algorithm>
#include <numeric>
#include <string_view>
#include <vector>

#include "papers/papers.hpp"
#include "random/random_traffic.hpp"
#include "schedule/checker.hpp"

namespace papers {

using namespace xredist::core;
using xredist::testing::described;

/// Returns one period of CYCLIC(r) on P processes to CYCLIC(s) on Q.
inline Traffic vector_of(Index P, Index Q, Index r, Index s) {
  return {xredist::testing::line(P, r, Q, s, std::lcm(P * r, Q * s)), point};
}

inline Schedule made(std::string_view algorithm, const Traffic& traffic) {
  return find(algorithm)->make(traffic, {2e-6, 8e-10}, {}).value();
}

/// Returns T: the sum of the longest message of each step.
inline Index total(const Traffic& traffic, const Schedule& schedule) {
  const std::vector<Index> longest = xredist::testing::longest_of_steps(traffic, schedule);
  return std::accumulate(longest.begin(), longest.end(), Index{0});
}

/// Returns the lengths of the messages of each step of a vector.
inline std::vector<std::vector<Index>> lengths_of_steps(const Traffic& traffic, const Schedule& schedule) {
  std::vector<std::vector<Index>> steps(as_size(schedule.count));
  for (Index p = 0; p < traffic.rows.a.procs; ++p)
    for (const Message& message : sends_of(traffic, schedule, {p, 0}))
      at(steps, message.step).push_back(message.elements());
  return steps;
}

}  // namespace papers
