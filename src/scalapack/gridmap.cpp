// SPDX-License-Identifier: BSD-3-Clause
// The routine of gridmap.h: the processes agree on A's layout, then each process computes the map.
#include "xredist/gridmap.h"

#include <algorithm>
#include <exception>

#include "exchange/channels.hpp"
#include "mapping/relabel.hpp"
#include "scalapack/context.hpp"

namespace xredist::core {
namespace {

// Checks the arguments of B, of its grid, and of the map.
Checked target_error(const Call& call, int processes, const xredist_int* usermap, Index ldumap) {
  const xredist_int* d = call.b.desc;
  return first_of({
      bounds_error({"IB"}, call.b.i, 1),
      bounds_error({"JB"}, call.b.j, 1),
      bounds_error({"MB"}, d[mb_], 1),
      bounds_error({"NB"}, d[nb_], 1),
      bounds_error({"NPROW"}, call.nprow, 1),
      bounds_error({"NPCOL"}, call.npcol, 1),
      call.nprow <= processes / std::max<Index>(call.npcol, 1)
          ? Checked{}
          : value_error({"NPROW"}, call.nprow,
                        ": with " + name_of(call, {"NPCOL"}) + " = " + std::to_string(call.npcol) +
                            " the grid needs more than the " + std::to_string(processes) + " processes of " +
                            name_of(call, {"CTXT"})),
      usermap != nullptr ? Checked() : ArgumentError{{"USERMAP"}, " is NULL"},
      ldumap >= call.nprow
          ? Checked{}
          : value_error({"LDUMAP"}, ldumap,
                        ", must be at least " + name_of(call, {"NPROW"}) + " = " + std::to_string(call.nprow)),
      range_error({"RSRC"}, d[rsrc_], call.nprow, "the rows of B's grid"),
      range_error({"CSRC"}, d[csrc_], call.npcol, "the columns of B's grid"),
  });
}

void gridmap(const Call& call, xredist_int* usermap, Index ldumap, double* kept) {
  LibraryLock lock;
  Context& context = context_of(call, lock);
  const int processes = context.channel().size();
  const Agreement agreed = agree(call, target_error(call, processes, usermap, ldumap), context, lock);
  const Relabelling best = relabel(layout_of(agreed.a, call.a), layout_of(agreed.b, call.b), call.m, call.n,
                                   {context.rosters.find(agreed.a.roster)->ranks, processes});
  for (Index k = 0; k < call.nprow * call.npcol; ++k)
    usermap[k / call.npcol + k % call.npcol * ldumap] = at(best.map, k);
  if (kept != nullptr) {
    kept[0] = best.retained;
    kept[1] = best.retained_row_major;
  }
}

}  // namespace
}  // namespace xredist::core

extern "C" {

void xredist_gridmap(xredist_int m, xredist_int n, xredist_int ia, xredist_int ja, const xredist_int* desca,
                     xredist_int ib, xredist_int jb, xredist_int mb, xredist_int nb, xredist_int rsrc, xredist_int csrc,
                     xredist_int nprow, xredist_int npcol, xredist_int ctxt, xredist_int* usermap, xredist_int ldumap,
                     double* kept) {
  using namespace xredist::core;
  const xredist_int descb[] = {1, -1, 0, 0, mb, nb, rsrc, csrc, 0};
  const Call call{.routine = "XREDIST_GRIDMAP",
                  .form = Form::gridmap,
                  .m = m,
                  .n = n,
                  .a = {nullptr, ia, ja, desca},
                  .b = {nullptr, ib, jb, descb},
                  .ctxt = ctxt,
                  .nprow = nprow,
                  .npcol = npcol};
  try {
    gridmap(call, usermap, ldumap, kept);
  } catch (const std::exception& error) {
    fail(call, error);
  }
}

void xredist_gridmap_(const xredist_int* m, const xredist_int* n, const xredist_int* ia, const xredist_int* ja,
                      const xredist_int* desca, const xredist_int* ib, const xredist_int* jb, const xredist_int* mb,
                      const xredist_int* nb, const xredist_int* rsrc, const xredist_int* csrc, const xredist_int* nprow,
                      const xredist_int* npcol, const xredist_int* ctxt, xredist_int* usermap,
                      const xredist_int* ldumap, double* kept) {
  xredist_gridmap(*m, *n, *ia, *ja, desca, *ib, *jb, *mb, *nb, *rsrc, *csrc, *nprow, *npcol, *ctxt, usermap, *ldumap,
                  kept);
}

}  // extern "C"
