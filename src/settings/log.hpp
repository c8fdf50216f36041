// SPDX-License-Identifier: BSD-3-Clause
// The library's log: errors, and the lines that XREDIST_VERBOSE and XREDIST_REPORT ask for.
#pragma once

namespace xredist::core {

/// Sends all further messages to "stderr", to nowhere ("none"), or to the end of the file with any other name. Returns
/// false, and changes nothing, if that file cannot be written. Until the first call XREDIST_LOG decides.
bool set_log(const char* place) noexcept;

/// Writes a line that begins with "xredist: ". Allocates nothing, because it also reports a lack of memory.
[[gnu::format(printf, 1, 2)]] void write_log(const char* format, ...) noexcept;

}  // namespace xredist::core
