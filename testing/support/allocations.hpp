// SPDX-License-Identifier: BSD-3-Clause
// Replaces operator new in a program, to count the allocations of C++ code and to let one of them fail. (MPI and BLACS
// are written in C.) The program must export its symbols (ENABLE_EXPORTS), so that the library calls them too.
#pragma once

namespace xredist::testing {

/// Returns the number of allocations so far.
long allocations();

/// Returns the bytes of the largest allocation since the last call of this function.
long largest_allocation();

/// Makes the k-th allocation from now fail, k >= 1.
void fail_allocation(long k);
/// Makes no later allocation fail. Returns true if one has failed.
bool stop_failing();

/// Sets whether allocations count, and may fail, from now on. Returns whether they did so far.
bool count_allocations(bool counted);

/// Sets in its scope whether allocations count, and may fail.
class Counting {
 public:
  Counting(const Counting&) = delete;
  Counting& operator=(const Counting&) = delete;

 protected:
  explicit Counting(bool counted) : before_(count_allocations(counted)) {}
  ~Counting() { count_allocations(before_); }

 private:
  bool before_;
};
/// Allocations in its scope count, and may fail: those of the library.
struct Counted : Counting {
  Counted() : Counting(true) {}
};
/// Allocations in its scope do not count, and do not fail: those of a simulation.
struct Uncounted : Counting {
  Uncounted() : Counting(false) {}
};

}  // namespace xredist::testing
