// SPDX-License-Identifier: BSD-3-Clause
// Agreement and codes for functions that return errors: all processes of the context return the same code.
#pragma once

#include <utility>
#include <variant>

#include "api/compare.hpp"
#include "api/errors.hpp"
#include "scalapack/agree.hpp"

namespace xredist::core {

/// Stands for a descriptor that is NULL.
inline constexpr xredist_int outside_of_grid[] = {1, -1, 0, 0, 0, 0, 0, 0, 0};

/// Returns the value. Throws the error, with the names that the routine has for its arguments.
template <class Value>
Value demanded(const Routine& routine, OrError<Value> result) {
  if (const auto* error = std::get_if<ArgumentError>(&result)) throw InvalidArgument(sentence_of(routine, *error));
  return std::get<Value>(std::move(result));
}

/// Checks the arguments, and has all processes agree on them. `finding`: of the caller's own checks. All processes
/// throw the same exception about the first argument that is wrong on any process, or about a lack of memory.
/// Collective.
CallValues agree_together(const Routine& routine, const MatrixMove& move, const CallView& view, Finding finding,
                          Context& context, Progress& progress);

/// Returns the code that all processes return, which is the highest one of any process. `mine`: the code of this
/// process, which keeps its own sentence. After a failure, the context forgets its rosters.
int common_code(int mine, int highest, Context& context);

}  // namespace xredist::core
