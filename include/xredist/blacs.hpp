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

/// Returns a plan for a BLACS context and array descriptors (xredist_plan_create_blacs). If one process throws for the
/// types, or for the lengths of a partition's vectors, the other processes throw that operation is NULL.
template <class A = void, class B = A>
Plan<A, B> make_plan(xredist_int ctxt, const xredist_int* desca, const xredist_int* descb, const Operation& operation,
                     const Partitions& partitions = {}) {
  xredist_partition rows_a, cols_a, rows_b, cols_b;
  Operation typed;
  xredist_plan* plan = nullptr;
  try {
    rows_a = detail::described("rows_a", partitions.rows_a), cols_a = detail::described("cols_a", partitions.cols_a);
    rows_b = detail::described("rows_b", partitions.rows_b), cols_b = detail::described("cols_b", partitions.cols_b);
    typed = Plan<A, B>::with_types(operation, sizeof(xredist_int));
  } catch (...) {  // the other processes wait for this one
    xredist_plan_create_blacs(ctxt, desca, descb, nullptr, nullptr, &plan);
    throw;
  }
  const auto pointer = [](const xredist_partition& x) { return x.bounds != nullptr ? &x : nullptr; };
  xredist_partitions passed;
  passed.rows_a = pointer(rows_a), passed.cols_a = pointer(cols_a);
  passed.rows_b = pointer(rows_b), passed.cols_b = pointer(cols_b);
  check(xredist_plan_create_blacs(ctxt, desca, descb, &typed, &passed, &plan));
  return Plan<A, B>(plan, operation, sizeof(xredist_int));
}

}  // namespace xredist
