// SPDX-License-Identifier: BSD-3-Clause
// Repeats a call, each time with a later allocation that fails.
#pragma once

#include <gtest/gtest.h>

#include "allocations.hpp"
#include "ranks.hpp"

namespace xredist::testing {

/// Returns whether this process lacks memory. `victim`: the rank that does, or -1 for all.
inline bool hits(int victim) { return victim < 0 || victim == rank(); }

/// Repeats prepare(), call() and judge(), each time with a later allocation of call() that fails on the victim, until
/// the call has no more allocations, or a test has failed somewhere. Passes to judge(): the result on this process,
/// whether an allocation has failed anywhere (a call can do without some of them), and the number of the allocation.
/// Returns the number of allocations. Collective over MPI_COMM_WORLD.
template <class Prepare, class Call, class Judge>
long fail_each_allocation(int victim, Prepare prepare, Call call, Judge judge) {
  for (long k = 1; k < 2000; ++k) {
    prepare();
    if (hits(victim)) fail_allocation(k);
    const int result = call();
    const bool more = anywhere(stop_failing());
    judge(result, more, k);
    if (anywhere(::testing::Test::HasFailure())) {
      ADD_FAILURE() << "on some process, at allocation " << k;
      return k;
    }
    if (!more) return k - 1;
  }
  ADD_FAILURE() << "there are more than 2000 allocations";
  return 2000;
}

}  // namespace xredist::testing
