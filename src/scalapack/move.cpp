// SPDX-License-Identifier: BSD-3-Clause
#include "scalapack/move.hpp"

#include <cstddef>
#include <cstring>

#include "scalapack/named_call.hpp"

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

void copy_local(Index bytes, Index m, Index n, const void* a, Index lda, void* b, Index ldb) {
  if (m <= 0) return;
  for (Index j = 0; j < n; ++j)
    std::memcpy(static_cast<std::byte*>(b) + j * ldb * bytes, static_cast<const std::byte*>(a) + j * lda * bytes,
                as_size(m * bytes));
}

}  // namespace xredist::core
