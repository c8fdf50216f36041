// SPDX-License-Identifier: BSD-3-Clause
// Errors in calls of XREDIST_GRIDMAP.
#include "xredist/gridmap.h"

#include "verdict.hpp"

namespace xredist::testing {
namespace {

struct Setting : CallSetting {
  xredist_int mb = 2, nb = 2, rsrc = 0, csrc = 0, nprow = 1, npcol = 2, ldumap = 1;
  std::vector<xredist_int> usermap = std::vector<xredist_int>(100, -1);
  xredist_int* map = usermap.data();

  void call() {
    xredist_gridmap(m, n, ia, ja, desca, ib, jb, mb, nb, rsrc, csrc, nprow, npcol, ctxt, map, ldumap, nullptr);
  }
  bool untouched() const { return usermap == std::vector<xredist_int>(100, -1); }
};

const std::vector<Case<Setting>> wrong_arguments = {
    {[](Setting&) {}, ""},
    {[](Setting& s) { s.m = -2; }, "XREDIST_GRIDMAP: argument 1 (M) is -2, must be at least 0"},
    {[](Setting& s) { s.n = 10 - rank(); }, "argument 2 (N) differs between processes: from 9 to 10"},
    {[](Setting& s) { s.ia = 0; }, "argument 3 (IA) is 0, must be at least 1"},
    {[](Setting& s) { s.ja = 4; },
     "argument 2 (N) is 10: with argument 4 (JA) = 4 it reaches beyond argument 5 (DESCA), entry 4 (N_) = 10"},
    {[](Setting& s) { s.desca[5] = 0; }, "argument 5 (DESCA), entry 6 (NB_) is 0, must be at least 1"},
    {[](Setting& s) { s.desca[6] = 2; },
     "argument 5 (DESCA), entry 7 (RSRC_) is 2, must be in 0 .. 1, the grid's rows"},
    {[](Setting& s) { s.desca[4] = 2 + rank(); },
     "argument 5 (DESCA), entry 5 (MB_) differs between processes: from 2 to 3"},
    {[](Setting& s) { s.jb = 0; }, "argument 7 (JB) is 0, must be at least 1"},
    {[](Setting& s) { s.mb = 0; }, "argument 8 (MB) is 0, must be at least 1"},
    {[](Setting& s) { s.csrc = 2; }, "argument 11 (CSRC) is 2, must be in 0 .. 1, the columns of B's grid"},
    {[](Setting& s) { s.npcol = 0; }, "argument 13 (NPCOL) is 0, must be at least 1"},
    {[](Setting& s) { s.nprow = 2, s.ldumap = 2; },
     "argument 12 (NPROW) is 2: with argument 13 (NPCOL) = 2 the grid needs more than the 2 processes of argument 14 "
     "(CTXT)"},
    {[](Setting& s) { s.ctxt = -1; }, "argument 14 (CTXT) is -1, not a context"},
    {[](Setting& s) { s.map = nullptr; }, "argument 15 (USERMAP) is NULL"},
    {[](Setting& s) { s.nprow = 2, s.npcol = 1; },
     "argument 16 (LDUMAP) is 1, must be at least argument 12 (NPROW) = 2"},
    {[](Setting& s) { s.desca[1] = -1; },
     "argument 5 (DESCA), entry 2 (CTXT_): no process of the context is in the grid of A"},
    {&Setting::leave_out_one, "argument 14 (CTXT): the context lacks 1 of the 3 processes of the grid of A"},
#ifdef XREDIST_ILP64
    {[](Setting& s) { s.npcol = (xredist_int{1} << 32) + 1; },
     "argument 12 (NPROW) is 1: with argument 13 (NPCOL) = 4294967297 the grid needs more than the 2 processes of "
     "argument 14 (CTXT)"},
    {[](Setting& s) { s.nprow = s.npcol = s.ldumap = xredist_int{1} << 40; },
     "argument 12 (NPROW) is 1099511627776: with argument 13 (NPCOL) = 1099511627776 the grid needs more than the 2 "
     "processes"},
#endif
};

TEST(Gridmap, NamesTheWrongArgument) { expect_ends(wrong_arguments); }

}  // namespace
}  // namespace xredist::testing
