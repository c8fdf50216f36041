// SPDX-License-Identifier: BSD-3-Clause
// Exceptions become the codes of xredist.h here and nowhere else.
#pragma once

#include <new>

#include "exchange/errors.hpp"
#include "xredist/xredist.h"

namespace xredist::core {

/// Returns what `body` returns, or the code of the exception that it throws.
template <class Body>
int coded(Body body) noexcept {
  try {
    return body();
  } catch (const std::bad_alloc&) {
    return XREDIST_NO_MEMORY;
  } catch (const BadOption&) {
    return XREDIST_BAD_OPTION;
  } catch (const Disagreement&) {
    return XREDIST_DISAGREEMENT;
  } catch (const Withdrawn& other) {
    return other.for_ever ? XREDIST_DISAGREEMENT : XREDIST_PEER_FAILED;
  }
}

}  // namespace xredist::core
