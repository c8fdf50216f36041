// SPDX-License-Identifier: BSD-3-Clause
// A schedule as a list of steps, its time with and without barriers, and exchanges of parts that lower both.
#pragma once

#include <memory>
#include <vector>

#include "schedule/cost.hpp"

namespace xredist::core {

/// A part of the messages of one edge of a graph.
struct EdgePart {
  std::size_t edge;
  Index weight;     ///< as in Part
  double elements;  ///< of one period
};

/// The parts of each step of a proper schedule, without own messages.
using Steps = std::vector<std::vector<EdgePart>>;

/// Lists a schedule, which must be proper and treat the messages of one edge alike.
Steps steps_of(const Graph& graph, const Schedule& schedule);
Schedule schedule_from_steps(std::shared_ptr<const Graph> graph, const Steps& steps);

/// The time of a schedule (s) on ports that send one message and receive one message at a time, each in alpha + beta *
/// elements. Own messages take no time.
struct Times {
  double barriers;  ///< alpha S + beta T: no process begins a step before all have ended the one before
  double free;      ///< without barriers: a part starts when both ports have finished all their earlier parts
};

/// Returns the times of steps. `network` is for elements of one period.
Times times_of(const Graph& graph, const Steps& steps, const Network& network);
/// Returns lower bounds on both times, whether messages are cut or not (THEORY.md, T20, T25).
Times least_times(const Graph& graph, const Network& network);

/// A search for steps whose times are both at most `near` times the goal.
struct Polish {
  Times goal;
  double near;
  unsigned order;    ///< of the pairs of steps that are tried: each order may end in another local optimum
  Index max_visits;  ///< of parts, after which the search ends
};

/// The steps that a search has found, their times, and the number of parts that the search has visited.
struct Polished {
  Steps steps;
  Times times;
  Index visits;
};

/// Exchanges steps, and parts of two steps along alternating paths, while that lowers the greater of both times over
/// the goal. Deterministic.
Polished polished(const Graph& graph, Steps steps, const Network& network, const Polish& polish);

}  // namespace xredist::core
