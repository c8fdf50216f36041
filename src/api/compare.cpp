// SPDX-License-Identifier: BSD-3-Clause
#include "api/compare.hpp"

#include <string>

namespace xredist::core {

MaybeError difference_error(const Field& field, Index min, Index max) {
  if (min == max) return {};
  if (field.difference != nullptr) return ArgumentError{field.name, field.difference};
  return ArgumentError{field.name,
                       std::string(differs) + ": from " + std::to_string(min) + " to " + std::to_string(max)};
}

}  // namespace xredist::core
