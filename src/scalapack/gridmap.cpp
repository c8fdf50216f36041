// SPDX-License-Identifier: BSD-3-Clause
// The routine of gridmap.h: the processes agree on A's layout, then each process computes the map.
#include "xredist/gridmap.h"

#include <algorithm>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "exchange/channels.hpp"
#include "mapping/relabel.hpp"
#include "scalapack/agree.hpp"
#include "scalapack/context.hpp"

namespace xredist::core {
namespace {

constexpr std::string_view argument_names[] = {"M",  "N",    "IA",   "JA",    "DESCA", "IB",   "JB",      "MB",
                                               "NB", "RSRC", "CSRC", "NPROW", "NPCOL", "CTXT", "USERMAP", "LDUMAP"};
constexpr Routine routine{"XREDIST_GRIDMAP", argument_names};

// The shape of B's grid, right or wrong.
struct Shape {
  Index nprow, npcol;
};

// Checks the arguments of B, of its grid, and of the map.
MaybeError target_error(const MatrixMove& move, const Shape& grid, int processes, const xredist_int* usermap,
                        Index ldumap) {
  const xredist_int* d = move.b.desc;
  return first_of({
      bounds_error({"IB"}, move.b.i, 1),
      bounds_error({"JB"}, move.b.j, 1),
      bounds_error({"MB"}, d[mb_], 1),
      bounds_error({"NB"}, d[nb_], 1),
      bounds_error({"NPROW"}, grid.nprow, 1),
      bounds_error({"NPCOL"}, grid.npcol, 1),
      grid.nprow <= processes / std::max<Index>(grid.npcol, 1)
          ? MaybeError{}
          : value_error({"NPROW"}, grid.nprow,
                        ": with " + name_of(routine, {"NPCOL"}) + " = " + std::to_string(grid.npcol) +
                            " the grid needs more than the " + std::to_string(processes) + " processes of " +
                            name_of(routine, {"CTXT"})),
      usermap != nullptr ? MaybeError() : ArgumentError{{"USERMAP"}, " is NULL"},
      ldumap >= grid.nprow
          ? MaybeError{}
          : value_error({"LDUMAP"}, ldumap,
                        ", must be at least " + name_of(routine, {"NPROW"}) + " = " + std::to_string(grid.nprow)),
      range_error({"RSRC"}, d[rsrc_], grid.nprow, "the rows of B's grid"),
      range_error({"CSRC"}, d[csrc_], grid.npcol, "the columns of B's grid"),
  });
}

// Returns the call as this process sees it. The grid of B does not exist yet, and all processes know its values.
CallView view_of_target(const MatrixMove& move, const Shape& grid, Context& context) {
  CallView view = view_of(move, context);
  const xredist_int* d = move.b.desc;
  view.passed.values.b = {.nprow = grid.nprow,
                          .npcol = grid.npcol,
                          .mb = d[mb_],
                          .nb = d[nb_],
                          .rsrc = d[rsrc_],
                          .csrc = d[csrc_],
                          .i = move.b.i,
                          .j = move.b.j};
  return view;
}

MaybeError gridmap(std::optional<xredist_int> ctxt, const MatrixMove& move, const Shape& grid, xredist_int* usermap,
                   Index ldumap, double* kept) {
  LibraryLock lock;
  OrError<MPI_Comm> comm = communicator_of(ctxt);
  if (auto* error = std::get_if<ArgumentError>(&comm)) return std::move(*error);
  Context& context = context_of(std::get<MPI_Comm>(comm), lock);
  const int processes = context.channel().size();
  const CallView view = view_of_target(move, grid, context);
  if (MaybeError error = target_error(move, grid, processes, usermap, ldumap)) return error;
  if (MaybeError error = size_error(routine, move.m, move.n)) return error;
  if (view.a.grid.member())
    if (MaybeError error = dimensions_error(routine, move, Which::a, view.a.grid)) return error;
  const Outcome outcome = compare({unknown, view.passed.values}, context.channel().comm(), lock->progress);
  OrError<CallValues> agreement = agreement_of(routine, view, outcome, context, lock->progress);
  if (auto* error = std::get_if<ArgumentError>(&agreement)) return std::move(*error);
  const CallValues& agreed = std::get<CallValues>(agreement);
  const Relabelling best = relabel(agreed_layout(agreed.a, move.a), agreed_layout(agreed.b, move.b), move.m, move.n,
                                   {context.rosters.find(agreed.a.roster)->ranks, processes});
  for (Index k = 0; k < grid.nprow * grid.npcol; ++k)
    usermap[k / grid.npcol + k % grid.npcol * ldumap] = at(best.map, k);
  if (kept != nullptr) {
    kept[0] = best.retained;
    kept[1] = best.retained_row_major;
  }
  return {};
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
  const MatrixMove move{
      .m = m, .n = n, .a = {nullptr, ia, ja, desca}, .b = {nullptr, ib, jb, descb}, .bytes = 0, .elements = 0};
  const Caller caller{routine, ctxt};
  try {
    if (const MaybeError error = gridmap(ctxt, move, {nprow, npcol}, usermap, ldumap, kept))
      fail(caller, rank_of(caller), *error);
  } catch (const std::exception& error) {
    fail(caller, error);
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
