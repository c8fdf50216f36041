// The routine of gridmap.h: the processes agree on A's layout, then each computes the map.
#include "xredist/gridmap.h"

#include <exception>

#include "exchange/process.hpp"
#include "mapping/relabel.hpp"
#include "scalapack/agree.hpp"
#include "scalapack/check.hpp"

namespace xredist::core {
namespace {

// Checks the arguments of B, its grid, and the map to be filled.
std::string wrong_target(const Call& call, int processes, const int* usermap, int ldumap) {
  const int* d = call.b.desc;
  const Index grid = Index{call.nprow} * call.npcol;
  return first_of({
      too_small(call, {"IB"}, call.b.i, 1),
      too_small(call, {"JB"}, call.b.j, 1),
      too_small(call, {"MB"}, d[mb_], 1),
      too_small(call, {"NB"}, d[nb_], 1),
      too_small(call, {"NPROW"}, call.nprow, 1),
      too_small(call, {"NPCOL"}, call.npcol, 1),
      grid <= processes
          ? ""
          : name_of(call, {"NPROW"}) + " is " + std::to_string(call.nprow) + ": with " + name_of(call, {"NPCOL"}) +
                " = " + std::to_string(call.npcol) + " the grid needs more than the " + std::to_string(processes) +
                " processes of " + name_of(call, {"CTXT"}),
      usermap != nullptr ? "" : name_of(call, {"USERMAP"}) + " is NULL",
      ldumap >= call.nprow ? ""
                           : name_of(call, {"LDUMAP"}) + " is " + std::to_string(ldumap) + ", must be at least " +
                                 name_of(call, {"NPROW"}) + " = " + std::to_string(call.nprow),
      outside(call, {"RSRC"}, d[rsrc_], call.nprow, "the rows of B's grid"),
      outside(call, {"CSRC"}, d[csrc_], call.npcol, "the columns of B's grid"),
  });
}

void gridmap(const Call& call, int* usermap, int ldumap, double* kept) {
  Turn turn;
  Context& context = context_of(call, turn);
  const Channel& channel = context.channel();
  if (const std::string wrong = wrong_target(call, channel.size(), usermap, ldumap); !wrong.empty())
    fail(call, channel.rank(), wrong);
  const PlanKey key = agree(call, context, turn);
  const Relabelling best = relabel(key.a, key.b, key.m, key.n, {context.roster(key.roster_a)->ranks, channel.size()});
  for (int k = 0; k < call.nprow * call.npcol; ++k)
    usermap[k / call.npcol + Index{k % call.npcol} * ldumap] = best.map[static_cast<std::size_t>(k)];
  if (kept != nullptr) {
    kept[0] = best.kept;
    kept[1] = best.kept_row_major;
  }
}

}  // namespace
}  // namespace xredist::core

extern "C" {

void xredist_gridmap(int m, int n, int ia, int ja, const int* desca, int ib, int jb, int mb, int nb, int rsrc, int csrc,
                     int nprow, int npcol, int ctxt, int* usermap, int ldumap, double* kept) {
  using namespace xredist::core;
  const int descb[] = {1, -1, 0, 0, mb, nb, rsrc, csrc, 0};
  const Call call{"XREDIST_GRIDMAP",        Form::gridmap, 0,    'U',   'N',  m, n, {nullptr, ia, ja, desca},
                  {nullptr, ib, jb, descb}, false,         ctxt, nprow, npcol};
  try {
    gridmap(call, usermap, ldumap, kept);
  } catch (const std::exception& error) {
    fail(call, error);
  }
}

void xredist_gridmap_(const int* m, const int* n, const int* ia, const int* ja, const int* desca, const int* ib,
                      const int* jb, const int* mb, const int* nb, const int* rsrc, const int* csrc, const int* nprow,
                      const int* npcol, const int* ctxt, int* usermap, const int* ldumap, double* kept) {
  xredist_gridmap(*m, *n, *ia, *ja, desca, *ib, *jb, *mb, *nb, *rsrc, *csrc, *nprow, *npcol, *ctxt, usermap, *ldumap,
                  kept);
}

}  // extern "C"
