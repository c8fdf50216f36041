// SPDX-License-Identifier: BSD-3-Clause
#include "copy/redistribution.hpp"

#include <algorithm>

namespace xredist::core {

Index unit_bytes(Index bytes) {
  constexpr Index max_unit = 16;  // the largest element of the kernels that copy
  return std::min(bytes & -bytes, max_unit);
}

Redistribution redistribution_of(const Layout& a, const Layout& b, Index m, Index n, const Region& region, Index bytes,
                                 const Operation& operation) {
  const bool typed = operation.b != Type::bits;
  const Index unit = typed ? bytes : unit_bytes(bytes), units = typed ? 1 : bytes / unit;
  const Axis &rows = operation.transposed ? a.cols : a.rows, &cols = operation.transposed ? a.rows : a.cols;
  return {{Overlap(subdivided(rows, units), subdivided(b.rows, units), m * units), Overlap(cols, b.cols, n)},
          region,
          bytes_of(operation.carried(unit), unit),
          operation,
          units};
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
