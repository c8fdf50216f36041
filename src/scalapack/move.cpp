// SPDX-License-Identifier: BSD-3-Clause
#include "scalapack/move.hpp"

namespace xredist::core {

Question question_of(const Routine& routine, const MatrixMove& move) {
  return {
      routine, move.matrices, {move.m, move.n, move.elements, static_cast<Index>(move.region.kind), move.region.shift}};
}

MaybeError arguments_error(const Routine& routine, const MatrixMove& move, const Grid& a, const Grid& b) {
  if (MaybeError error = size_error(routine, move.m, move.n)) return error;
  const auto error_of = [&](Which which, const Grid& grid) {
    const MatrixArguments& matrix = move.matrices[which == Which::a ? 0 : 1];
    return grid.member() ? matrix_error(routine, matrix, move.size(which), grid) : MaybeError();
  };
  if (MaybeError error = error_of(Which::a, a)) return error;
  return error_of(Which::b, b);
}

}  // namespace xredist::core
