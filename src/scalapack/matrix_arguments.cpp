// SPDX-License-Identifier: BSD-3-Clause
#include "scalapack/matrix_arguments.hpp"

#include <algorithm>

namespace xredist::core {
namespace {

// Returns whether the submatrix of a PBLAS routine is empty: then the matrix may have no rows and needs no leading
// dimension.
bool empty_in_pblas(const Routine& routine, const SubmatrixSize& size) {
  return routine.of_pblas && (size[0].value == 0 || size[1].value == 0);
}

// An axis of a matrix and of its submatrix, as passed.
struct Dimension {
  const Routine& routine;
  const MatrixArguments& matrix;
  int axis;
  Index procs;
  Count count;  // of the submatrix

  Index size() const { return matrix.desc[m_ + axis]; }
  Index first() const { return at(matrix.first, axis); }
  ArgumentRef entry(int of_rows) const { return {descriptor_name(matrix.which), of_rows + axis}; }
  ArgumentRef first_argument() const { return {first_name(matrix.which, axis)}; }
  AxisArguments arguments() const {
    return {.partition = at(matrix.partitions, axis),
            .block = matrix.desc[mb_ + axis],
            .source = matrix.desc[rsrc_ + axis],
            .procs = procs,
            .partition_name = {partition_name(routine, matrix.which, axis)},
            .block_name = entry(mb_),
            .source_name = entry(rsrc_),
            .range = axis == 0 ? "the grid's rows" : "the grid's columns"};
  }
};

// Checks that a submatrix that begins at 1 or later ends within the matrix. For PBLAS, the error names
// the first index.
MaybeError submatrix_end_error(const Dimension& d) {
  if (ends_within(d.first(), d.count.value, d.size())) return {};  // before names are made
  const ArgumentRef wrong = d.routine.style == ErrorStyle::number ? d.first_argument() : ArgumentRef{d.count.name};
  return end_error(name_of(d.routine, d.first_argument()), d.first(), wrong, d.count.value,
                   name_of(d.routine, d.entry(m_)) << " = ", d.size());
}

// Checks the list that takes the place of neighbours.
MaybeError list_error(const Dimension& d, const ListArguments& list) {
  const Routine& routine = d.routine;
  if (d.first() != 1)
    return value_error(d.first_argument(), d.first(), Text() << ", must be 1 with " << name_of(routine, list.name));
  return entries_error(list, d.count.value, name_of(routine, d.entry(m_)), d.size());
}

// Checks the size, the axis and the submatrix. `empty`: an empty submatrix of PBLAS, which may begin anywhere.
MaybeError dimension_error(const Dimension& d, bool empty) {
  const Routine& routine = d.routine;
  const ArgumentRef size_name = d.entry(m_);
  if (MaybeError error = bounds_error(size_name, d.size(), routine.of_pblas && !empty ? 1 : 0)) return error;
  const AxisArguments axis = d.arguments();
  if (MaybeError error = axis_error(axis)) {
    const bool lacks_partition =
        axis.partition == nullptr && axis.block == 0 && routine.has(axis.partition_name.argument);
    if (lacks_partition) error->reason << ", unless " << name_of(routine, axis.partition_name) << " is passed";
    return error;
  }
  if (axis.partition != nullptr)
    if (MaybeError error = last_bound_error(axis.partition_name, axis.partition, name_of(routine, size_name), d.size()))
      return error;
  if (MaybeError error = bounds_error(d.first_argument(), d.first(), 1)) return error;
  if (const Lists* lists = d.matrix.lists; lists != nullptr && at(*lists, d.axis).entries != nullptr)
    return list_error(d, at(*lists, d.axis));
  return empty ? MaybeError() : submatrix_end_error(d);
}

}  // namespace

std::string_view partition_name(const Routine& routine, Which which, int axis) {
  const std::string_view alone = axis == 0 ? "ROWS" : "COLS";
  if (routine.has(alone)) return alone;
  if (which == Which::a) return axis == 0 ? "ROWS_A" : "COLS_A";
  return axis == 0 ? "ROWS_B" : "COLS_B";
}

MaybeError context_error(const ArgumentRef& argument, xredist_int ctxt) {
  return grid_of(ctxt).member() ? MaybeError() : value_error(argument, ctxt, ", not a context with this process");
}

MaybeError size_error(const Routine& routine, Index m, Index n) {
  return first_of({
      bounds_error({"M"}, m, 0),
      bounds_error({"N"}, n, 0),
      too_large(m, n) ? value_error({"N"}, n,
                                    Text() << ": with " << name_of(routine, {"M"}) << " = " << m
                                           << " these are 2^59 elements or more")
                      : MaybeError{},
  });
}

MaybeError dimensions_error(const Routine& routine, const MatrixArguments& matrix, const SubmatrixSize& size,
                            const Grid& grid) {
  const bool empty = empty_in_pblas(routine, size);
  for (int k = 0; k < 2; ++k)
    if (MaybeError error = dimension_error({routine, matrix, k, grid.procs(k), at(size, k)}, empty)) return error;
  return {};
}

MaybeError matrix_error(const Routine& routine, const MatrixArguments& matrix, const SubmatrixSize& size,
                        const Grid& grid) {
  const xredist_int* const desc = matrix.desc;
  if (MaybeError error = dimensions_error(routine, matrix, size, grid)) {
    // The process is in context 0, but probably not in the grid of the matrix.
    if (std::all_of(desc, desc + lld_ + 1, [](xredist_int entry) { return entry == 0; }))
      error->reason << ". All entries are 0: outside the grid of the matrix, pass -1 in entry 2 (CTXT_)";
    return error;
  }
  const Axis cols{desc[nb_], grid.npcol, desc[csrc_], 0};
  const bool holds_columns = matrix.partitions[1] != nullptr || local_count(cols, grid.mycol, desc[n_]) > 0;
  const bool holds_elements = holds_columns && !empty_in_pblas(routine, size);
  const Index local_rows = holds_elements ? local_extent(matrix.axis(0, grid.nprow), grid.myrow, desc[m_]) : 0;
  MaybeError error = bounds_error({descriptor_name(matrix.which), lld_}, desc[lld_],
                                  std::max<Index>(local_rows, routine.of_pblas ? 1 : 0));
  if (error && desc[lld_] < local_rows)
    error->reason << ", the local rows on process (" << grid.myrow << "," << grid.mycol << ")";
  return error;
}

}  // namespace xredist::core
