// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "api/arguments.hpp"
#include "api/operation.hpp"
#include "scalapack/call.hpp"

namespace xredist::core {
namespace {

// Returns whether the submatrix of a PBLAS routine is empty: then the matrix may have no rows and needs no leading
// dimension.
bool empty_in_pblas(const Call& call) { return call.of_pblas() && (call.m == 0 || call.n == 0); }

// Checks that a submatrix that begins at 1 or later ends within the matrix. In PBLAS an empty submatrix may begin
// anywhere, and the first index is the argument that is wrong.
Checked end_error(const Call& call, const ArgumentRef& first_name, Index first, const ArgumentRef& count_name,
                  Index count, const ArgumentRef& whole_name, Index whole) {
  if (empty_in_pblas(call) || (first - 1 <= whole && count <= whole - (first - 1))) return {};
  return value_error(call.of_pblas() && call.returns_errors ? first_name : count_name, count,
                     ": with " + name_of(call, first_name) + " = " + std::to_string(first) + " it reaches beyond " +
                         name_of(call, whole_name) + " = " + std::to_string(whole));
}

Operand<const void*> operand_of(const Call& call, Which which) {
  const auto& [data, i, j, desc, rows, cols] = call.b;
  return which == Which::a ? call.a : Operand<const void*>{data, i, j, desc, rows, cols};
}

// Checks the rows (or else the columns) of a matrix and of its submatrix.
Checked dimension_error(const Call& call, Which which, bool rows, Index procs) {
  const bool a = which == Which::a;
  const Operand<const void*> matrix = operand_of(call, which);
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
  const Index min_size = call.of_pblas() && !empty_in_pblas(call) ? 1 : 0;
  if (Checked error = bounds_error(entry(m_), desc[m_], min_size)) return error;
  if (Checked error = axis_error(axis)) return error;
  if (axis.partition != nullptr)
    if (Checked error = last_bound_error(axis.partition_name, *axis.partition, name_of(call, entry(m_)), desc[m_]))
      return error;
  const ArgumentRef first_name = rows ? name("IA", "IB") : name("JA", "JB");
  const Index first = rows ? matrix.i : matrix.j;
  if (Checked error = bounds_error(first_name, first, 1)) return error;
  const bool counts_m = rows != (a && transposes(call.operation));
  return end_error(call, first_name, first, {counts_m ? "M" : "N"}, counts_m ? call.m : call.n, entry(m_), desc[m_]);
}

}  // namespace

Checked context_error(const ArgumentRef& argument, xredist_int ctxt) {
  return grid_of(ctxt).member() ? Checked() : value_error(argument, ctxt, ", not a context with this process");
}

Checked size_error(const Call& call) {
  return first_of({
      bounds_error({"M"}, call.m, 0),
      bounds_error({"N"}, call.n, 0),
      too_large(call.m, call.n) ? value_error({"N"}, call.n,
                                              ": with " + name_of(call, {"M"}) + " = " + std::to_string(call.m) +
                                                  " these are 2^59 elements or more")
                                : Checked{},
  });
}

Checked matrix_error(const Call& call, Which which, const Grid& grid) {
  if (Checked error = dimension_error(call, which, true, grid.nprow)) return error;
  if (Checked error = dimension_error(call, which, false, grid.npcol)) return error;
  if (call.form == Form::gridmap) return {};
  const Operand<const void*> matrix = operand_of(call, which);
  const xredist_int* const desc = matrix.desc;
  const Axis rows = make_axis(matrix.rows, desc[mb_], grid.nprow, desc[rsrc_], 0);
  const Axis cols{desc[nb_], grid.npcol, desc[csrc_], 0};
  const bool holds_columns = matrix.cols != nullptr || local_count(cols, grid.mycol, desc[n_]) > 0;
  const Index local_rows = holds_columns && !empty_in_pblas(call) ? local_count(rows, grid.myrow, desc[m_]) : 0;
  Checked error = bounds_error({which == Which::a ? "DESCA" : "DESCB", lld_}, desc[lld_],
                               std::max<Index>(local_rows, call.of_pblas() ? 1 : 0));
  if (error && desc[lld_] < local_rows)
    error->reason +=
        ", the local rows on process (" + std::to_string(grid.myrow) + "," + std::to_string(grid.mycol) + ")";
  return error;
}

}  // namespace xredist::core
