// What the values of options are made of.
#pragma once

#include <charconv>
#include <stdexcept>
#include <string>
#include <vector>

namespace networks {

/// Separated by commas.
std::vector<std::string> list(const std::string& text);

/// Throws std::invalid_argument where the text is no number, or one below `least`.
template <class Number>
Number number(const std::string& text, Number least) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value >= least))
    throw std::invalid_argument("no number, or too small: " + text);
  return value;
}

}  // namespace networks
