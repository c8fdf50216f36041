// SPDX-License-Identifier: BSD-3-Clause
#include "scalapack/matrix_arguments.hpp"

#include <algorithm>

namespace xredist::core {
namespace {

// Returns whether the submatrix of a PBLAS routine is empty: then the matrix may have no rows and needs no leading
// dimension.
bool empty_in_pblas(const Routine& routine, const SubmatrixSize& size) {
  return routine.of_pblas && (size.rows.value == 0 || size.cols.value == 0);
}

// The arguments that describe the rows, or the columns, of A and of B.
struct DimensionNames {
  Entry size, block, source;
  std::string_view first_a, first_b;
  const char* range;
};
constexpr DimensionNames names_of_rows{m_, mb_, rsrc_, "IA", "IB", "the grid's rows"};
constexpr DimensionNames names_of_columns{n_, nb_, csrc_, "JA", "JB", "the grid's columns"};

// The rows or the columns of a matrix and of its submatrix, as passed.
struct Dimension {
  const DimensionNames& names;
  Which which;
  const xredist_int* desc;
  const xredist_partition* partition;
  Index procs;
  Index first;  // from 1
  Count count;  // of the submatrix
  std::string_view partition_name;

  Index size() const { return desc[names.size]; }
  ArgumentRef entry(Entry of_descriptor) const { return {descriptor_name(which), of_descriptor}; }
  ArgumentRef first_name() const { return {which == Which::a ? names.first_a : names.first_b}; }
  AxisArguments axis() const {
    return {.partition = partition,
            .block = desc[names.block],
            .source = desc[names.source],
            .procs = procs,
            .partition_name = {partition_name},
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

std::string_view partition_name(const Routine& routine, Which which, bool of_rows) {
  const std::string_view alone = of_rows ? "ROWS" : "COLS";
  if (routine.has(alone)) return alone;
  if (which == Which::a) return of_rows ? "ROWS_A" : "COLS_A";
  return of_rows ? "ROWS_B" : "COLS_B";
}

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

MaybeError dimensions_error(const Routine& routine, const MatrixArguments& matrix, const SubmatrixSize& size,
                            const Grid& grid) {
  const auto& [which, desc, i, j, rows, cols] = matrix;
  const bool empty = empty_in_pblas(routine, size);
  if (MaybeError error = dimension_error(
          routine, {names_of_rows, which, desc, rows, grid.nprow, i, size.rows, partition_name(routine, which, true)},
          empty))
    return error;
  return dimension_error(
      routine, {names_of_columns, which, desc, cols, grid.npcol, j, size.cols, partition_name(routine, which, false)},
      empty);
}

MaybeError matrix_error(const Routine& routine, const MatrixArguments& matrix, const SubmatrixSize& size,
                        const Grid& grid) {
  const xredist_int* const desc = matrix.desc;
  if (MaybeError error = dimensions_error(routine, matrix, size, grid)) {
    // The process is in context 0, but probably not in the grid of the matrix.
    if (std::all_of(desc, desc + lld_ + 1, [](xredist_int entry) { return entry == 0; }))
      error->reason += ". All entries are 0: outside the grid of the matrix, pass -1 in entry 2 (CTXT_)";
    return error;
  }
  const Axis rows = make_axis(matrix.rows, desc[mb_], grid.nprow, desc[rsrc_], 0);
  const Axis cols{desc[nb_], grid.npcol, desc[csrc_], 0};
  const bool holds_columns = matrix.cols != nullptr || local_count(cols, grid.mycol, desc[n_]) > 0;
  const bool holds_elements = holds_columns && !empty_in_pblas(routine, size);
  const Index local_rows = holds_elements ? local_count(rows, grid.myrow, desc[m_]) : 0;
  MaybeError error = bounds_error({descriptor_name(matrix.which), lld_}, desc[lld_],
                                  std::max<Index>(local_rows, routine.of_pblas ? 1 : 0));
  if (error && desc[lld_] < local_rows)
    error->reason +=
        ", the local rows on process (" + std::to_string(grid.myrow) + "," + std::to_string(grid.mycol) + ")";
  return error;
}

}  // namespace xredist::core
