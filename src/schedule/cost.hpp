// SPDX-License-Identifier: BSD-3-Clause
// The cost and the times of schedules, and their lower bounds.
#pragma once

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

/// The time of a schedule (s) on ports that send one message and receive one message at a time, each in alpha + beta *
/// elements. Own messages take no time.
struct Times {
  double barriers;  ///< alpha S + beta T: no process begins a step before all have ended the one before
  double free;      ///< without barriers: a part starts when both ports have finished all their earlier parts
};

/// Returns the times of a proper schedule that treats messages of one edge of the graph alike. `network` is for
/// elements of one period.
Times times_of(const Graph& graph, const Schedule& schedule, const Network& network);
/// Returns lower bounds on both times, whether messages are cut or not (THEORY.md, T20, T25).
Times least_times(const Graph& graph, const Network& network);

/// Returns the length of parts, in elements, that minimises the bound on the cost of quantised_schedule (THEORY.md,
/// T23). If elements cost nothing, messages stay whole.
double best_quantum(const Graph& graph, const Network& network);

}  // namespace xredist::core
