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

// Returns the values of an axis on a member of the grid.
AxisValues axis_values(const Grid& grid, const MatrixArguments& matrix, int axis) {
  const xredist_partition* const partition = at(matrix.partitions, axis);
  const Index first = at(matrix.first, axis);
  if (partition != nullptr) [[unlikely]]
    return {grid.procs(axis), 0, 0, first, fingerprint(partition)};
  return {grid.procs(axis), matrix.desc[mb_ + axis], matrix.desc[rsrc_ + axis], first, 0};
}

MatrixValues values_of(const GridView& view, const MatrixArguments& matrix) {
  if (view.grid.member()) return {{axis_values(view.grid, matrix, 0), axis_values(view.grid, matrix, 1)}, view.roster};
  MatrixValues values;
  for (int k = 0; k < 2; ++k) at(values.axes, k).partition = fingerprint(at(matrix.partitions, k));
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
