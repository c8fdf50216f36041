// SPDX-License-Identifier: BSD-3-Clause
// Schedules that cut messages to lower their cost.
#pragma once

#include <limits>
#include <memory>
#include <optional>

#include "schedule/graph.hpp"
#include "schedule/schedule.hpp"

namespace xredist::core {

/// Returns a schedule that cuts messages so that its total is the minimum, T* (THEORY.md, T21): exactly if the matrix
/// is a whole number of periods long and messages can be cut anywhere (in two dimensions they are cut along rows or
/// columns). Returns nothing if the graph exceeds limits::edges_to_match or limits::nodes_to_match, or if the search
/// visits edges more than `max_visits` times.
std::optional<Schedule> split_schedule(const Traffic& traffic, const Ranks& ranks = {});
std::optional<Schedule> split_schedule(const std::shared_ptr<const Graph>& graph,
                                       Index max_visits = std::numeric_limits<Index>::max());

/// Returns a schedule that cuts messages into equal parts of at most `quantum` elements, by colouring the graph of the
/// parts: at most T*/quantum + Delta steps (THEORY.md, T23). In a last period that is not whole, a part may have up to
/// a period's share more. Returns nothing if there are more than limits::quanta parts.
std::optional<Schedule> quantised_schedule(const std::shared_ptr<const Graph>& graph, double quantum);

}  // namespace xredist::core
