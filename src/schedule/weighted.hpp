// SPDX-License-Identifier: BSD-3-Clause
// Schedules that look at the lengths of messages, and cut them.
#pragma once

#include <limits>
#include <memory>
#include <optional>

#include "schedule/graph.hpp"
#include "schedule/schedule.hpp"

namespace xredist::core {

/// For split_schedule, and for stepwise_schedule and greedy_schedule of the papers: graphs have at most so many nodes
/// on a side, and 2^15 edges (see graph.hpp).
inline constexpr int most_nodes_to_match = 128;

/// Messages are cut so that the sum of the longest parts of the steps is the least possible, the most
/// elements that one process sends or receives (THEORY.md, T21); exactly where the matrix is a whole number of periods
/// long and messages can be cut anywhere (in two dimensions they are cut along rows or columns). Nothing
/// if edges have to be looked at more often than `most_work`.
std::optional<Schedule> split_schedule(const Traffic& traffic, const Ranks& ranks = {});
std::optional<Schedule> split_schedule(const std::shared_ptr<const Graph>& graph,
                                       Index most_work = std::numeric_limits<Index>::max());

/// Messages cut into equal parts of at most `quantum` elements, the graph of the parts coloured with its
/// degree: at most T*/quantum + Delta steps (THEORY.md, T23). (Of a last period that is not whole, a part may have up
/// to a period's share more.) For graphs of at most so many parts.
std::optional<Schedule> quantised_schedule(const Traffic& traffic, double quantum);
std::optional<Schedule> quantised_schedule(const std::shared_ptr<const Graph>& graph, double quantum);
inline constexpr Index most_quanta = 1 << 16;

}  // namespace xredist::core
