// SPDX-License-Identifier: BSD-3-Clause
// What schedules cost, and what they must cost.
#pragma once

#include "schedule/graph.hpp"
#include "schedule/schedule.hpp"

namespace xredist::core {

/// What a step costs: alpha + beta * (its longest part), Desprez et al. 1998, section 4.3.1.
struct Network {
  double alpha;  ///< seconds for a message
  double beta;   ///< seconds for an element
};

/// No schedule has fewer steps or, whether it sends messages whole or in parts, a smaller total (THEORY.md, T2, T20).
struct Bounds {
  Index steps;     ///< Delta: most messages that one process sends or receives
  Index elements;  ///< T*: most elements that one process sends or receives
};
Bounds bounds_of(const Traffic& traffic);  ///< walks all processes
Bounds bounds_of(const Graph& graph);      ///< in elements of one period

/// T, the sum over all steps of the elements of the longest part, for a schedule that treats messages of one edge of
/// the graph alike; in elements of one period, without the graph's own messages.
Index total_cost(const Graph& graph, const Schedule& schedule);

/// The length of parts, in elements, that gives quantised_schedule the least bound of its cost (THEORY.md, T23). If
/// elements cost nothing, messages stay whole.
double best_quantum(const Graph& graph, const Network& network);

}  // namespace xredist::core
