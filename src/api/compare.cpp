// SPDX-License-Identifier: BSD-3-Clause
#include "api/compare.hpp"

#include <string>

namespace xredist::core {

MaybeError difference_error(const ArgumentRef& argument, Index min, Index max) {
  if (min == max) return {};
  return ArgumentError{argument, std::string(differs) + ": from " + std::to_string(min) + " to " + std::to_string(max)};
}

}  // namespace xredist::core
