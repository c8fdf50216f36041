// SPDX-License-Identifier: BSD-3-Clause
#include "papers/desprez.hpp"

#include <memory>

#include "schedule/by_class.hpp"
#include "schedule/matchings.hpp"

namespace papers {

using namespace core;

namespace {

constexpr Index max_processes = 128;

bool too_large(const Traffic& traffic) {
  return traffic.rows.a.procs * traffic.cols.a.procs > max_processes ||
         traffic.rows.b.procs * traffic.cols.b.procs > max_processes;
}

// Returns the communication grid: a node for each process, and an edge for each message.
std::shared_ptr<const Graph> grid_of(const Traffic& traffic) {
  return std::make_shared<const Graph>(Graph{whole_axis_graph(traffic.rows), whole_axis_graph(traffic.cols)});
}

}  // namespace

std::optional<Schedule> stepwise(const Traffic& traffic) {
  if (too_large(traffic)) return std::nullopt;
  return stepwise_schedule(grid_of(traffic));
}

std::optional<Schedule> greedy(const Traffic& traffic) {
  if (too_large(traffic)) return std::nullopt;
  return greedy_schedule(grid_of(traffic));
}

std::string_view why_no_classes(const Traffic& traffic) {
  for (const Overlap* o : {&traffic.rows, &traffic.cols}) {
    if (!is_cyclic(*o)) return "needs blocks, not partitions";
    if (!has_classes(*o)) return "needs gcd(r, Q) = gcd(s, P) = 1 along each axis";
  }
  return {};
}

std::optional<Schedule> by_class(const Traffic& traffic) { return by_class_schedule(traffic); }

}  // namespace papers
