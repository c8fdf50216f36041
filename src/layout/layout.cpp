// SPDX-License-Identifier: BSD-3-Clause
#include "layout/layout.hpp"

#include <algorithm>
#include <memory>

#include "layout/partition.hpp"

namespace xredist::core {

Axis subdivided(const Axis& axis, Index parts) {
  if (parts == 1) return axis;
  const Index first = axis.first * parts;
  if (const Partition* partition = axis.partition())
    return {std::make_shared<const Partition>(partition->subdivided(parts)), first};
  return {std::min(axis.block(), max_elements / parts) * parts, axis.procs, axis.source(), first};
}

Region trapezoid(char uplo, char diag, Index m, Index n) {
  if (uplo == 'U' || uplo == 'u') {
    const Index strict = diag == 'N' || diag == 'n' ? 0 : 1;
    return {Region::Kind::upper, std::max<Index>(m - n, 0) - strict};
  }
  const Index strict = diag == 'U' || diag == 'u' ? 1 : 0;
  return {Region::Kind::lower, strict - std::max<Index>(n - m, 0)};
}

Interval rows_of(const Region& region, Index j, Index m) {
  switch (region.kind) {
    case Region::Kind::upper: return {0, std::clamp<Index>(j + region.shift + 1, 0, m)};
    case Region::Kind::lower: return {std::clamp<Index>(j + region.shift, 0, m), m};
    case Region::Kind::all: break;
  }
  return {0, m};
}

bool meets(const Region& region, const Interval& rows, const Interval& cols) {
  switch (region.kind) {
    case Region::Kind::upper: return rows.begin - (cols.end - 1) <= region.shift;
    case Region::Kind::lower: return (rows.end - 1) - cols.begin >= region.shift;
    case Region::Kind::all: break;
  }
  return true;
}

bool covers(const Region& region, const Interval& rows, const Interval& cols) {
  switch (region.kind) {
    case Region::Kind::upper: return (rows.end - 1) - cols.begin <= region.shift;
    case Region::Kind::lower: return rows.begin - (cols.end - 1) >= region.shift;
    case Region::Kind::all: break;
  }
  return true;
}

}  // namespace xredist::core
