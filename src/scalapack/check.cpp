// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "api/arguments.hpp"
#include "api/operation.hpp"
#include "scalapack/call.hpp"

namespace xredist::core {
namespace {

// Checks that a submatrix ends within the matrix. In PBLAS an empty submatrix may begin anywhere, and the first index
// is the argument that is wrong.
Checked end_error(const Call& call, const ArgumentRef& first_name, Index first, const ArgumentRef& count_name,
                  Index count, const ArgumentRef& whole_name, Index whole) {
  if (call.of_pblas() && (call.m == 0 || call.n == 0)) return {};
  if (first < 1 || (first - 1 <= whole && count <= whole - (first - 1))) return {};
  return value_error(call.of_pblas() && call.returns_errors ? first_name : count_name, count,
                     ": with " + name_of(call, first_name) + " = " + std::to_string(first) + " it reaches beyond " +
                         name_of(call, whole_name) + " = " + std::to_string(whole));
}

// Checks the partition of a dimension whose size in the descriptor is `size`.
Checked partition_error(const Call& call, const ArgumentRef& argument, const xredist_partition* partition, Index procs,
                        const ArgumentRef& size_argument, Index size) {
  if (Checked error = partition_error(argument, partition, procs); error || partition == nullptr) return error;
  const Index last = partition->bounds[partition->count];
  if (last == size) return {};
  return ArgumentError{argument, ": the last of bounds is " + std::to_string(last) + ", must be " +
                                     name_of(call, size_argument) + " = " + std::to_string(size)};
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
  const bool a = which == Which::a;
  const xredist_int* desc = a ? call.a.desc : call.b.desc;
  const auto [i, j] = a ? std::pair{call.a.i, call.a.j} : std::pair{call.b.i, call.b.j};
  const auto [row_partition, col_partition] =
      a ? std::pair{call.a.rows, call.a.cols} : std::pair{call.b.rows, call.b.cols};
  const ArgumentRef i_name{a ? "IA" : "IB"}, j_name{a ? "JA" : "JB"};
  const auto entry = [&](int e) { return ArgumentRef{a ? "DESCA" : "DESCB", e}; };

  const bool transposed = a && transposes(call.operation);
  const ArgumentRef rows_name{transposed ? "N" : "M"}, cols_name{transposed ? "M" : "N"};
  const Index submatrix_rows = transposed ? call.n : call.m, submatrix_cols = transposed ? call.m : call.n;
  const auto cyclic = [](const xredist_partition* partition, const Checked& error) {
    return partition == nullptr ? error : Checked{};
  };

  // In PBLAS a matrix has no size 0 unless the submatrix is empty, and no leading dimension is 0.
  const bool of_pblas = call.of_pblas(), empty = call.m == 0 || call.n == 0;
  const Index min_size = of_pblas && !empty ? 1 : 0;
  Checked error = first_of({
      bounds_error(entry(m_), desc[m_], min_size),
      bounds_error(entry(n_), desc[n_], min_size),
      cyclic(row_partition, bounds_error(entry(mb_), desc[mb_], 1)),
      cyclic(col_partition, bounds_error(entry(nb_), desc[nb_], 1)),
      cyclic(row_partition, range_error(entry(rsrc_), desc[rsrc_], grid.nprow, "the grid's rows")),
      cyclic(col_partition, range_error(entry(csrc_), desc[csrc_], grid.npcol, "the grid's columns")),
      partition_error(call, {a ? "ROWS_A" : "ROWS_B"}, row_partition, grid.nprow, entry(m_), desc[m_]),
      partition_error(call, {a ? "COLS_A" : "COLS_B"}, col_partition, grid.npcol, entry(n_), desc[n_]),
      bounds_error(i_name, i, 1),
      end_error(call, i_name, i, rows_name, submatrix_rows, entry(m_), desc[m_]),
      bounds_error(j_name, j, 1),
      end_error(call, j_name, j, cols_name, submatrix_cols, entry(n_), desc[n_]),
  });
  if (error || call.form == Form::gridmap) return error;
  const Axis rows = make_axis(row_partition, desc[mb_], grid.nprow, desc[rsrc_], 0);
  const Axis cols{desc[nb_], grid.npcol, desc[csrc_], 0};
  const bool holds_columns = col_partition != nullptr || local_count(cols, grid.mycol, desc[n_]) > 0;
  const Index local_rows = holds_columns && !(of_pblas && empty) ? local_count(rows, grid.myrow, desc[m_]) : 0;
  error = bounds_error(entry(lld_), desc[lld_], std::max<Index>(local_rows, of_pblas ? 1 : 0));
  if (error && desc[lld_] < local_rows)
    error->reason +=
        ", the local rows on process (" + std::to_string(grid.myrow) + "," + std::to_string(grid.mycol) + ")";
  return error;
}

}  // namespace xredist::core
