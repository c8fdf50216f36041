// SPDX-License-Identifier: BSD-3-Clause
// MatrixMove, the arguments of a redistribution (move.cpp), and the functions that carry it out (redistribute.cpp).
#pragma once

#include "copy/operation.hpp"
#include "copy/redistribution.hpp"
#include "scalapack/question.hpp"

namespace xredist::core {

/// An m x n submatrix of B, and the submatrix of A whose elements it takes.
struct MatrixMove {
  Index m, n;
  std::array<MatrixArguments, 2> matrices;  ///< A and B
  const void* a = nullptr;                  ///< the local arrays
  void* b = nullptr;
  Region region{};
  Operation operation{};
  Scalars scalars{};
  Index bytes;     ///< of an element; not used if the operation knows the types
  Index elements;  ///< a number that stands for the types and the operation: processes compare it

  /// Returns the size of the submatrix of A or B.
  SubmatrixSize size(Which which) const { return size_of(m, n, which == Which::a && operation.transposed); }
};

inline constexpr const char* other_routine = "the routine, UPLO, DIAG or TRANS is not the same on all processes";
/// The fields of a redistribution, as messages of the drop-in name them: M, N, `elements` and the two of `region`.
inline constexpr Field redistribution_fields[] = {
    {{"M"}}, {{"N"}}, {{}, other_routine}, {{}, other_routine}, {{}, other_routine}};

/// The arguments of P?GEMR2D and P?TRMR2D in their order.
inline constexpr std::string_view gemr2d_arguments[] = {"M", "N",  "A",  "IA",    "JA",  "DESCA",
                                                        "B", "IB", "JB", "DESCB", "CTXT"};
inline constexpr std::string_view trmr2d_arguments[] = {"UPLO",  "DIAG", "M",  "N",  "A",     "IA",  "JA",
                                                        "DESCA", "B",    "IB", "JB", "DESCB", "CTXT"};
constexpr std::span<const std::string_view> arguments_of(bool trapezoid) {
  return trapezoid ? std::span<const std::string_view>(trmr2d_arguments) : gemr2d_arguments;
}

/// Returns the question about a redistribution. `routine` has five fields.
Question question_of(const Routine& routine, const MatrixMove& move);

/// Checks M, N and the matrices whose grids have this process. `a`, `b`: the grids of the matrices.
MaybeError arguments_error(const Routine& routine, const MatrixMove& move, const Grid& a, const Grid& b);

/// Whether the caller has checked the arguments of this process.
enum class Arguments { as_passed, checked };

/// Redistributes. Returns when this process's part of B is complete and A may be changed. Throws InvalidRoutineArgument
/// or another failure.
void redistribute(const Caller& caller, const MatrixMove& move, Arguments arguments = Arguments::as_passed);

}  // namespace xredist::core
