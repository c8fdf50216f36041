// SPDX-License-Identifier: BSD-3-Clause
#include "scalapack/question.hpp"

namespace xredist::core {
namespace {

GridView grid_view(const MatrixArguments& matrix, const Rosters& rosters) {
  GridView view{.which = matrix.which, .ctxt = -1};
  if (matrix.desc == nullptr) return view;
  view.ctxt = matrix.desc[ctxt_];
  view.grid = grid_of(view.ctxt);
  if (!view.grid.member()) return view;
  view.comm = communicator(view.ctxt);
  const Roster* roster = rosters.of_grid(view.comm);
  view.roster = roster != nullptr ? roster->id : -1;
  return view;
}

MatrixValues values_of(const GridView& view, const MatrixArguments& matrix) {
  const bool cyclic_rows = matrix.rows == nullptr, cyclic_cols = matrix.cols == nullptr;
  MatrixValues values{.rows = fingerprint(matrix.rows), .cols = fingerprint(matrix.cols)};
  if (!view.grid.member()) return values;
  const xredist_int* d = matrix.desc;
  values.nprow = view.grid.nprow;
  values.npcol = view.grid.npcol;
  values.mb = cyclic_rows ? d[mb_] : 0;
  values.nb = cyclic_cols ? d[nb_] : 0;
  values.rsrc = cyclic_rows ? d[rsrc_] : 0;
  values.csrc = cyclic_cols ? d[csrc_] : 0;
  values.i = matrix.i;
  values.j = matrix.j;
  values.roster = view.roster;
  return values;
}

}  // namespace

View view_of(const Question& question, Rosters& rosters) {
  rosters.forget_old();
  View view;
  view.passed.values.fields = question.fields;
  for (std::size_t k = 0; k < question.matrices.size(); ++k) {
    const MatrixArguments& matrix = question.matrices[k];
    GridView& grid = view.grids[k];
    if (k > 0 && matrix.desc != nullptr && matrix.desc[ctxt_] == view.grids[0].ctxt)
      grid = view.grids[0], grid.which = matrix.which;
    else
      grid = grid_view(matrix, rosters);
    view.passed.values.matrices[k] = values_of(grid, matrix);
    if (grid.grid.member()) view.passed.sizes[k] = {matrix.desc[m_], matrix.desc[n_], matrix.desc[lld_]};
  }
  return view;
}

}  // namespace xredist::core
