// SPDX-License-Identifier: BSD-3-Clause
// One error in a call of PDGEMR2D.
#include "misuse.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "allocations.hpp"
#include "grid.hpp"
#include "xredist/scalapack.h"

namespace {

using xredist::testing::Context;
using xredist::testing::rank;
using xredist::testing::row_major;

constexpr int n = 10;
std::vector<double> b((n + 1) * n, -1.0);

// A correct call from a 2x1 grid to a 1x2 grid, or from one process to the other.
struct Setting {
  Context context_a, context_b, all;
  xredist_int m = n, cols = n, ia = 1, ja = 1, ib = 1, jb = 1, ctxt = all.handle();
  std::vector<double> a = std::vector<double>(n * n, 1.0);
  double* a_data = a.data();
  xredist_int desca[9], descb[9];

  explicit Setting(const std::string& error) : Setting(error.starts_with("apart:")) {}
  explicit Setting(bool apart)
      : context_a(apart ? row_major(1, 1) : row_major(2, 1)),
        context_b(apart ? row_major(1, 1, 1) : row_major(1, 2)),
        all(row_major(1, 2)) {
    const xredist_int common[9] = {1, -1, n, n, 2, 2, 0, 0, n};
    std::copy_n(common, 9, desca);
    std::copy_n(common, 9, descb);
    desca[1] = context_a.handle();
    descb[1] = context_b.handle();
  }
};

// The context leaves out one of the three processes that hold A; that process does not call.
void uncovered(Setting&) {
  const Context grid(row_major(1, 3)), context(row_major(1, 2));
  const xredist_int desc[9] = {1, grid.handle(), n, n, 2, 2, 0, 0, n};
  const std::vector<double> a(n * n, 1.0);
  if (context.member()) Cpdgemr2d(n, n, a.data(), 1, 1, desc, b.data(), 1, 1, desc, context.handle());
  MPI_Barrier(MPI_COMM_WORLD);  // the error ends it here; a process in MPI_Finalize might not be ended by Open MPI
}

// Only one process: if all lacked memory, each would print an error, because none knows of the others.
void little_memory(Setting&) {
  const rlimit limit{rlim_t{1} << 31, rlim_t{1} << 31};
  if (rank() == 1) setrlimit(RLIMIT_AS, &limit);
}

// The k-th allocation of the call fails, on one process.
void fail_allocation(long k) {
  if (rank() == 1) xredist::testing::fail_allocation(k);
}

const xredist::testing::Errors<Setting> errors = {
    {"none", [](Setting&) {}},
    {"m-negative", [](Setting& s) { s.m = -2; }},
    {"n-negative", [](Setting& s) { s.cols = -1; }},
    {"ia-zero", [](Setting& s) { s.ia = 0; }},
    {"jb-zero", [](Setting& s) { s.jb = 0; }},
    {"m-too-large", [](Setting& s) { s.ia = 4, s.m = 8; }},
    {"n-too-large", [](Setting& s) { s.jb = 10, s.cols = 2; }},
    {"mb-zero", [](Setting& s) { s.desca[4] = 0; }},
    {"nb-negative", [](Setting& s) { s.descb[5] = -64; }},
    {"rsrc-outside", [](Setting& s) { s.desca[6] = 2; }},
    {"csrc-negative", [](Setting& s) { s.descb[7] = -1; }},
    {"lld-small", [](Setting& s) { s.descb[8] = n - 1; }},
    {"lld-small-on-one", [](Setting& s) { s.descb[8] = rank() == 1 ? 3 : n; }},
    {"a-null", [](Setting& s) { s.a_data = nullptr; }},
    {"ctxt-invalid", [](Setting& s) { s.ctxt = -1; }},
    {"ctxt-never-existed", [](Setting& s) { s.ctxt = 4711; }},
    {"little-memory", little_memory},
    {"allocation-1", [](Setting&) { fail_allocation(1); }},
    {"allocation-3", [](Setting&) { fail_allocation(3); }},
    {"allocation-9", [](Setting&) { fail_allocation(9); }},
    {"allocation-27", [](Setting&) { fail_allocation(27); }},
    {"m-differs", [](Setting& s) { s.m = n - rank(); }},
    // Not an error, because each process is within its own M_; ScaLAPACK's routine accepts it too.
    {"desc-m-differs", [](Setting& s) { s.descb[2] = n + rank(), s.descb[8] = n + 1; }},
    // These can be seen only where the processes have to communicate to agree:
    {"apart:m-differs", [](Setting& s) { s.m = n - rank(); }},
    {"apart:b-nowhere", [](Setting& s) { s.descb[1] = -1; }},
    {"apart:nb-zero", [](Setting& s) { s.descb[5] = 0; }},
    {"uncovered", uncovered},
#ifdef XREDIST_ILP64
    {"m-below-32-bits", [](Setting& s) { s.m = -5'000'000'000; }},
    {"m-beyond-32-bits", [](Setting& s) { s.m = (xredist_int{1} << 32) + n; }},
    {"ja-beyond-32-bits", [](Setting& s) { s.ja = 6'000'000'000; }},
    {"rsrc-beyond-32-bits", [](Setting& s) { s.desca[6] = xredist_int{1} << 32; }},
    {"lld-small-for-64-bits", [](Setting& s) { s.desca[2] = xredist_int{1} << 33; }},
    {"apart:m-differs-beyond-32-bits",
     [](Setting& s) {
       s.desca[2] = s.descb[2] = s.desca[8] = s.descb[8] = 9'000'000'000, s.m = 8'000'000'000 + rank();
     }},
    {"m-largest", [](Setting& s) { s.m = std::numeric_limits<xredist_int>::max(); }},
    {"ia-largest", [](Setting& s) { s.ia = std::numeric_limits<xredist_int>::max(); }},
    {"ib-least", [](Setting& s) { s.ib = std::numeric_limits<xredist_int>::min(); }},
    {"nb-largest", [](Setting& s) { s.descb[5] = std::numeric_limits<xredist_int>::max(); }},
    {"m-by-n-beyond-64-bits", [](Setting& s) { s.m = s.cols = xredist_int{1} << 40; }},
    {"ctxt-beyond-32-bits", [](Setting& s) { s.ctxt += xredist_int{1} << 32; }},
#endif
};

void call(const Setting& s) {
  Cpdgemr2d(s.m, s.cols, s.a_data, s.ia, s.ja, s.desca, b.data(), s.ib, s.jb, s.descb, s.ctxt);
}

}  // namespace

bool xredist::testing::untouched() {
  return std::ranges::all_of(b, [](double x) { return x == -1.0; });
}

int main(int argc, char** argv) { return xredist::testing::misuse(argc, argv, errors, call); }
