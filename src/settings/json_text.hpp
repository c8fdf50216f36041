// SPDX-License-Identifier: BSD-3-Clause
// JSON that other programs read, and that may stand in a page of HTML.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

namespace xredist::core {

namespace detail {

// Returns the length of the valid UTF-8 sequence at the beginning of a text, 0 if there is none.
inline std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  const std::size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte(k) & 0xc0) != 0x80) return 0;
  // Overlong forms, surrogates, and numbers above 0x10ffff.
  const bool wrong = (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
                     (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
  return wrong ? 0 : length;
}

}  // namespace detail

/// Returns a JSON string. Control characters, and the characters that have a meaning in HTML, are escaped by their
/// numbers. U+FFFD replaces bytes that are not UTF-8, as in names of files.
inline std::string json_text(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef", in_html = "<>&'";
  std::string result = "\"";
  while (!text.empty()) {
    const std::size_t length = detail::utf8_length(text);
    const char c = text.front();
    const std::size_t code = static_cast<unsigned char>(c);
    if (length == 0)
      result += "\\ufffd";
    else if (c == '"' || c == '\\')
      result.append("\\").append(1, c);
    else if (length == 1 && (code < ' ' || code == 127 || in_html.find(c) != in_html.npos))
      result.append("\\u00").append(1, digits[code / 16]).append(1, digits[code % 16]);
    else
      result.append(text.substr(0, length));
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result + "\"";
}

/// Returns a member of an object. `value` is JSON.
inline std::string member(std::string_view name, std::string_view value) {
  return json_text(name).append(": ").append(value);
}

/// Returns an object of members.
template <class Members = std::initializer_list<std::string>>
std::string json_object(const Members& members) {
  std::string result;
  for (const std::string& one : members) result.append(result.empty() ? "{" : ", ").append(one);
  return result.empty() ? "{}" : result + "}";
}

/// Returns an array with a line for each value. `values` are JSON.
template <class Values>
std::string json_lines(const Values& values) {
  std::string result;
  for (const std::string& value : values) result.append(result.empty() ? "[\n" : ",\n").append(value);
  return result.empty() ? "[]" : result + "\n]";
}

}  // namespace xredist::core
