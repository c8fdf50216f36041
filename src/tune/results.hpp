// SPDX-License-Identifier: BSD-3-Clause
// The file of XREDIST_TUNED, which keeps what trials have found for later runs.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "plan/plan.hpp"

namespace xredist::core {

/// Returns a text without blanks that names a case: sizes, distributions, options that are set, and the numbers of
/// processes and nodes. Equal on all processes.
std::string key_of(const Redistribution& redistribution, std::span<const int> ranks_a, std::span<const int> ranks_b,
                   const Options& options, const Links& links);

/// Returns the settings of the last line with this key, or nothing. A file that is not there has no lines. What is not
/// a regular file, lines of other versions and damaged lines are ignored, with one message in the log.
std::optional<std::string> known_settings(const std::string& file, const std::string& key);

/// Appends a line. Logs a message if the whole line cannot be written to a regular file.
void keep_settings(const std::string& file, const std::string& key, const std::string& settings, double seconds);

}  // namespace xredist::core
