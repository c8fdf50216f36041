// SPDX-License-Identifier: BSD-3-Clause
// allocations.hpp for Fortran programs.
#include "allocations.hpp"

extern "C" void fail_allocation(int k) { xredist::testing::fail_allocation(k); }

extern "C" int stop_failing() { return xredist::testing::stop_failing() ? 1 : 0; }
