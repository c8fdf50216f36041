// SPDX-License-Identifier: BSD-3-Clause
// Errors in calls of PDLASWP and PDLAPIV, on a grid of process 1 alone: processes of larger grids do not wait to speak.
#include <mpi.h>

#include <array>
#include <numeric>

#include "verdict.hpp"

extern "C" {
void pdlaswp_(const char*, const char*, const xredist_int*, double*, const xredist_int*, const xredist_int*,
              const xredist_int*, const xredist_int*, const xredist_int*, const xredist_int*);
void pdlapiv_(const char*, const char*, const char*, const xredist_int*, const xredist_int*, double*,
              const xredist_int*, const xredist_int*, const xredist_int*, const xredist_int*, const xredist_int*,
              const xredist_int*, const xredist_int*, xredist_int*);
}

namespace xredist::testing {
namespace {

struct Setting {
  Context all{row_major(1, 1, 1)};
  std::array<xredist_int, 9> desca{1, all.handle(), 8, 8, 8, 8, 0, 0, 8}, descip = desca;
  std::vector<double> a = numbers();
  std::array<xredist_int, 16> ipiv{8, 2, 3, 4, 5, 6, 7, 8};
  xredist_int n = 8, ja = 1, k2 = 8, ip = 1, one = 1;

  static std::vector<double> numbers() {
    std::vector<double> all(64);
    std::iota(all.begin(), all.end(), 1);
    return all;
  }
  void call() { pdlaswp_("F", "R", &n, a.data(), &one, &ja, desca.data(), &one, &k2, ipiv.data()); }
  bool untouched() const { return a == numbers(); }
};

struct OfLapiv : Setting {
  void call() {
    pdlapiv_("F", "R", "C", &n, &n, a.data(), &one, &one, desca.data(), ipiv.data(), &ip, &one, descip.data(), nullptr);
  }
};

TEST(Pivots, NameTheWrongArgument) {
  expect_ends<Setting>({
      {[](Setting&) {}, ""},
      {[](Setting& s) { s.ipiv[2] = 9; },
       "xredist: PDLASWP: argument 10 (IPIV): the pivot of row 3 is 9, must be 1 to 8"},
      {[](Setting& s) { s.n = -1; }, "xredist: PDLASWP: argument 3 (N) is -1, must be at least 0"},
      {[](Setting& s) { s.ja = 2; },
       "xredist: PDLASWP: argument 6 (JA): the columns 2 to 9 are not in the matrix, which has 8"},
      {[](Setting& s) { s.k2 = 9; },
       "xredist: PDLASWP: argument 8 (K1): the rows 1 to 9 are not in the matrix, which has 8"},
      {[](Setting& s) { s.desca[4] = 0; },
       "xredist: PDLASWP: argument 7 (DESCA), entry 5 (MB_) is 0, must be at least 1"},
      {[](Setting& s) { s.desca[7] = 1; },
       "xredist: PDLASWP: argument 7 (DESCA), entry 8 (CSRC_) is 1, must be at most 0"},
      {[](Setting& s) { s.desca[8] = 7; },
       "xredist: PDLASWP: argument 7 (DESCA), entry 9 (LLD_) is 7, must be at least 8"},
      {[](Setting& s) { s.desca[1] = -1; },
       "xredist: PDLASWP: argument 7 (DESCA), entry 2 (CTXT_) is -1: this process is not in the grid"},
  });
  expect_ends<OfLapiv>({
      {[](OfLapiv&) {}, ""},
      {[](OfLapiv& s) { s.ip = 0; }, "xredist: PDLAPIV: argument 11 (IP) is 0, must be at least 1"},
      {[](OfLapiv& s) { s.descip[4] = -3; },
       "xredist: PDLAPIV: argument 13 (DESCIP), entry 5 (MB_) is -3, must be at least 1"},
  });
}

}  // namespace
}  // namespace xredist::testing
