// SPDX-License-Identifier: BSD-3-Clause
#include "scalapack/call_view.hpp"

#include <array>

namespace xredist::core {
namespace {

GridView grid_view(Which which, xredist_int ctxt, const Context& context) {
  GridView view{.which = which, .ctxt = ctxt, .grid = grid_of(ctxt)};
  if (!view.grid.member()) return view;
  view.comm = communicator(ctxt);
  const Roster* roster = context.rosters.of_grid(view.comm);
  view.roster = roster != nullptr ? roster->id : -1;
  return view;
}

template <class Pointer>
MatrixValues values_of(const GridView& view, const Operand<Pointer>& matrix) {
  if (!view.grid.member()) return {};
  const bool cyclic_rows = matrix.rows == nullptr, cyclic_cols = matrix.cols == nullptr;
  const xredist_int* d = matrix.desc;
  return {.nprow = view.grid.nprow,
          .npcol = view.grid.npcol,
          .mb = cyclic_rows ? d[mb_] : 0,
          .nb = cyclic_cols ? d[nb_] : 0,
          .rsrc = cyclic_rows ? d[rsrc_] : 0,
          .csrc = cyclic_cols ? d[csrc_] : 0,
          .i = matrix.i,
          .j = matrix.j,
          .roster = view.roster};
}

std::array<Index, 3> sizes_of(const GridView& view, const xredist_int* desc) {
  if (!view.grid.member()) return {};
  return {desc[m_], desc[n_], desc[lld_]};
}

}  // namespace

CallView view_of(const MatrixMove& move, Context& context) {
  context.rosters.forget_old();
  const auto& [m, n, a, b, region, operation, scalars, bytes, elements] = move;
  const GridView of_a = grid_view(Which::a, a.desc[ctxt_], context);
  GridView of_b = of_a;
  if (b.desc[ctxt_] == of_a.ctxt)
    of_b.which = Which::b;
  else
    of_b = grid_view(Which::b, b.desc[ctxt_], context);
  return {of_a,
          of_b,
          {{.m = m,
            .n = n,
            .elements = elements,
            .kind = static_cast<Index>(region.kind),
            .shift = region.shift,
            .rows_a = fingerprint(a.rows),
            .cols_a = fingerprint(a.cols),
            .rows_b = fingerprint(b.rows),
            .cols_b = fingerprint(b.cols),
            .a = values_of(of_a, a),
            .b = values_of(of_b, b)},
           sizes_of(of_a, a.desc),
           sizes_of(of_b, b.desc)}};
}

CallView view_of_one(Which which, const MatrixMove& move, Context& context) {
  CallView view = view_of(move, context);
  view.passed.values[which == Which::a ? Which::b : Which::a] = {
      .nprow = 0, .npcol = 0, .mb = 0, .nb = 0, .rsrc = 0, .csrc = 0, .i = 1, .j = 1};
  return view;
}

}  // namespace xredist::core
