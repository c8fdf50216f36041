// SPDX-License-Identifier: BSD-3-Clause
// The checks of move.hpp: context, M and N, and the descriptor entries and first indices of each matrix.
#include <algorithm>

#include "api/arguments.hpp"
#include "api/operation.hpp"
#include "scalapack/move.hpp"

namespace xredist::core {
namespace {

// Returns whether the submatrix of a PBLAS routine is empty: then the matrix may have no rows and needs no leading
// dimension.
bool empty_in_pblas(const Routine& routine, const MatrixMove& move) {
  return routine.of_pblas && (move.m == 0 || move.n == 0);
}

// Checks that a submatrix that begins at 1 or later ends within the matrix. In PBLAS an empty submatrix may begin
// anywhere, and the first index is the argument that is wrong.
MaybeError submatrix_end_error(const Routine& routine, const ArgumentRef& first_name, Index first,
                               const ArgumentRef& count_name, Index count, const ArgumentRef& whole_name, Index whole) {
  if (ends_within(first, count, whole)) return {};  // before names are made
  return end_error(name_of(routine, first_name), first, routine.style == ErrorStyle::number ? first_name : count_name,
                   count, name_of(routine, whole_name) + " = ", whole);
}

Operand<const void*> operand_of(const MatrixMove& move, Which which) {
  const auto& [data, i, j, desc, rows, cols] = move.b;
  return which == Which::a ? move.a : Operand<const void*>{data, i, j, desc, rows, cols};
}

// Checks the rows (or else the columns) of a matrix and of its submatrix.
MaybeError dimension_error(const Routine& routine, const MatrixMove& move, Which which, bool rows, Index procs) {
  const bool a = which == Which::a;
  const Operand<const void*> matrix = operand_of(move, which);
  // The entry of the columns follows the one of the rows: M_ and N_, MB_ and NB_, RSRC_ and CSRC_.
  const xredist_int* const desc = rows ? matrix.desc : matrix.desc + 1;
  const auto entry = [&](int of_rows) { return ArgumentRef{a ? "DESCA" : "DESCB", rows ? of_rows : of_rows + 1}; };
  const auto name = [&](const char* in_a, const char* in_b) { return ArgumentRef{a ? in_a : in_b}; };
  const AxisArguments axis{.partition = rows ? matrix.rows : matrix.cols,
                           .block = desc[mb_],
                           .source = desc[rsrc_],
                           .procs = procs,
                           .partition_name = rows ? name("ROWS_A", "ROWS_B") : name("COLS_A", "COLS_B"),
                           .block_name = entry(mb_),
                           .source_name = entry(rsrc_),
                           .range = rows ? "the grid's rows" : "the grid's columns"};
  const Index min_size = routine.of_pblas && !empty_in_pblas(routine, move) ? 1 : 0;
  if (MaybeError error = bounds_error(entry(m_), desc[m_], min_size)) return error;
  if (MaybeError error = axis_error(axis)) {
    const bool lacks_partition =
        axis.partition == nullptr && axis.block == 0 && routine.has(axis.partition_name.argument);
    if (lacks_partition) error->reason += ", unless " + name_of(routine, axis.partition_name) + " is passed";
    return error;
  }
  if (axis.partition != nullptr)
    if (MaybeError error = last_bound_error(axis.partition_name, axis.partition, name_of(routine, entry(m_)), desc[m_]))
      return error;
  const ArgumentRef first_name = rows ? name("IA", "IB") : name("JA", "JB");
  const Index first = rows ? matrix.i : matrix.j;
  if (MaybeError error = bounds_error(first_name, first, 1)) return error;
  const bool counts_m = rows != (a && move.operation.transposed);
  if (empty_in_pblas(routine, move)) return {};
  return submatrix_end_error(routine, first_name, first, {counts_m ? "M" : "N"}, counts_m ? move.m : move.n, entry(m_),
                             desc[m_]);
}

}  // namespace

MaybeError context_error(const ArgumentRef& argument, xredist_int ctxt) {
  return grid_of(ctxt).member() ? MaybeError() : value_error(argument, ctxt, ", not a context with this process");
}

MaybeError size_error(const Routine& routine, Index m, Index n) {
  return first_of({
      bounds_error({"M"}, m, 0),
      bounds_error({"N"}, n, 0),
      too_large(m, n) ? product_error(name_of(routine, {"M"}), m, {"N"}, n) : MaybeError{},
  });
}

MaybeError dimensions_error(const Routine& routine, const MatrixMove& move, Which which, const Grid& grid) {
  if (MaybeError error = dimension_error(routine, move, which, true, grid.nprow)) return error;
  return dimension_error(routine, move, which, false, grid.npcol);
}

MaybeError matrix_error(const Routine& routine, const MatrixMove& move, Which which, const Grid& grid) {
  if (MaybeError error = dimensions_error(routine, move, which, grid)) return error;
  const Operand<const void*> matrix = operand_of(move, which);
  const xredist_int* const desc = matrix.desc;
  const Axis rows = make_axis(matrix.rows, desc[mb_], grid.nprow, desc[rsrc_], 0);
  const Axis cols{desc[nb_], grid.npcol, desc[csrc_], 0};
  const bool holds_columns = matrix.cols != nullptr || local_count(cols, grid.mycol, desc[n_]) > 0;
  const bool holds_elements = holds_columns && !empty_in_pblas(routine, move);
  const Index local_rows = holds_elements ? local_count(rows, grid.myrow, desc[m_]) : 0;
  MaybeError error = bounds_error({which == Which::a ? "DESCA" : "DESCB", lld_}, desc[lld_],
                                  std::max<Index>(local_rows, routine.of_pblas ? 1 : 0));
  if (error && desc[lld_] < local_rows)
    error->reason +=
        ", the local rows on process (" + std::to_string(grid.myrow) + "," + std::to_string(grid.mycol) + ")";
  return error;
}

}  // namespace xredist::core
