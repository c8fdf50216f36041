// SPDX-License-Identifier: BSD-3-Clause
// Where the library's messages go: what is wrong, and what XREDIST_VERBOSE asks for.
#pragma once

namespace xredist::core {

/// From now on messages go to "stderr", to nowhere ("none"), or to the end of the file that has any other name. Returns
/// false, and changes nothing, if that file cannot be written. Until the first call XREDIST_LOG decides.
bool set_log(const char* place) noexcept;

/// Writes a line that begins with "xredist: ". Allocates nothing, because it also tells of a lack of memory.
[[gnu::format(printf, 1, 2)]] void write_log(const char* format, ...) noexcept;

}  // namespace xredist::core
