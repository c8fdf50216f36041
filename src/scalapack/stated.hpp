// SPDX-License-Identifier: BSD-3-Clause
// The arguments of a call as the watch shows them.
#pragma once

#include "scalapack/move.hpp"
#include "watch/watched.hpp"

namespace xredist::core {

/// Returns the context and the size of a call.
inline CallSize size_in(std::optional<xredist_int> ctxt, Index m, Index n) {
  return {static_cast<std::int32_t>(ctxt.value_or(-1)), m, n};
}
/// Returns the context, and the size that a struct of C has; NULL: no size.
template <class Sized>
CallSize size_in(xredist_int ctxt, const Sized* sized) {
  return size_in(ctxt, sized != nullptr ? sized->m : -1, sized != nullptr ? sized->n : -1);
}

}  // namespace xredist::core
