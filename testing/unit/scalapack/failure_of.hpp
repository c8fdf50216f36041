// SPDX-License-Identifier: BSD-3-Clause
// The failure of a call that must fail.
#pragma once

#include <gtest/gtest.h>

#include "api/failure.hpp"
#include "simulation.hpp"

namespace xredist::testing {

/// Returns the failure that `call` throws on this process. A call that returns fails the test.
template <class Call>
core::Failure failure_of(Call call) {
  try {
    call();
  } catch (const core::Failure& failure) {
    return failure;
  }
  ADD_FAILURE() << "no failure on process " << own_rank();
  return {XREDIST_SUCCESS, ""};
}

}  // namespace xredist::testing
