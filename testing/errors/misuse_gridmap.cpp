// SPDX-License-Identifier: BSD-3-Clause
// One error in a call of XREDIST_GRIDMAP.
#include <algorithm>
#include <string>
#include <vector>

#include "grid.hpp"
#include "misuse.hpp"
#include "xredist/gridmap.h"

namespace {

using xredist::testing::Context;
using xredist::testing::rank;
using xredist::testing::row_major;

std::vector<xredist_int> usermap(100, -1);

// A correct call: from 2 x 1 processes to 1 x 2.
struct Setting {
  Context context_a{row_major(2, 1)}, all{row_major(1, 2)};
  xredist_int m = 10, n = 10, ia = 1, ja = 1, ib = 1, jb = 1, mb = 2, nb = 2, rsrc = 0, csrc = 0, nprow = 1, npcol = 2;
  xredist_int ctxt = all.handle(), ldumap = 1;
  xredist_int desca[9] = {1, context_a.handle(), 10, 10, 2, 2, 0, 0, 10};
  xredist_int* map = usermap.data();

  explicit Setting(const std::string&) {}
};

// The context leaves out one of the three processes that hold A; that process does not call.
void uncovered(Setting&) {
  const Context grid(row_major(1, 3)), context(row_major(1, 2));
  const xredist_int desc[9] = {1, grid.handle(), 10, 10, 2, 2, 0, 0, 10};
  if (context.member())
    xredist_gridmap(10, 10, 1, 1, desc, 1, 1, 2, 2, 0, 0, 1, 2, context.handle(), usermap.data(), 1, nullptr);
  MPI_Barrier(MPI_COMM_WORLD);  // the error ends it here; a process in MPI_Finalize might not be ended by Open MPI
}

const xredist::testing::Errors<Setting> errors = {
    {"none", [](Setting&) {}},
    {"m-negative", [](Setting& s) { s.m = -2; }},
    {"n-differs", [](Setting& s) { s.n = 10 - rank(); }},
    {"ia-zero", [](Setting& s) { s.ia = 0; }},
    {"n-too-large", [](Setting& s) { s.ja = 4; }},
    {"desca-nb-zero", [](Setting& s) { s.desca[5] = 0; }},
    {"desca-rsrc-outside", [](Setting& s) { s.desca[6] = 2; }},
    {"desca-mb-differs", [](Setting& s) { s.desca[4] = 2 + rank(); }},
    {"jb-zero", [](Setting& s) { s.jb = 0; }},
    {"mb-zero", [](Setting& s) { s.mb = 0; }},
    {"csrc-outside", [](Setting& s) { s.csrc = 2; }},
    {"npcol-zero", [](Setting& s) { s.npcol = 0; }},
    {"nprow-too-large", [](Setting& s) { s.nprow = 2, s.ldumap = 2; }},
    {"ctxt-invalid", [](Setting& s) { s.ctxt = -1; }},
    {"usermap-null", [](Setting& s) { s.map = nullptr; }},
    {"ldumap-small", [](Setting& s) { s.nprow = 2, s.npcol = 1; }},
    {"a-nowhere", [](Setting& s) { s.desca[1] = -1; }},
    {"uncovered", uncovered},
#ifdef XREDIST_ILP64
    {"npcol-beyond-32-bits", [](Setting& s) { s.npcol = (xredist_int{1} << 32) + 1; }},
    {"nprow-by-npcol-beyond-64-bits", [](Setting& s) { s.nprow = s.npcol = s.ldumap = xredist_int{1} << 40; }},
#endif
};

void call(const Setting& s) {
  xredist_gridmap(s.m, s.n, s.ia, s.ja, s.desca, s.ib, s.jb, s.mb, s.nb, s.rsrc, s.csrc, s.nprow, s.npcol, s.ctxt,
                  s.map, s.ldumap, nullptr);
}

}  // namespace

bool xredist::testing::untouched() {
  return std::ranges::all_of(usermap, [](xredist_int x) { return x == -1; });
}

int main(int argc, char** argv) { return xredist::testing::misuse(argc, argv, errors, call); }
