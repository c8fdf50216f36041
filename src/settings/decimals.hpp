// SPDX-License-Identifier: BSD-3-Clause
// Numbers with a decimal point, in text that people and other programs read. A program may have chosen a locale
// (setlocale, std::locale::global) in which printf writes 1,5 and a stream 1.000.000: these functions have none.
#pragma once

#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace xredist::core {

namespace detail {

inline std::string written(double x, std::chars_format format, int precision) {
  std::array<char, 400> text;  // the longest double without an exponent has 310 digits and a sign
  const auto [end, failed] = std::to_chars(text.data(), text.data() + text.size(), x, format, precision);
  return failed == std::errc{} ? std::string(text.data(), end) : std::string();
}

}  // namespace detail

/// Returns a number with at most 80 decimals, as printf writes "%.3f" in the locale C.
inline std::string with_decimals(double x, int decimals) {
  return detail::written(x, std::chars_format::fixed, decimals);
}

/// Returns a number with so many digits, as printf writes "%.3g" in the locale C.
inline std::string with_digits(double x, int digits) { return detail::written(x, std::chars_format::general, digits); }

/// Returns the number that is the whole text; nothing if the text is something else.
inline std::optional<double> number_of(std::string_view text) {
  double x = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (failed != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return x;
}

}  // namespace xredist::core
