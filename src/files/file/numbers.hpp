// SPDX-License-Identifier: BSD-3-Clause
// Numbers of axes, and their products.
#pragma once

#include <array>
#include <span>

#include "layout/layout.hpp"

namespace xredist::files {

using namespace core;

/// The maximum number of axes of an array, as in array.h.
inline constexpr int max_dims = 15;

/// A number for each axis of an array. Axes that the array lacks have 0.
using Sizes = std::array<Index, max_dims>;

/// Returns whether an array has 2^59 elements or more, or its first axes together.
inline bool too_large(std::span<const Index> shape) {
  Index elements = 1;
  for (const Index n : shape) {
    if (core::too_large(elements, n)) return true;
    elements *= n;
  }
  return false;
}

/// Returns the number of elements of an array that is not too large.
constexpr Index elements_of(std::span<const Index> shape) {
  Index elements = 1;
  for (const Index n : shape) elements *= n;
  return elements;
}

}  // namespace xredist::files
