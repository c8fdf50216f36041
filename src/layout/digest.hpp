// SPDX-License-Identifier: BSD-3-Clause
// One number that stands for many.
#pragma once

#include <cstdint>
#include <string_view>

#include "layout/index.hpp"

namespace xredist::core {

/// A hash of numbers: equal numbers in equal order have the same hash, in all versions of the library.
class Digest {
 public:
  void add(Index value) {
    sum_ = (sum_ ^ static_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15;
    sum_ ^= sum_ >> 29;
  }
  void add(std::string_view text) {
    for (const char letter : text) add(Index{static_cast<unsigned char>(letter)});
  }
  std::uint64_t sum() const { return sum_; }
  /// Returns a number in 1 .. 2^62, which may be negated.
  Index number() const { return static_cast<Index>(sum_ >> 2) + 1; }

 private:
  std::uint64_t sum_ = 1;
};

}  // namespace xredist::core
