// SPDX-License-Identifier: BSD-3-Clause
#include "layout/axis.hpp"

#include "layout/arithmetic.hpp"

namespace xredist::core {

Index owner(const Axis& axis, Index k) { return ((axis.first + k) / axis.block + axis.source) % axis.procs; }

Index local_count(const Axis& axis, Index p, Index n) {
  const Index turn = modulo(p - axis.source, axis.procs);  // p's place in the deal
  const Index full = n / axis.block;
  const Index own = full / axis.procs + (turn < full % axis.procs ? 1 : 0);
  return own * axis.block + (turn == full % axis.procs ? n % axis.block : 0);
}

BlockWalk::BlockWalk(const Axis& axis, Index p, Index k) : block_(axis.block), stride_(axis.block * axis.procs) {
  const Index here = (axis.first + k) / axis.block;
  const Index ahead = modulo(p - here - axis.source, axis.procs);
  start_ = (here + ahead) * axis.block - axis.first;
  local_ = (here + ahead) / axis.procs * axis.block;
}

}  // namespace xredist::core
