// SPDX-License-Identifier: BSD-3-Clause
// Text in columns.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "layout/axis.hpp"

namespace xschedule {

using xredist::core::Index;
using Row = std::vector<std::string>;

/// Each column is as wide as its widest cell. The first column, and the last if it is text, are aligned to the left,
/// the others to the right.
void print_columns(std::ostream& out, const std::vector<Row>& rows, bool last_is_text = false);

/// A step as the papers write it: a, b, ..., z, aa, ab, ...
std::string letters(Index step);

/// Seconds as microseconds.
std::string microseconds(double seconds);

}  // namespace xschedule
