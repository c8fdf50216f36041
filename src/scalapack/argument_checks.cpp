// SPDX-License-Identifier: BSD-3-Clause
// The checks of move.hpp: context, M and N, and the descriptor entries and first indices of each matrix.
#include <algorithm>
#include <utility>

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

Operand<const void*> operand_of(const MatrixMove& move, Which which) {
  const auto& [data, i, j, desc, rows, cols] = move.b;
  return which == Which::a ? move.a : Operand<const void*>{data, i, j, desc, rows, cols};
}

// The arguments that describe the rows, or the columns, of A and of B.
struct DimensionNames {
  Entry size, block, source;
  std::string_view partition_a, partition_b, first_a, first_b;
  const char* range;
};
constexpr DimensionNames names_of_rows{m_, mb_, rsrc_, "ROWS_A", "ROWS_B", "IA", "IB", "the grid's rows"};
constexpr DimensionNames names_of_columns{n_, nb_, csrc_, "COLS_A", "COLS_B", "JA", "JB", "the grid's columns"};

struct Count {
  std::string_view name;
  Index value;
};

// The rows or the columns of a matrix and of its submatrix, as passed.
struct Dimension {
  const DimensionNames& names;
  Which which;
  const xredist_int* desc;
  const xredist_partition* partition;
  Index procs;
  Index first;  // from 1
  Count count;  // of the submatrix

  Index size() const { return desc[names.size]; }
  ArgumentRef entry(Entry of_descriptor) const { return {descriptor_name(which), of_descriptor}; }
  ArgumentRef first_name() const { return {which == Which::a ? names.first_a : names.first_b}; }
  AxisArguments axis() const {
    return {.partition = partition,
            .block = desc[names.block],
            .source = desc[names.source],
            .procs = procs,
            .partition_name = {which == Which::a ? names.partition_a : names.partition_b},
            .block_name = entry(names.block),
            .source_name = entry(names.source),
            .range = names.range};
  }
};

// Checks that a submatrix that begins at 1 or later ends within the matrix. For PBLAS, the error names
// the first index.
MaybeError submatrix_end_error(const Routine& routine, const Dimension& d) {
  if (ends_within(d.first, d.count.value, d.size())) return {};  // before names are made
  const ArgumentRef wrong = routine.style == ErrorStyle::number ? d.first_name() : ArgumentRef{d.count.name};
  return end_error(name_of(routine, d.first_name()), d.first, wrong, d.count.value,
                   name_of(routine, d.entry(d.names.size)) + " = ", d.size());
}

// Checks the size, the axis and the submatrix. `empty`: an empty submatrix of PBLAS, which may begin anywhere.
MaybeError dimension_error(const Routine& routine, const Dimension& d, bool empty) {
  const ArgumentRef size_name = d.entry(d.names.size);
  if (MaybeError error = bounds_error(size_name, d.size(), routine.of_pblas && !empty ? 1 : 0)) return error;
  const AxisArguments axis = d.axis();
  if (MaybeError error = axis_error(axis)) {
    const bool lacks_partition =
        axis.partition == nullptr && axis.block == 0 && routine.has(axis.partition_name.argument);
    if (lacks_partition) error->reason += ", unless " + name_of(routine, axis.partition_name) + " is passed";
    return error;
  }
  if (axis.partition != nullptr)
    if (MaybeError error = last_bound_error(axis.partition_name, axis.partition, name_of(routine, size_name), d.size()))
      return error;
  if (MaybeError error = bounds_error(d.first_name(), d.first, 1)) return error;
  return empty ? MaybeError() : submatrix_end_error(routine, d);
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
  const Operand<const void*> matrix = operand_of(move, which);
  const Count m{"M", move.m}, n{"N", move.n};
  const bool swaps = which == Which::a && move.operation.transposed, empty = empty_in_pblas(routine, move);
  const Dimension rows{names_of_rows, which, matrix.desc, matrix.rows, grid.nprow, matrix.i, swaps ? n : m};
  const Dimension columns{names_of_columns, which, matrix.desc, matrix.cols, grid.npcol, matrix.j, swaps ? m : n};
  if (MaybeError error = dimension_error(routine, rows, empty)) return error;
  return dimension_error(routine, columns, empty);
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
  MaybeError error =
      bounds_error({descriptor_name(which), lld_}, desc[lld_], std::max<Index>(local_rows, routine.of_pblas ? 1 : 0));
  if (error && desc[lld_] < local_rows)
    error->reason +=
        ", the local rows on process (" + std::to_string(grid.myrow) + "," + std::to_string(grid.mycol) + ")";
  return error;
}

MaybeError arguments_error(const Routine& routine, const MatrixMove& move, const Grid& a, const Grid& b) {
  if (MaybeError error = size_error(routine, move.m, move.n)) return error;
  for (const auto& [which, grid] : {std::pair{Which::a, a}, {Which::b, b}})
    if (grid.member())
      if (MaybeError error = matrix_error(routine, move, which, grid)) return error;
  return {};
}

}  // namespace xredist::core
