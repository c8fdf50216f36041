// SPDX-License-Identifier: BSD-3-Clause
// The function of gridmap.h: the processes agree on A's layout, then each process computes the map.
#include "xredist/gridmap.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "exchange/channels.hpp"
#include "mapping/relabel.hpp"
#include "scalapack/agree.hpp"
#include "scalapack/context.hpp"
#include "scalapack/stated.hpp"

namespace xredist::core {
namespace {

constexpr std::string_view gridmap_arguments[] = {"M",  "N",    "IA",   "JA",    "DESCA", "IB",   "JB",      "MB",
                                                  "NB", "RSRC", "CSRC", "NPROW", "NPCOL", "CTXT", "USERMAP", "LDUMAP"};
constexpr Field gridmap_fields[] = {{{"M"}},  {{"N"}},    {{"IB"}},   {{"JB"}},    {{"MB"}},
                                    {{"NB"}}, {{"RSRC"}}, {{"CSRC"}}, {{"NPROW"}}, {{"NPCOL"}}};
constexpr Routine gridmap_routine{"xredist_gridmap", gridmap_arguments, gridmap_fields, ErrorStyle::names};

// The submatrix of B, and the shape of its grid, right or wrong. All processes pass these values.
struct Target {
  Index ib, jb, mb, nb, rsrc, csrc, nprow, npcol;
};

// The map, column-major, with its leading dimension.
struct UserMap {
  xredist_int* ranks;
  Index ld;
};

// Checks the arguments of B, of its grid, and of the map.
MaybeError target_error(const Target& b, int processes, const UserMap& map) {
  return first_of({
      bounds_error({"IB"}, b.ib, 1),
      bounds_error({"JB"}, b.jb, 1),
      bounds_error({"MB"}, b.mb, 1),
      bounds_error({"NB"}, b.nb, 1),
      bounds_error({"NPROW"}, b.nprow, 1),
      bounds_error({"NPCOL"}, b.npcol, 1),
      b.nprow <= processes / std::max<Index>(b.npcol, 1)
          ? MaybeError{}
          : value_error({"NPROW"}, b.nprow,
                        Text() << ": with " << name_of(gridmap_routine, {"NPCOL"}) << " = " << b.npcol
                               << " the grid needs more than the " << processes << " processes of "
                               << name_of(gridmap_routine, {"CTXT"})),
      null_error({"USERMAP"}, map.ranks),
      map.ld >= b.nprow
          ? MaybeError{}
          : value_error({"LDUMAP"}, map.ld,
                        Text() << ", must be at least " << name_of(gridmap_routine, {"NPROW"}) << " = " << b.nprow),
      range_error({"RSRC"}, b.rsrc, b.nprow, "the rows of B's grid"),
      range_error({"CSRC"}, b.csrc, b.npcol, "the columns of B's grid"),
  });
}

void map_grid(xredist_int ctxt, Index m, Index n, const MatrixArguments& a, const Target& b, const UserMap& map,
              double* kept) {
  const InCall call(gridmap_routine.name, size_in(ctxt, m, n));
  demand(mpi_error({"ctxt"}));
  LibraryLock lock;
  Context& context = context_for_plans(communicator_of({gridmap_routine, ctxt}), lock);
  const int processes = context.channel().size();
  const Question question{gridmap_routine, {&a, 1}, {m, n, b.ib, b.jb, b.mb, b.nb, b.rsrc, b.csrc, b.nprow, b.npcol}};
  const auto best_map = [&] {
    const View view = view_of(question, context.rosters);
    const auto checked = attempt([&] {
      demand(gridmap_routine, null_error({"DESCA"}, a.desc));
      demand(gridmap_routine, target_error(b, processes, map));
      demand(gridmap_routine, size_error(gridmap_routine, m, n));
      if (const Grid& grid = view.grids[0].grid; grid.member())
        demand(gridmap_routine, dimensions_error(gridmap_routine, a, size_of(m, n), grid));
    });
    const Values agreed =
        agree_by_reduction(question, view, checked.failure(), context.rosters, context.channel(), lock->progress);
    const MatrixValues& of_a = agreed.matrices[0];
    const Layout target{make_axis(nullptr, b.mb, b.nprow, b.rsrc, b.ib - 1),
                        make_axis(nullptr, b.nb, b.npcol, b.csrc, b.jb - 1)};
    return relabel(agreed_layout(of_a, a), target, m, n, {*context.rosters.find(of_a.roster)->ranks, processes});
  };
  const Relabelling best = on_context(context, lock, best_map);
  for (Index k = 0; k < b.nprow * b.npcol; ++k) map.ranks[k / b.npcol + k % b.npcol * map.ld] = at(best.map, k);
  if (kept != nullptr) {
    kept[0] = best.retained;
    kept[1] = best.retained_row_major;
  }
}

}  // namespace
}  // namespace xredist::core

using namespace xredist::core;

int xredist_gridmap(xredist_int m, xredist_int n, xredist_int ia, xredist_int ja, const xredist_int* desca,
                    xredist_int ib, xredist_int jb, xredist_int mb, xredist_int nb, xredist_int rsrc, xredist_int csrc,
                    xredist_int nprow, xredist_int npcol, xredist_int ctxt, xredist_int* usermap, xredist_int ldumap,
                    double* kept) {
  return coded([&] {
    map_grid(ctxt, m, n, {Which::a, desca, {ia, ja}}, {ib, jb, mb, nb, rsrc, csrc, nprow, npcol}, {usermap, ldumap},
             kept);
  });
}
