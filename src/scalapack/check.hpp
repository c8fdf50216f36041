// What a process can check alone.
#pragma once

#include <initializer_list>
#include <string>

#include "scalapack/blacs.hpp"
#include "scalapack/call.hpp"

namespace xredist::core {

/// Which of the operands.
enum class Which { a, b };

/// What is wrong with a value, or an empty string. It must be at least `least` and at most most_elements.
std::string out_of_bounds(const Call& call, const Name& name, Index value, Index least);
/// `range` says what the numbers 0 to count - 1 are.
std::string outside(const Call& call, const Name& name, Index value, Index count, const char* range);

/// The first text that is not empty, or an empty one.
std::string first_of(std::initializer_list<std::string> errors);

/// What is wrong with M and N, or an empty string.
std::string wrong_size(const Call& call);

/// Names the first invalid argument of a matrix and says why; empty if there is none. This process is in `grid`.
std::string wrong_argument(const Call& call, Which which, const Grid& grid);

}  // namespace xredist::core
