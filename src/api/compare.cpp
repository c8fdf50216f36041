// SPDX-License-Identifier: BSD-3-Clause
#include "api/compare.hpp"

namespace xredist::core {

MaybeError difference_error(const Field& field, Index min, Index max) {
  if (min == max) return {};
  if (field.difference != nullptr) return ArgumentError{field.name, field.difference};
  return ArgumentError{field.name, Text() << differs << ": from " << min << " to " << max};
}

}  // namespace xredist::core
