// SPDX-License-Identifier: BSD-3-Clause
#include "work.hpp"

static long blocks = 0;

// The compiler calls this function in each basic block of files with -fsanitize-coverage=trace-pc.
extern "C" void __sanitizer_cov_trace_pc();
extern "C" void __sanitizer_cov_trace_pc() { ++blocks; }

long xredist::testing::blocks_run() { return blocks; }
