// SPDX-License-Identifier: BSD-3-Clause
// Errors in calls of P?GEMR2D.
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "verdict.hpp"
#include "xredist/scalapack.h"

namespace xredist::testing {
namespace {

// Sets an environment variable until the end of its life.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Environment() { unsetenv(name_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
};

struct Setting : CallSetting {
  using CallSetting::CallSetting;
  std::vector<double> a = std::vector<double>(100, 1.0), b = std::vector<double>(110, -1.0);
  const double* a_data = a.data();

  void call() { Cpdgemr2d(m, n, a_data, ia, ja, desca, b.data(), ib, jb, descb, ctxt); }
  bool untouched() const {
    return std::ranges::all_of(b, [](double x) { return x == -1.0; });
  }
  /// Makes the context known to all processes, so that an error can be found without communication.
  void call_once() {
    if (all.member()) call();
    std::ranges::fill(b, -1.0);
  }
};

// A is on process 0, B on process 1: the processes have to communicate to agree.
struct Apart : Setting {
  Apart() : Setting(row_major(1, 1), row_major(1, 1, 1)) {}
};

// A is on process 0: processes that are outside of A compare their arguments with those of process 0.
struct FromFirst : Setting {
  FromFirst() : Setting(row_major(1, 1), row_major(1, 2)) {}
};

const std::vector<Case<Setting>> wrong_arguments = {
    {[](Setting&) {}, ""},
    {[](Setting& s) { s.m = -2; }, "PDGEMR2D: argument 1 (M) is -2"},
    {[](Setting& s) { s.n = -1; }, "argument 2 (N) is -1"},
    {[](Setting& s) { s.ia = 0; }, "argument 4 (IA) is 0, must be at least 1"},
    {[](Setting& s) { s.jb = 0; }, "argument 9 (JB) is 0"},
    {[](Setting& s) { s.ia = 4, s.m = 8; },
     "argument 1 (M) is 8: with argument 4 (IA) = 4 it reaches beyond argument 6 (DESCA), entry 3 (M_) = 10"},
    {[](Setting& s) { s.jb = 10, s.n = 2; },
     "argument 2 (N) is 2: with argument 9 (JB) = 10 it reaches beyond argument 10 (DESCB), entry 4 (N_) = 10"},
    {[](Setting& s) { s.desca[4] = 0; }, "argument 6 (DESCA), entry 5 (MB_) is 0, must be at least 1"},
    {[](Setting& s) { s.descb[5] = -64; }, "argument 10 (DESCB), entry 6 (NB_) is -64"},
    {[](Setting& s) { s.desca[6] = 2; }, "argument 6 (DESCA), entry 7 (RSRC_) is 2, must be in 0 .. 1"},
    {[](Setting& s) { s.descb[7] = -1; }, "argument 10 (DESCB), entry 8 (CSRC_) is -1"},
    {[](Setting& s) { s.descb[8] = 9; }, "argument 10 (DESCB), entry 9 (LLD_) is 9, must be at least 10"},
    {[](Setting& s) { s.call_once(), s.descb[8] = 3; },
     "entry 9 (LLD_) is 3, must be at least 10, the local rows on process (0,1)", Ending::one},
    {[](Setting& s) { s.call_once(), std::ranges::fill(s.desca, 0); },
     "entry 5 (MB_) is 0, must be at least 1. All entries are 0: outside the grid of the matrix, pass -1 in",
     Ending::one},
    {[](Setting& s) { s.a_data = nullptr; }, "argument 3 (A) is NULL"},
    {[](Setting& s) { s.ctxt = -1; }, "argument 11 (CTXT) is -1, not a context"},
    {[](Setting& s) { s.ctxt = 4711; }, "argument 11 (CTXT) is 4711, not a context"},
    {&Setting::leave_out_one, "argument 11 (CTXT): the context lacks 1 of the 3 processes of the grid of A"},
};

TEST(Gemr2d, NamesTheWrongArgument) {
  expect_ends(wrong_arguments);
  expect_ends<Apart>({
      {[](Apart& s) { s.descb[1] = -1; },
       "argument 10 (DESCB), entry 2 (CTXT_): no process of the context is in the grid of B"},
      {[](Apart& s) { s.call_once(), s.descb[5] = 0; }, "argument 10 (DESCB), entry 6 (NB_) is 0", Ending::one},
  });
}

TEST(Gemr2d, FindsDisagreement) {
  const auto differ = [](Setting& s) { s.m = 10 - rank(); };
  const char *early = "argument 1 (M) differs between processes: from 9 to 10",
             *late = "PDGEMR2D: process 0 of the context sends 192 bytes, but 160 were expected";
  expect_ends<Apart>({{differ, early}});
  expect_ends<FromFirst>({
      {differ, early},
      {[](FromFirst& s) { s.call_once(), s.m = 10 - rank(); }, early, Ending::some},
      {[](FromFirst& s) { s.call_once(), s.descb[4] = 2 + rank(); },
       "argument 10 (DESCB), entry 5 (MB_) differs between processes: from 2 to 3", Ending::some},
      {[](FromFirst& s) {
         s.call_once();
         if (rank() == 1) s.descb[1] = -1;
       },
       "argument 10 (DESCB), entry 2 (CTXT_) is -1, but this process is in the grid of B", Ending::some},
  });
  expect_ends<Setting>({{differ, late, Ending::some}});
  {
    const Environment messages("XREDIST_SHARED", "0");
    expect_ends<Setting>({{differ, late, Ending::some}});
  }
  {
    const Environment message("XREDIST_CHECK", "message");
    expect_ends<Setting>({{differ, early}});  // the first call of a context makes a reduction
  }
  const Environment check("XREDIST_CHECK", "1");
  expect_ends<Setting>({
      {differ, early},
      {[](Setting&) {}, ""},
      // ScaLAPACK's routine accepts this too, because each process is within its own M_.
      {[](Setting& s) { s.descb[2] = 10 + rank(), s.descb[8] = 11; }, ""},
  });
}

TEST(Gemr2d, NamesTheWrongOption) {
  const Environment lots("XREDIST_BUFFER", "lots");
  expect_ends<Setting>({{[](Setting&) {}, "XREDIST_BUFFER=lots: expected a size such as 64M"}});
}

#ifdef XREDIST_ILP64
constexpr xredist_int largest = std::numeric_limits<xredist_int>::max(), smallest = -largest - 1;

const std::vector<Case<Setting>> wrong_arguments_of_64_bits = {
    {[](Setting& s) { s.m = -5'000'000'000; }, "PDGEMR2D: argument 1 (M) is -5000000000, must be at least 0"},
    {[](Setting& s) { s.m = (xredist_int{1} << 32) + 10; },
     "argument 1 (M) is 4294967306: with argument 4 (IA) = 1 it reaches beyond argument 6 (DESCA), entry 3 (M_) = 10"},
    {[](Setting& s) { s.ja = 6'000'000'000; },
     "argument 2 (N) is 10: with argument 5 (JA) = 6000000000 it reaches beyond argument 6 (DESCA), entry 4 (N_) = 10"},
    {[](Setting& s) { s.desca[6] = xredist_int{1} << 32; },
     "argument 6 (DESCA), entry 7 (RSRC_) is 4294967296, must be in 0 .. 1"},
    {[](Setting& s) { s.desca[2] = xredist_int{1} << 33; },
     "argument 6 (DESCA), entry 9 (LLD_) is 10, must be at least 4294967296, the local rows on process (0,0)"},
    {[](Setting& s) { s.m = largest; }, "argument 1 (M) is 9223372036854775807, must be at most 1099511627776"},
    {[](Setting& s) { s.ia = largest; }, "argument 4 (IA) is 9223372036854775807, must be at most 1099511627776"},
    {[](Setting& s) { s.ib = smallest; }, "argument 8 (IB) is -9223372036854775808, must be at least 1"},
    {[](Setting& s) { s.descb[5] = largest; },
     "argument 10 (DESCB), entry 6 (NB_) is 9223372036854775807, must be at most 1099511627776"},
    {[](Setting& s) { s.m = s.n = xredist_int{1} << 40; },
     "argument 2 (N) is 1099511627776: with argument 1 (M) = 1099511627776 these are 2^59 elements or more"},
};

TEST(Gemr2d, NamesWrongArgumentsOf64Bits) {
  expect_ends(wrong_arguments_of_64_bits);
  expect_ends<Apart>({
      {[](Apart& s) {
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
