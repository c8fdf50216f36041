// SPDX-License-Identifier: BSD-3-Clause
// Work as a count: unlike a time, it is equal in every run, however busy the computer is.
#pragma once

namespace xredist::testing {

/// Returns the number of basic blocks that this process has run, of files compiled for it (CMakeLists.txt). About a
/// nanosecond each.
long blocks_run();

/// Returns the basic blocks that `body` runs.
template <class Body>
long work_of(Body body) {
  const long before = blocks_run();
  body();
  return blocks_run() - before;
}

}  // namespace xredist::testing
