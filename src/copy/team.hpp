// SPDX-License-Identifier: BSD-3-Clause
// Threads that share the work of a calling thread. They sleep between calls of the library. Packer::threads_for
// (packer.cpp) decides how many threads share a chunk.
#pragma once

#include <functional>

#include "layout/index.hpp"

namespace xredist::core {

/// Calls function(k) for k from 0 to count - 1, on the calling thread and on up to threads - 1 helpers, which belong to
/// the calling thread. `function` must not throw, and must not call in_parallel(). The caller waits only for shares
/// that a helper has begun, so helpers without a core delay little.
void in_parallel(int count, int threads, const std::function<void(int)>& function);

/// Returns how many of `threads` threads have a core of their own: the caller, and one helper for each core on which
/// nothing runs. Looks for idle cores at most every 10 ms. Returns `threads` where the system does not tell (other than
/// Linux).
Index threads_with_cores(Index threads);

}  // namespace xredist::core
