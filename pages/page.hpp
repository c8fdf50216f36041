// SPDX-License-Identifier: BSD-3-Clause
// Self-contained pages of HTML: data, and the script that draws them. A page loads nothing.
#pragma once

#include <string>
#include <string_view>

namespace xredist::pages {

/// Templates (embed.cmake), in which {{title}} and {{data}} stand for a title and for JSON.
extern const char* const trial_template;
extern const char* const schedule_template;

/// Returns a page. `title` is text. `json`: the data, in which core::json_text() has escaped all texts.
std::string filled(std::string_view page_template, std::string_view title, std::string_view json);

}  // namespace xredist::pages
