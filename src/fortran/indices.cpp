// SPDX-License-Identifier: BSD-3-Clause
// XREDIST_LOCAL_TO_GLOBAL and XREDIST_GLOBAL_TO_LOCAL of module xredist: INDXL2G, INDXG2P and INDXG2L, for partitions
// too. Both describe the matrix by a layout of the C interface, whose functions find the elements.
#include <string>
#include <vector>

#include "api/local_arrays.hpp"
#include "fortran/described.hpp"
#include "fortran/info.hpp"
#include "fortran/owned_layout.hpp"
#include "scalapack/blacs.hpp"
#include "scalapack/matrix_arguments.hpp"

// Last, because other headers remove its macro XREDIST_API.
#include "xredist/begin.h"

namespace xredist::core {
namespace {

// Checks that an array has an element for each local row, or column.
MaybeError length_error(const char* name, const CFI_cdesc_t& array, Index needed) {
  const Index length = size_of_vector(array);
  if (length >= needed) return {};
  return ArgumentError{{name}, Text() << " has " << length << " elements, must have " << needed};
}

void list_indices(const xredist_layout& layout, Index m, Index n, int rank, const CFI_cdesc_t& global_rows,
                  const CFI_cdesc_t& global_cols) {
  const auto [rows, cols] = local_size(&layout, m, n, rank);
  demand(first_of({length_error("global_rows", global_rows, rows), length_error("global_cols", global_cols, cols)}));
  std::vector<Index> i(as_size(rows)), j(as_size(cols));
  local_to_global(&layout, m, n, rank, i.data(), j.data());
  set_integers(global_rows, i);
  set_integers(global_cols, j);
}

// Checks the index of a row, or of a column, from 1 to `last`.
MaybeError index_error(const char* name, Index index, Index last) {
  if (index >= 1 && index <= last) return {};
  return value_error({name}, index, Text() << ", must be in 1 .. " << last);
}

// Returns the number of rows, or columns, of a matrix that a layout may have.
Index last_of(const OwnedPartition& partition) {
  return partition.present && !partition.bounds.empty() ? partition.bounds.back() : max_elements;
}

// An element of a matrix: its process, and its indices in the local array.
struct IndexPlace {
  int rank = -1;
  Index row = 0, col = 0;
};

IndexPlace place_of(const xredist_layout& layout, Index row, Index col) {
  IndexPlace place;
  global_to_local(&layout, 1, &row, &col, &place.rank, &place.row, &place.col);
  return place;
}

}  // namespace
}  // namespace xredist::core

using namespace xredist::core;

extern "C" {

XREDIST_API void xredist_fortran_local_to_global_blacs(const xredist_int* desc, const CFI_cdesc_t* global_rows,
                                                       const CFI_cdesc_t* global_cols, XREDIST_KEYWORDS_ONLY,
                                                       const CFI_cdesc_t* rows, const CFI_cdesc_t* cols,
                                                       const CFI_cdesc_t* owners_rows, const CFI_cdesc_t* owners_cols,
                                                       const CFI_cdesc_t* places_rows, const CFI_cdesc_t* places_cols,
                                                       xredist_int* info) {
  const int code = coded_in_fortran([&] {
    const Grid grid = grid_of(desc[ctxt_]);
    if (!grid.member()) return;
    const OwnedLayout owned = described(desc, grid, rows, cols, owners_rows, owners_cols, places_rows, places_cols);
    list_indices(owned.get(), desc[m_], desc[n_], position_in(grid), *global_rows, *global_cols);
  });
  set_info("XREDIST_LOCAL_TO_GLOBAL", code, info);
}

XREDIST_API void xredist_fortran_local_to_global_comm(
    const FortranLayout* layout, const xredist_int* m, const xredist_int* n, const xredist_int* rank,
    const CFI_cdesc_t* global_rows, const CFI_cdesc_t* global_cols, XREDIST_KEYWORDS_ONLY, const CFI_cdesc_t* rows,
    const CFI_cdesc_t* cols, const CFI_cdesc_t* owners_rows, const CFI_cdesc_t* owners_cols,
    const CFI_cdesc_t* places_rows, const CFI_cdesc_t* places_cols, const CFI_cdesc_t* ranks, xredist_int* info) {
  const int code = coded_in_fortran([&] {
    const OwnedLayout owned(*layout, ranks, "ranks", {rows, owners_rows, places_rows, "rows"},
                            {cols, owners_cols, places_cols, "cols"});
    list_indices(owned.get(), *m, *n, narrowed(*rank), *global_rows, *global_cols);
  });
  set_info("XREDIST_LOCAL_TO_GLOBAL", code, info);
}

XREDIST_API void xredist_fortran_global_to_local_blacs(
    const xredist_int* desc, const xredist_int* global_row, const xredist_int* global_col, xredist_int* prow,
    xredist_int* pcol, xredist_int* local_row, xredist_int* local_col, XREDIST_KEYWORDS_ONLY, const CFI_cdesc_t* rows,
    const CFI_cdesc_t* cols, const CFI_cdesc_t* owners_rows, const CFI_cdesc_t* owners_cols,
    const CFI_cdesc_t* places_rows, const CFI_cdesc_t* places_cols, xredist_int* info) {
  const int code = coded_in_fortran([&] {
    *prow = *pcol = -1;
    *local_row = *local_col = 0;
    demand(context_error({"desc, entry 2 (CTXT_)"}, desc[ctxt_]));
    const Grid grid = grid_of(desc[ctxt_]);
    const OwnedLayout owned = described(desc, grid, rows, cols, owners_rows, owners_cols, places_rows, places_cols);
    demand(
        first_of({index_error("global_row", *global_row, desc[m_]), index_error("global_col", *global_col, desc[n_])}));
    const IndexPlace place = place_of(owned.get(), *global_row, *global_col);
    *prow = place.rank / grid.npcol, *pcol = place.rank % grid.npcol;
    *local_row = static_cast<xredist_int>(place.row), *local_col = static_cast<xredist_int>(place.col);
  });
  set_info("XREDIST_GLOBAL_TO_LOCAL", code, info);
}

XREDIST_API void xredist_fortran_global_to_local_comm(
    const FortranLayout* layout, const xredist_int* global_row, const xredist_int* global_col, xredist_int* rank,
    xredist_int* local_row, xredist_int* local_col, XREDIST_KEYWORDS_ONLY, const CFI_cdesc_t* rows,
    const CFI_cdesc_t* cols, const CFI_cdesc_t* owners_rows, const CFI_cdesc_t* owners_cols,
    const CFI_cdesc_t* places_rows, const CFI_cdesc_t* places_cols, const CFI_cdesc_t* ranks, xredist_int* info) {
  const int code = coded_in_fortran([&] {
    *rank = -1;
    *local_row = *local_col = 0;
    const OwnedLayout owned(*layout, ranks, "ranks", {rows, owners_rows, places_rows, "rows"},
                            {cols, owners_cols, places_cols, "cols"});
    demand(first_of({index_error("global_row", *global_row, last_of(owned.rows)),
                     index_error("global_col", *global_col, last_of(owned.cols))}));
    const IndexPlace place = place_of(owned.get(), *global_row, *global_col);
    *rank = place.rank;
    *local_row = static_cast<xredist_int>(place.row), *local_col = static_cast<xredist_int>(place.col);
  });
  set_info("XREDIST_GLOBAL_TO_LOCAL", code, info);
}

}  // extern "C"
