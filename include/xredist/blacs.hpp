// SPDX-License-Identifier: BSD-3-Clause
// blacs.h for C++.
#pragma once

#include "xredist/blacs.h"
#include "xredist/xredist.hpp"

namespace xredist {

/// Partitions of the dimensions of A and B, as xredist_partitions.
struct Partitions {
  std::optional<Partition> rows_a = std::nullopt, cols_a = std::nullopt;
  std::optional<Partition> rows_b = std::nullopt, cols_b = std::nullopt;
};

/// Returns a plan for a BLACS context and array descriptors (xredist_plan_create_blacs).
template <class A = void, class B = A>
Plan<A, B> make_plan(xredist_int ctxt, const xredist_int* desca, const xredist_int* descb, const Operation& operation,
                     const Partitions& partitions = {}) {
  const xredist_partition in_c[] = {
      detail::described("rows_a", partitions.rows_a), detail::described("cols_a", partitions.cols_a),
      detail::described("rows_b", partitions.rows_b), detail::described("cols_b", partitions.cols_b)};
  const auto pointer = [&in_c](int i) { return in_c[i].bounds != nullptr ? &in_c[i] : nullptr; };
  xredist_partitions passed;
  passed.rows_a = pointer(0), passed.cols_a = pointer(1);
  passed.rows_b = pointer(2), passed.cols_b = pointer(3);
  const Operation typed = Plan<A, B>::with_types(operation, sizeof(xredist_int));
  xredist_plan* plan = nullptr;
  check(xredist_plan_create_blacs(ctxt, desca, descb, &typed, &passed, &plan));
  return Plan<A, B>(plan, operation, sizeof(xredist_int));
}

}  // namespace xredist
