// SPDX-License-Identifier: BSD-3-Clause
// Errors in calls of XREDIST_GRIDMAP.
#include "xredist/gridmap.h"

#include "verdict.hpp"
#include "xredist/xredist.h"

namespace xredist::testing {
namespace {

struct Setting : CallSetting {
  xredist_int mb = 2, nb = 2, rsrc = 0, csrc = 0, nprow = 1, npcol = 2, ldumap = 1;
  std::vector<xredist_int> usermap = std::vector<xredist_int>(100, -1);
  xredist_int* map = usermap.data();

  void call() {
    xredist_gridmap_(&m, &n, &ia, &ja, desca, &ib, &jb, &mb, &nb, &rsrc, &csrc, &nprow, &npcol, &ctxt, map, &ldumap,
                     nullptr, nullptr);
  }
  bool untouched() const { return usermap == std::vector<xredist_int>(100, -1); }
};

const std::vector<Case<Setting>> wrong_arguments = {
    {[](Setting&) {}, ""},
    {[](Setting& s) { s.m = -2; }, "XREDIST_GRIDMAP: m is -2, must be at least 0"},
    {[](Setting& s) { s.n = 10 - rank(); }, "n differs between processes: from 9 to 10"},
    {[](Setting& s) { s.ia = 0; }, "ia is 0, must be at least 1"},
    {[](Setting& s) { s.ja = 4; }, "n is 10: with ja = 4 it reaches beyond desca, entry 4 (N_) = 10"},
    {[](Setting& s) { s.desca[5] = 0; }, "desca, entry 6 (NB_) is 0, must be at least 1"},
    {[](Setting& s) { s.desca[6] = 2; }, "desca, entry 7 (RSRC_) is 2, must be in 0 .. 1, the grid's rows"},
    {[](Setting& s) { s.desca[4] = 2 + rank(); }, "desca, entry 5 (MB_) differs between processes: from 2 to 3"},
    {[](Setting& s) { s.jb = 0; }, "jb is 0, must be at least 1"},
    {[](Setting& s) { s.mb = 0; }, "mb is 0, must be at least 1"},
    {[](Setting& s) { s.csrc = 2; }, "csrc is 2, must be in 0 .. 1, the columns of B's grid"},
    {[](Setting& s) { s.npcol = 0; }, "npcol is 0, must be at least 1"},
    {[](Setting& s) { s.nprow = 2, s.ldumap = 2; },
     "nprow is 2: with npcol = 2 the grid needs more than the 2 processes of ctxt"},
    {[](Setting& s) { s.ctxt = -1; }, "ctxt is -1, not a context"},
    {[](Setting& s) { s.map = nullptr; }, "usermap is NULL"},
    {[](Setting& s) { s.nprow = 2, s.npcol = 1; }, "ldumap is 1, must be at least nprow = 2"},
    {[](Setting& s) { s.desca[1] = -1; }, "desca, entry 2 (CTXT_): no process of the context is in the grid of A"},
    {&Setting::leave_out_one, "ctxt: the context lacks 1 of the 3 processes of the grid of A"},
#ifdef XREDIST_ILP64
    {[](Setting& s) { s.npcol = (xredist_int{1} << 32) + 1; },
     "nprow is 1: with npcol = 4294967297 the grid needs more than the 2 processes of "
     "ctxt"},
    {[](Setting& s) { s.nprow = s.npcol = s.ldumap = xredist_int{1} << 40; },
     "nprow is 1099511627776: with npcol = 1099511627776 the grid needs more than the 2 "
     "processes"},
#endif
};

TEST(Gridmap, NamesTheWrongArgument) { expect_ends(wrong_arguments); }

// The function of C returns, with INFO the routine of Fortran too, and all processes have the code and the sentence.
TEST(Gridmap, ReturnsTheSameCodeOnAllProcesses) {
  Setting s;
  if (!s.all.member()) return;
  if (rank() == 1) s.mb = 0;
  const auto call = [&] {
    return xredist_gridmap(s.m, s.n, s.ia, s.ja, s.desca, s.ib, s.jb, s.mb, s.nb, s.rsrc, s.csrc, s.nprow, s.npcol,
                           s.ctxt, s.map, s.ldumap, nullptr);
  };
  EXPECT_EQ(call(), XREDIST_INVALID_ARGUMENT);
  EXPECT_STREQ(xredist_error(), "process 1: mb is 0, must be at least 1");
  EXPECT_TRUE(s.untouched());
  xredist_int info = 0;
  xredist_gridmap_(&s.m, &s.n, &s.ia, &s.ja, s.desca, &s.ib, &s.jb, &s.mb, &s.nb, &s.rsrc, &s.csrc, &s.nprow, &s.npcol,
                   &s.ctxt, s.map, &s.ldumap, nullptr, &info);
  EXPECT_EQ(info, XREDIST_INVALID_ARGUMENT);
  s.mb = 2;
  EXPECT_EQ(call(), 0) << xredist_error();
  EXPECT_FALSE(s.untouched());
}

}  // namespace
}  // namespace xredist::testing
