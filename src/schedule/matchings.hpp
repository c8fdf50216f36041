// SPDX-License-Identifier: BSD-3-Clause
// Schedules by heaviest matchings.
#pragma once

#include <memory>

#include "schedule/graph.hpp"
#include "schedule/schedule.hpp"

namespace xredist::core {

/// Return schedules of whole messages that take one matching of the graph after the other, each a step (Desprez et al.
/// 1998, section 4.5). stepwise: the heaviest among the matchings that cover all nodes of maximum degree, so that there
/// are Delta steps. greedy, which the default does not try: the heaviest matching. A step takes the square of the fewer
/// nodes times the more.
Schedule stepwise_schedule(const std::shared_ptr<const Graph>& graph);
Schedule greedy_schedule(const std::shared_ptr<const Graph>& graph);

}  // namespace xredist::core
