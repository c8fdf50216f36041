// SPDX-License-Identifier: BSD-3-Clause
// Work as a count: unlike a time, it is equal in every run, however busy the computer is.
#pragma once

namespace xredist::testing {

/// Returns the number of basic blocks that this process has run, in files that CMakeLists.txt compiles to count
/// them. A basic block takes about a nanosecond.
long blocks_run();

/// Returns the basic blocks that `body` runs.
template <class Body>
long work_of(Body body) {
  const long before = blocks_run();
  body();
  return blocks_run() - before;
}

}  // namespace xredist::testing
