// What a process can say of its arguments alone.
#pragma once

#include <initializer_list>
#include <string>

#include "scalapack/blacs.hpp"
#include "scalapack/call.hpp"

namespace xredist::core {

/// Which of the operands.
enum class Which { a, b };

/// What is wrong with a value, or an empty string.
std::string too_small(const Call& call, const Name& name, Index value, Index least);
/// `range` is what 0 .. count - 1 are.
std::string outside(const Call& call, const Name& name, Index value, Index count, const char* range);

/// The first that is not empty, or an empty string.
std::string first_of(std::initializer_list<std::string> errors);

/// The first argument of a matrix that cannot be right and why, or an empty string. `grid` has this process.
std::string wrong_argument(const Call& call, Which which, const Grid& grid);

}  // namespace xredist::core
