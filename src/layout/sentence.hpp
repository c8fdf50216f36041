// SPDX-License-Identifier: BSD-3-Clause
// Sentences of errors, which need no memory.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>

#include "layout/index.hpp"

namespace xredist::core {

/// A text of at most 511 bytes, as many as a Failure has, to which texts and numbers are appended. More is cut off.
class Text {
 public:
  Text() noexcept {}  // leaves the bytes as they are
  Text(std::string_view text) noexcept { *this << text; }
  Text(const char* text) noexcept { *this << text; }

  [[gnu::cold]] Text& operator<<(std::string_view text) noexcept;
  [[gnu::cold]] Text& operator<<(Index number) noexcept;
  Text& operator<<(std::integral auto number) noexcept { return *this << static_cast<Index>(number); }
  Text& operator<<(char letter) noexcept { return *this << std::string_view(&letter, 1); }

  bool empty() const noexcept { return length_ == 0; }
  std::string_view view() const noexcept { return {text_.data(), length_}; }
  operator std::string_view() const noexcept { return view(); }
  friend bool operator==(const Text& text, std::string_view other) noexcept { return text.view() == other; }

 private:
  std::array<char, 511> text_;  // set up to length_
  std::size_t length_ = 0;
};

}  // namespace xredist::core
