// SPDX-License-Identifier: BSD-3-Clause
// The functions of xredist.h and array.h that map a matrix or an array to local arrays. They need a layout, and neither
// MPI nor a communicator.
#include "api/local_arrays.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <string_view>

#include "api/arguments.hpp"
#include "api/array_layout.hpp"
#include "api/failure.hpp"
#include "api/layout_arguments.hpp"
#include "layout/partition.hpp"

namespace xredist::core {
namespace {

// Checks a layout but its ranks, for which there is no communicator.
MaybeError error_without_ranks(const xredist_layout* layout, Index max_processes) {
  if (layout == nullptr) return null_error({"layout"}, layout);
  xredist_layout without_ranks = *layout;
  without_ranks.ranks = nullptr;
  return layout_error("layout", &without_ranks, max_processes);
}

// Checks a layout and the size of a matrix on it.
MaybeError matrix_error(const xredist_layout* layout, Index m, Index n) {
  constexpr Index any_number = std::numeric_limits<Index>::max();
  if (MaybeError error = first_of({null_error({"layout"}, layout), bounds_error({"m"}, m, 0), bounds_error({"n"}, n, 0),
                                   error_without_ranks(layout, any_number)}))
    return error;
  return first_of({beyond_error({{"m"}, m}, layout->rows), beyond_error({{"n"}, n}, layout->cols)});
}

// Checks indices of rows, or of columns, that count from 1.
MaybeError indices_error(std::string_view name, const Index* indices, Index count, const xredist_partition* partition) {
  if (count > 0 && indices == nullptr) return null_error({name}, nullptr);
  const Index max = partition != nullptr ? partition->bounds[partition->count] : max_elements;
  const auto* wrong = std::find_if(indices, indices + count, [&](Index index) { return index < 1 || index > max; });
  if (wrong == indices + count) return {};
  const MaybeError error = first_of({bounds_error({}, *wrong, 1), beyond_error({{}, *wrong}, partition)});
  return ArgumentError{{name}, Text() << "[" << wrong - indices << "]" << error->reason};
}

}  // namespace

LocalSize local_size(const xredist_layout* layout, Index m, Index n, int rank) {
  demand(matrix_error(layout, m, n));
  const std::array shape{m, n};
  std::array<Index, 2> local{};
  set_local_shape(AsArray(*layout).get(), shape.data(), rank, local.data());
  return {local[0], local[1]};
}

void local_to_global(const xredist_layout* layout, Index m, Index n, int rank, Index rows[], Index cols[]) {
  demand(matrix_error(layout, m, n));
  const auto process = coordinates_of(AsArray(*layout).get(), rank);
  if (!process) return;
  const Layout axes = layout_of(*layout, 1, 1);
  if (rows != nullptr) list_elements(axes.rows, (*process)[0], m, 1, rows);
  if (cols != nullptr) list_elements(axes.cols, (*process)[1], n, 1, cols);
}

void global_to_local(const xredist_layout* layout, Index count, const Index rows[], const Index cols[], int ranks[],
                     Index local_rows[], Index local_cols[]) {
  demand(first_of({error_without_ranks(layout, std::numeric_limits<int>::max()), bounds_error({"count"}, count, 0)}));
  demand(
      first_of({indices_error("rows", rows, count, layout->rows), indices_error("cols", cols, count, layout->cols)}));
  const Layout axes = layout_of(*layout, 1, 1);
  for (Index k = 0; k < count; ++k) {
    const Index i = rows[k] - 1, j = cols[k] - 1;
    const BlockScan row(axes.rows, i), col(axes.cols, j);
    const Index position = row.owner() * layout->npcol + col.owner();
    if (ranks != nullptr) ranks[k] = layout->ranks == nullptr ? static_cast<int>(position) : layout->ranks[position];
    if (local_rows != nullptr) local_rows[k] = row.local(i) + 1;
    if (local_cols != nullptr) local_cols[k] = col.local(j) + 1;
  }
}

}  // namespace xredist::core

using namespace xredist::core;

int xredist_local_size(const xredist_layout* layout, int64_t m, int64_t n, int rank, int64_t* rows, int64_t* cols) {
  return coded([&] {
    demand(first_of({null_error({"rows"}, rows), null_error({"cols"}, cols)}));
    const LocalSize size = local_size(layout, m, n, rank);
    *rows = size.rows, *cols = size.cols;
  });
}

int xredist_array_local_shape(const xredist_array_layout* layout, const std::int64_t shape[], int rank,
                              std::int64_t local[]) {
  return coded([&] {
    demand(first_of({null_error({"layout"}, layout), null_error({"shape"}, shape), null_error({"local"}, local)}));
    xredist_array_layout whole = *layout;
    whole.shape = nullptr, whole.ranks = nullptr;  // there is no communicator of which they could be ranks
    demand(layout_error("layout", &whole, std::numeric_limits<int>::max()));
    for (int k = 0; k < whole.dims; ++k) {
      demand(bounds_error({"shape", k, "[]"}, shape[k], 0));
      demand(beyond_error({{"shape", k, "[]"}, shape[k]}, whole.axes[k].partition));
    }
    whole.shape = shape, whole.ranks = layout->ranks;
    set_local_shape(whole, shape, rank, local);
  });
}

int xredist_local_to_global(const xredist_layout* layout, int64_t m, int64_t n, int rank, int64_t rows[],
                            int64_t cols[]) {
  return coded([&] { local_to_global(layout, m, n, rank, rows, cols); });
}

int xredist_global_to_local(const xredist_layout* layout, int64_t count, const int64_t rows[], const int64_t cols[],
                            int ranks[], int64_t local_rows[], int64_t local_cols[]) {
  return coded([&] { global_to_local(layout, count, rows, cols, ranks, local_rows, local_cols); });
}
