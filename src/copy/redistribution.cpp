// SPDX-License-Identifier: BSD-3-Clause
#include "copy/redistribution.hpp"

#include <algorithm>
#include <utility>

namespace xredist::core {

Index unit_bytes(Index bytes) {
  constexpr Index max_unit = 16;  // the largest element of the kernels that copy
  return std::min(bytes & -bytes, max_unit);
}

namespace {

// Returns a redistribution of elements of the matrices. a, b: the rows of either side.
Redistribution in_units(const Axis& a, const Axis& b, Index rows, Overlap cols, const Region& region, Index bytes,
                        const Operation& operation) {
  const bool typed = operation.b != Type::bits;
  const Index unit = typed ? bytes : unit_bytes(bytes), units = typed ? 1 : bytes / unit;
  return {{Overlap(subdivided(a, units), subdivided(b, units), rows * units), std::move(cols)},
          region,
          bytes_of(operation.carried(unit), unit),
          operation,
          units};
}

}  // namespace

Redistribution redistribution_of(const Layout& a, const Layout& b, Index m, Index n, const Region& region, Index bytes,
                                 const Operation& operation) {
  const Axis &rows = operation.transposed ? a.cols : a.rows, &cols = operation.transposed ? a.rows : a.cols;
  return in_units(rows, b.rows, m, Overlap(cols, b.cols, n), region, bytes, operation);
}

Redistribution redistribution_of(const Traffic& traffic, Index bytes, const Operation& operation) {
  const auto& [rows, cols] = traffic;
  return in_units(rows.a, rows.b, rows.n, cols, {}, bytes, operation);
}

namespace {

bool copies(Type from, const Operation& operation, const Scalars& scalars) {
  return from == operation.b && !operation.conjugated && scalars.alpha == 1.0 && scalars.beta == 0.0;
}

}  // namespace

std::optional<Update> update_by(Type from, const Redistribution& redistribution, const Scalars& scalars) {
  const Operation& operation = redistribution.operation;
  if (copies(from, operation, scalars)) return std::nullopt;
  return Update(from, operation.b, operation.conjugated, scalars);
}

bool is_copy(const Redistribution& redistribution, const Scalars& scalars) {
  const Operation& operation = redistribution.operation;
  return !operation.transposed && !operation.real_diagonal && copies(operation.a, operation, scalars);
}

}  // namespace xredist::core
