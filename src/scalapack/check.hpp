// The arguments of one matrix on a process of its grid.
#pragma once

#include <string>

#include "scalapack/blacs.hpp"
#include "scalapack/call.hpp"

namespace xredist {

/// Which of the operands.
enum class Which { a, b };

/// The first argument that cannot be right and why, or an empty string. `grid` has this process.
std::string wrong_argument(const Call& call, Which which, const Grid& grid);

}  // namespace xredist
