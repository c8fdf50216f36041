// SPDX-License-Identifier: BSD-3-Clause
// Replaces operator new of a program, to count what C++ allocates and to let an allocation fail. (MPI and BLACS are
// written in C.) The program has to export its symbols, so that the library calls these too.
#pragma once

namespace xredist::testing {

/// How many there have been.
long allocations();

/// Lets the k-th allocation from now on fail, k >= 1.
void fail_allocation(long k);
/// Lets none fail any more. Whether one has.
bool stop_failing();

}  // namespace xredist::testing
