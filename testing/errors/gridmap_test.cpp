// SPDX-License-Identifier: BSD-3-Clause
// Errors in calls of XREDIST_GRIDMAP.
#include "xredist/gridmap.h"

#include <memory>

#include "grid.hpp"
#include "verdict.hpp"

namespace xredist::testing {
namespace {

// A correct call: from 2x1 processes to 1x2.
struct Setting {
  Context context_a{row_major(2, 1)}, all{row_major(1, 2)};
  std::unique_ptr<Context> three;
  xredist_int m = 10, n = 10, ia = 1, ja = 1, ib = 1, jb = 1, mb = 2, nb = 2, rsrc = 0, csrc = 0, nprow = 1, npcol = 2;
  xredist_int ctxt = all.handle(), ldumap = 1;
  xredist_int desca[9] = {1, context_a.handle(), 10, 10, 2, 2, 0, 0, 10};
  std::vector<xredist_int> usermap = std::vector<xredist_int>(100, -1);
  xredist_int* map = usermap.data();

  void call() {
    xredist_gridmap(m, n, ia, ja, desca, ib, jb, mb, nb, rsrc, csrc, nprow, npcol, ctxt, map, ldumap, nullptr);
  }
  bool untouched() const { return usermap == std::vector<xredist_int>(100, -1); }
};

// The context lacks one of the three processes of A's grid.
void leave_out_one(Setting& s) {
  s.three = std::make_unique<Context>(row_major(1, 3));
  s.desca[1] = s.three->handle();
}

TEST(Gridmap, NamesTheWrongArgument) {
  expect_ends<Setting>({
      {"none", [](Setting&) {}, ""},
      {"m-negative", [](Setting& s) { s.m = -2; }, "XREDIST_GRIDMAP: argument 1 (M) is -2, must be at least 0"},
      {"n-differs", [](Setting& s) { s.n = 10 - rank(); }, "argument 2 (N) differs between processes: from 9 to 10"},
      {"ia-zero", [](Setting& s) { s.ia = 0; }, "argument 3 (IA) is 0, must be at least 1"},
      {"n-too-large", [](Setting& s) { s.ja = 4; },
       "argument 2 (N) is 10: with argument 4 (JA) = 4 it reaches beyond argument 5 (DESCA), entry 4 (N_) = 10"},
      {"desca-nb-zero", [](Setting& s) { s.desca[5] = 0; },
       "argument 5 (DESCA), entry 6 (NB_) is 0, must be at least 1"},
      {"desca-rsrc-outside", [](Setting& s) { s.desca[6] = 2; },
       "argument 5 (DESCA), entry 7 (RSRC_) is 2, must be in 0 .. 1, the grid's rows"},
      {"desca-mb-differs", [](Setting& s) { s.desca[4] = 2 + rank(); },
       "argument 5 (DESCA), entry 5 (MB_) differs between processes: from 2 to 3"},
      {"jb-zero", [](Setting& s) { s.jb = 0; }, "argument 7 (JB) is 0, must be at least 1"},
      {"mb-zero", [](Setting& s) { s.mb = 0; }, "argument 8 (MB) is 0, must be at least 1"},
      {"csrc-outside", [](Setting& s) { s.csrc = 2; },
       "argument 11 (CSRC) is 2, must be in 0 .. 1, the columns of B's grid"},
      {"npcol-zero", [](Setting& s) { s.npcol = 0; }, "argument 13 (NPCOL) is 0, must be at least 1"},
      {"nprow-too-large", [](Setting& s) { s.nprow = 2, s.ldumap = 2; },
       "argument 12 (NPROW) is 2: with argument 13 (NPCOL) = 2 the grid needs more than the 2 processes of argument 14 "
       "(CTXT)"},
      {"ctxt-invalid", [](Setting& s) { s.ctxt = -1; }, "argument 14 (CTXT) is -1, not a context"},
      {"usermap-null", [](Setting& s) { s.map = nullptr; }, "argument 15 (USERMAP) is NULL"},
      {"ldumap-small", [](Setting& s) { s.nprow = 2, s.npcol = 1; },
       "argument 16 (LDUMAP) is 1, must be at least argument 12 (NPROW) = 2"},
      {"a-nowhere", [](Setting& s) { s.desca[1] = -1; },
       "argument 5 (DESCA), entry 2 (CTXT_): no process of the context is in the grid of A"},
      {"uncovered", leave_out_one, "argument 14 (CTXT): the context lacks 1 of the 3 processes of the grid of A"},
  });
}

#ifdef XREDIST_ILP64
TEST(Gridmap, NamesWrongArgumentsOf64Bits) {
  expect_ends<Setting>({
      {"npcol-beyond-32-bits", [](Setting& s) { s.npcol = (xredist_int{1} << 32) + 1; },
       "argument 12 (NPROW) is 1: with argument 13 (NPCOL) = 4294967297 the grid needs more than the 2 processes of "
       "argument 14 (CTXT)"},
      {"nprow-by-npcol-beyond-64-bits", [](Setting& s) { s.nprow = s.npcol = s.ldumap = xredist_int{1} << 40; },
       "argument 12 (NPROW) is 1099511627776: with argument 13 (NPCOL) = 1099511627776 the grid needs more than the 2 "
       "processes"},
  });
}
#endif

}  // namespace
}  // namespace xredist::testing
