// SPDX-License-Identifier: BSD-3-Clause
// Errors in calls of P?GEMR2D.
#include <mpi.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "grid.hpp"
#include "verdict.hpp"
#include "xredist/scalapack.h"

namespace xredist::testing {
namespace {

constexpr int n = 10;

// A correct call from a 2x1 grid to a 1x2 grid.
struct Setting {
  Context context_a, context_b, all{row_major(1, 2)};
  std::unique_ptr<Context> three;
  xredist_int m = n, cols = n, ia = 1, ja = 1, ib = 1, jb = 1, ctxt = all.handle();
  std::vector<double> a = std::vector<double>(n * n, 1.0), b = std::vector<double>((n + 1) * n, -1.0);
  const double* a_data = a.data();
  xredist_int desca[9] = {1, context_a.handle(), n, n, 2, 2, 0, 0, n};
  xredist_int descb[9] = {1, context_b.handle(), n, n, 2, 2, 0, 0, n};

  Setting() : Setting(row_major(2, 1), row_major(1, 2)) {}
  Setting(const GridShape& from, const GridShape& to) : context_a(from), context_b(to) {}

  void call() { Cpdgemr2d(m, cols, a_data, ia, ja, desca, b.data(), ib, jb, descb, ctxt); }
  bool untouched() const {
    return std::ranges::all_of(b, [](double x) { return x == -1.0; });
  }
};

// A is on process 0, B on process 1: the processes have to communicate to agree.
struct Apart : Setting {
  Apart() : Setting(row_major(1, 1), row_major(1, 1, 1)) {}
};

// The context lacks one of the three processes of A's grid.
void leave_out_one(Setting& s) {
  s.three = std::make_unique<Context>(row_major(1, 3));
  s.desca[1] = s.three->handle();
}

// A correct call, after which all processes know the context: then an error can be found without communication.
void call_once(Setting& s) {
  if (s.all.member()) s.call();
  std::ranges::fill(s.b, -1.0);
}

TEST(Gemr2d, NamesTheWrongArgument) {
  expect_ends<Setting>({
      {"none", [](Setting&) {}, ""},
      {"m-negative", [](Setting& s) { s.m = -2; }, "PDGEMR2D: argument 1 (M) is -2"},
      {"n-negative", [](Setting& s) { s.cols = -1; }, "argument 2 (N) is -1"},
      {"ia-zero", [](Setting& s) { s.ia = 0; }, "argument 4 (IA) is 0, must be at least 1"},
      {"jb-zero", [](Setting& s) { s.jb = 0; }, "argument 9 (JB) is 0"},
      {"m-too-large", [](Setting& s) { s.ia = 4, s.m = 8; },
       "argument 1 (M) is 8: with argument 4 (IA) = 4 it reaches beyond argument 6 (DESCA), entry 3 (M_) = 10"},
      {"n-too-large", [](Setting& s) { s.jb = 10, s.cols = 2; },
       "argument 2 (N) is 2: with argument 9 (JB) = 10 it reaches beyond argument 10 (DESCB), entry 4 (N_) = 10"},
      {"mb-zero", [](Setting& s) { s.desca[4] = 0; }, "argument 6 (DESCA), entry 5 (MB_) is 0, must be at least 1"},
      {"nb-negative", [](Setting& s) { s.descb[5] = -64; }, "argument 10 (DESCB), entry 6 (NB_) is -64"},
      {"rsrc-outside", [](Setting& s) { s.desca[6] = 2; },
       "argument 6 (DESCA), entry 7 (RSRC_) is 2, must be in 0 .. 1"},
      {"csrc-negative", [](Setting& s) { s.descb[7] = -1; }, "argument 10 (DESCB), entry 8 (CSRC_) is -1"},
      {"lld-small", [](Setting& s) { s.descb[8] = n - 1; },
       "argument 10 (DESCB), entry 9 (LLD_) is 9, must be at least 10"},
      {.name = "lld-small-on-one",
       .change = [](Setting& s) { call_once(s), s.descb[8] = 3; },
       .text = "entry 9 (LLD_) is 3, must be at least 10, the local rows on process (0,1)",
       .alone = true},
      {"a-null", [](Setting& s) { s.a_data = nullptr; }, "argument 3 (A) is NULL"},
      {"ctxt-invalid", [](Setting& s) { s.ctxt = -1; }, "argument 11 (CTXT) is -1, not a context"},
      {"ctxt-never-existed", [](Setting& s) { s.ctxt = 4711; }, "argument 11 (CTXT) is 4711, not a context"},
      {"uncovered", leave_out_one, "argument 11 (CTXT): the context lacks 1 of the 3 processes of the grid of A"},
  });
}

TEST(Gemr2d, FindsDisagreement) {
  expect_ends<Setting>({
      {.name = "m",
       .change = [](Setting& s) { s.m = n - rank(); },
       .text = "argument 1 (M) differs between processes: from 9 to 10",
       .environment = "XREDIST_CHECK=1"},
      {.name = "m, in the exchange",
       .change = [](Setting& s) { s.m = n - rank(); },
       .text = "PDGEMR2D: process 0 of the context sends 192 bytes where 160 are due",
       .late = true},
      {.name = "m, by message",
       .change = [](Setting& s) { s.m = n - rank(); },
       .text = "PDGEMR2D: process 0 of the context sends 192 bytes where 160 are due",
       .late = true,
       .environment = "XREDIST_SHARED=0"},
  });
  const auto differ = [](Apart& s) { s.m = n - rank(); };
  expect_ends<Apart>({
      {"m", differ, "argument 1 (M) differs between processes: from 9 to 10"},
      {"no B", [](Apart& s) { s.descb[1] = -1; },
       "argument 10 (DESCB), entry 2 (CTXT_): no process of the context is in the grid of B"},
      {.name = "nb-zero",
       .change = [](Apart& s) { call_once(s), s.descb[5] = 0; },
       .text = "argument 10 (DESCB), entry 6 (NB_) is 0",
       .alone = true},
  });
}

// ScaLAPACK's routine accepts this, because each process is within its own M_.
TEST(Gemr2d, AcceptsDescriptorsOfDifferentSizes) {
  expect_ends<Setting>({
      {.name = "M_ of B",
       .change = [](Setting& s) { s.descb[2] = n + rank(), s.descb[8] = n + 1; },
       .text = "",
       .environment = "XREDIST_CHECK=1"},
      {.name = "none", .change = [](Setting&) {}, .text = "", .environment = "XREDIST_CHECK=1"},
  });
}

TEST(Gemr2d, NamesTheWrongOption) {
  expect_ends<Setting>({
      {.name = "buffer",
       .change = [](Setting&) {},
       .text = "XREDIST_BUFFER=lots: expected a whole number from 1048576 to",
       .environment = "XREDIST_BUFFER=lots"},
  });
}

#ifdef XREDIST_ILP64
TEST(Gemr2d, NamesWrongArgumentsOf64Bits) {
  constexpr xredist_int largest = std::numeric_limits<xredist_int>::max();
  expect_ends<Setting>({
      {"m-below-32-bits", [](Setting& s) { s.m = -5'000'000'000; },
       "PDGEMR2D: argument 1 (M) is -5000000000, must be at least 0"},
      {"m-beyond-32-bits", [](Setting& s) { s.m = (xredist_int{1} << 32) + n; },
       "argument 1 (M) is 4294967306: with argument 4 (IA) = 1 it reaches beyond argument 6 (DESCA), entry 3 (M_) = "
       "10"},
      {"ja-beyond-32-bits", [](Setting& s) { s.ja = 6'000'000'000; },
       "argument 2 (N) is 10: with argument 5 (JA) = 6000000000 it reaches beyond argument 6 (DESCA), entry 4 (N_) = "
       "10"},
      {"rsrc-beyond-32-bits", [](Setting& s) { s.desca[6] = xredist_int{1} << 32; },
       "argument 6 (DESCA), entry 7 (RSRC_) is 4294967296, must be in 0 .. 1"},
      {"lld-small-for-64-bits", [](Setting& s) { s.desca[2] = xredist_int{1} << 33; },
       "argument 6 (DESCA), entry 9 (LLD_) is 10, must be at least 4294967296, the local rows on process (0,0)"},
      {"m-largest", [](Setting& s) { s.m = largest; },
       "argument 1 (M) is 9223372036854775807, must be at most 1099511627776"},
      {"ia-largest", [](Setting& s) { s.ia = largest; },
       "argument 4 (IA) is 9223372036854775807, must be at most 1099511627776"},
      {"ib-least", [](Setting& s) { s.ib = std::numeric_limits<xredist_int>::min(); },
       "argument 8 (IB) is -9223372036854775808, must be at least 1"},
      {"nb-largest", [](Setting& s) { s.descb[5] = largest; },
       "argument 10 (DESCB), entry 6 (NB_) is 9223372036854775807, must be at most 1099511627776"},
      {"m-by-n-beyond-64-bits", [](Setting& s) { s.m = s.cols = xredist_int{1} << 40; },
       "argument 2 (N) is 1099511627776: with argument 1 (M) = 1099511627776 these are 2^59 elements or more"},
  });
  expect_ends<Apart>({
      {"m-differs-beyond-32-bits",
       [](Apart& s) {
         s.desca[2] = s.descb[2] = s.desca[8] = s.descb[8] = 9'000'000'000, s.m = 8'000'000'000 + rank();
       },
       "argument 1 (M) differs between processes: from 8000000000 to 8000000001"},
  });
  Setting setting;
  long long ctxt = setting.ctxt += xredist_int{1} << 32;
  MPI_Bcast(&ctxt, 1, MPI_LONG_LONG, 0, MPI_COMM_WORLD);  // process 2 is outside the context
  expect_end("argument 11 (CTXT) is " + std::to_string(ctxt) + ", not a context", Ending::all, setting.all.member(),
             [&] { setting.call(); });
}
#endif

}  // namespace
}  // namespace xredist::testing
