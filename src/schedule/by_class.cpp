// SPDX-License-Identifier: BSD-3-Clause
#include "schedule/by_class.hpp"

#include <algorithm>
#include <utility>

#include "schedule/classes.hpp"

namespace xredist::core {
namespace {

Classes classes_of(const Overlap& o) { return Classes(o, Classes::Lone::one); }

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

bool has_classes(const Overlap& o) {
  if (!is_cyclic(o)) return false;
  const Classes classes = classes_of(o);
  return classes.a == 1 && classes.b == 1;
}

std::optional<Schedule> by_class_schedule(const Traffic& traffic) {
  if (!has_classes(traffic.rows) || !has_classes(traffic.cols)) return std::nullopt;
  Schedule cols = class_after_class(traffic.cols);
  return product(class_after_class(traffic.rows), {cols.count, [parts = std::move(cols.parts)](Coord p, Coord q) {
                                                     return parts({p.col, 0}, {q.col, 0});
                                                   }});
}

}  // namespace xredist::core
