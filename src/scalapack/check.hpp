// SPDX-License-Identifier: BSD-3-Clause
// Checks of a process alone.
#pragma once

#include <string>
#include <string_view>

#include "scalapack/blacs.hpp"
#include "scalapack/call.hpp"

namespace xredist::core {

enum class Which { a, b };

/// Returns the error "argument 1 (M) is 8", followed by `rest`.
Checked value_error(const ArgumentRef& argument, Index value, const std::string& rest);
/// Checks that a value is at least `min` and at most the largest size.
Checked bounds_error(const ArgumentRef& argument, Index value, Index min);
/// Checks that a value is one of 0 to count - 1, which `range` describes.
Checked range_error(const ArgumentRef& argument, Index value, Index count, const char* range);

char capital(char letter);
/// Checks that a letter is one of `letters`, which messages call `list`.
Checked letter_error(std::string_view letters, const char* list, const ArgumentRef& argument, char letter);

/// Checks M and N.
Checked size_error(const Call& call);

/// Checks the arguments of a matrix. This process is in `grid`.
Checked matrix_error(const Call& call, Which which, const Grid& grid);

}  // namespace xredist::core
