// SPDX-License-Identifier: BSD-3-Clause
// blacs.h for C++.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "xredist/blacs.h"
#include "xredist/fit.hpp"
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
  check(xredist_plan_create_blacs(ctxt, desca, descb, &passed, &typed, &plan));
  return Plan<A, B>(plan, operation, sizeof(xredist_int));
}

/// A matrix that xredist_fit_blacs has placed: its array descriptor, and the size of the local array.
struct FittedMatrix {
  std::array<xredist_int, 9> desc;
  xredist_int rows, cols;

  bool member() const { return desc[1] >= 0; }
  std::size_t elements() const { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols); }
};

/// Returns the result of xredist_fit_blacs. If one process throws for the lengths of a partition's vectors, the other
/// processes throw that desca is NULL.
inline FittedMatrix fit(xredist_int ctxt, xredist_int m, xredist_int n, const xredist_int* desca,
                        const Rules& rules = rules_for("scalapack"), const Partitions& partitions = {}) {
  FittedMatrix b{};
  xredist_partition rows_a, cols_a;
  try {
    rows_a = detail::described("rows_a", partitions.rows_a);
    cols_a = detail::described("cols_a", partitions.cols_a);
  } catch (...) {  // the other processes wait for this one
    xredist_fit_blacs(ctxt, m, n, nullptr, nullptr, &rules, b.desc.data(), &b.rows, &b.cols);
    throw;
  }
  xredist_partitions passed;
  if (partitions.rows_a) passed.rows_a = &rows_a;
  if (partitions.cols_a) passed.cols_a = &cols_a;
  check(xredist_fit_blacs(ctxt, m, n, desca, &passed, &rules, b.desc.data(), &b.rows, &b.cols));
  return b;
}

/// Copies `count` values from the first process of B's grid to all processes of ctxt (xredist_tell_blacs).
template <class T>
void tell(xredist_int ctxt, const xredist_int* descb, T* values, std::size_t count) {
  static_assert(std::is_trivially_copyable_v<T>, "values are copied as bytes");
  check(xredist_tell_blacs(ctxt, descb, values, static_cast<std::int64_t>(count * sizeof(T))));
}

}  // namespace xredist
