// SPDX-License-Identifier: BSD-3-Clause
#include "copy/redistribution.hpp"

namespace xredist::core {

Redistribution redistribution_of(const Layout& a, const Layout& b, Index m, Index n, const Region& region, Index bytes,
                                 const Operation& operation) {
  const Axis &rows = operation.transposed ? a.cols : a.rows, &cols = operation.transposed ? a.rows : a.cols;
  return {{Overlap(rows, b.rows, m), Overlap(cols, b.cols, n)},
          region,
          bytes_of(operation.carried(bytes), bytes),
          operation};
}

bool updates(const Redistribution& redistribution, const Scalars& scalars) {
  const Operation& operation = redistribution.operation;
  return operation.carried(redistribution.bytes) != operation.b || operation.conjugated || scalars.alpha != 1.0 ||
         scalars.beta != 0.0;
}

bool is_copy(const Redistribution& redistribution, const Scalars& scalars) {
  const Operation& operation = redistribution.operation;
  return !operation.transposed && !operation.narrows(redistribution.bytes) && !updates(redistribution, scalars);
}

}  // namespace xredist::core
