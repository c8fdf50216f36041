// SPDX-License-Identifier: BSD-3-Clause
// What a process can check alone.
#pragma once

#include <initializer_list>

#include "scalapack/blacs.hpp"
#include "scalapack/call.hpp"

namespace xredist::core {

/// Which of the operands.
enum class Which { a, b };

/// "argument 1 (M) is 8" and what follows.
Wrong is(const Name& name, Index value, const std::string& rest);
/// What is wrong with a value, which must be at least `least` and at most max_elements.
Wrong out_of_bounds(const Name& name, Index value, Index least);
/// `range` says what the numbers 0 to count - 1 are.
Wrong outside(const Name& name, Index value, Index count, const char* range);

char capital(char letter);
/// `list`: the letters as a reader is told.
Wrong none_of(std::string_view letters, const char* list, const Name& name, char letter);

/// The first error, if there is one.
Wrong first_of(std::initializer_list<Wrong> errors);

/// What is wrong with M and N.
Wrong wrong_size(const Call& call);

/// The first invalid argument of a matrix, if there is one. This process is in `grid`.
Wrong wrong_argument(const Call& call, Which which, const Grid& grid);

}  // namespace xredist::core
