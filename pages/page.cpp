// SPDX-License-Identifier: BSD-3-Clause
#include "page.hpp"

namespace xredist::pages {
namespace {

// Returns text for the content of an element. Control characters become blanks.
std::string in_html(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else
      result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return result;
}

}  // namespace

std::string filled(std::string_view page_template, std::string_view title, std::string_view json) {
  constexpr std::string_view title_mark = "{{title}}", data_mark = "{{data}}";
  const std::size_t title_at = page_template.find(title_mark), data_at = page_template.find(data_mark);
  std::string page(page_template.substr(0, title_at));
  page += in_html(title);
  page += page_template.substr(title_at + title_mark.size(), data_at - title_at - title_mark.size());
  page += json;
  page += page_template.substr(data_at + data_mark.size());
  return page;
}

}  // namespace xredist::pages
