// SPDX-License-Identifier: BSD-3-Clause
#include "papers/desprez.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "schedule/classes.hpp"
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

Classes classes_of(const Overlap& o) { return Classes(o, Classes::Lone::one); }

// Returns whether the axis is CYCLIC and gcd(r, Q) = gcd(s, P) = 1, r and s without their common divisor.
bool has_classes(const Overlap& o) {
  if (!is_cyclic(o)) return false;
  const Classes classes = classes_of(o);
  return classes.a == 1 && classes.b == 1;
}

// Schedules one axis. P and Q processes are blocks of g; a class has one message from each block to each block and
// process in it, so max(P, Q) / g steps serve all blocks of both sides.
Schedule class_after_class(const Overlap& o) {
  const Classes classes = classes_of(o);
  const Index each = std::max(classes.n, classes.m);
  return {classes.W * each, [classes, each](Coord p, Coord q) {
            return Parts{{classes.t(p.row, q.row) * each + modulo(classes.i(p.row) - classes.j(q.row), each), 1}};
          }};
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

std::optional<Schedule> by_class(const Traffic& traffic) {
  if (!has_classes(traffic.rows) || !has_classes(traffic.cols)) return std::nullopt;
  Schedule cols = class_after_class(traffic.cols);
  return product(class_after_class(traffic.rows), {cols.count, [parts = std::move(cols.parts)](Coord p, Coord q) {
                                                     return parts({p.col, 0}, {q.col, 0});
                                                   }});
}

}  // namespace papers
