// SPDX-License-Identifier: BSD-3-Clause
// The cost of schedules, its lower bounds, and schedules that cut messages to lower it.
#pragma once

#include <limits>
#include <memory>
#include <optional>

#include "schedule/graph.hpp"
#include "schedule/schedule.hpp"

namespace xredist::core {

/// The cost of a step: alpha + beta * (elements of its longest part), Desprez et al. 1998, section 4.3.1.
struct Network {
  double alpha;  ///< seconds for a message
  double beta;   ///< seconds for an element
  /// The expected number of executions of a schedule. The planner searches as long as that can save in all of them.
  double executions = 1;
};

/// Lower bounds on the number of steps and on the total of any schedule, whether it sends messages whole or in parts
/// (THEORY.md, T2, T20).
struct Bounds {
  Index steps;     ///< Delta: maximum number of messages that one process sends or receives
  Index elements;  ///< T*: maximum number of elements that one process sends or receives
};
/// Returns the bounds of a graph, in elements of one period.
Bounds bounds_of(const Graph& graph);

/// Returns T, the sum of the elements of the longest part of each step, in elements of one period and without own
/// messages. The schedule must treat messages of one edge of the graph alike.
Index total_cost(const Graph& graph, const Schedule& schedule);

/// Returns the length of parts, in elements, that minimises the bound on the cost of quantised_schedule (THEORY.md,
/// T23). If elements cost nothing, messages stay whole.
double best_quantum(const Graph& graph, const Network& network);

/// Returns a schedule that cuts messages so that its total is the minimum, T* (THEORY.md, T21): exactly if the matrix
/// is a whole number of periods long and messages can be cut anywhere (in two dimensions they are cut along rows or
/// columns). Returns nothing if the graph exceeds limits::edges_to_match or limits::nodes_to_match, or if the search
/// visits edges more than `max_visits` times.
std::optional<Schedule> split_schedule(const Traffic& traffic, const Ranks& ranks = {});
std::optional<Schedule> split_schedule(const std::shared_ptr<const Graph>& graph,
                                       Index max_visits = std::numeric_limits<Index>::max());

/// Return schedules of whole messages that take one matching of the graph after the other, each a step (Desprez et al.
/// 1998, section 4.5). stepwise: the heaviest among the matchings that cover all nodes of maximum degree, so that there
/// are Delta steps. greedy: the heaviest matching. Take O(nodes^3) for each step.
Schedule stepwise_schedule(const std::shared_ptr<const Graph>& graph);
Schedule greedy_schedule(const std::shared_ptr<const Graph>& graph);

/// Returns a schedule that cuts messages into equal parts of at most `quantum` elements, by colouring the graph of the
/// parts: at most T*/quantum + Delta steps (THEORY.md, T23). In a last period that is not whole, a part may have up to
/// a period's share more. Returns nothing if there are more than limits::quanta parts.
std::optional<Schedule> quantised_schedule(const std::shared_ptr<const Graph>& graph, double quantum);

}  // namespace xredist::core
