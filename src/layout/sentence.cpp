// SPDX-License-Identifier: BSD-3-Clause
#include "layout/sentence.hpp"

#include <charconv>
#include <iterator>

namespace xredist::core {

Text& Text::operator<<(std::string_view text) noexcept {
  length_ += text.copy(text_.data() + length_, text_.size() - length_);
  return *this;
}

Text& Text::operator<<(Index number) noexcept {
  char digits[24];
  return *this << std::string_view(digits, std::to_chars(digits, std::end(digits), number).ptr);
}

}  // namespace xredist::core
