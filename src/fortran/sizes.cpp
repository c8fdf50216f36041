// SPDX-License-Identifier: BSD-3-Clause
// XREDIST_LOCAL_SIZE and XREDIST_DESCINIT of module xredist: NUMROC and DESCINIT, for partitions too.
#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

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

constexpr DimensionNames descinit_rows{"m", "mb", "rsrc", "rows", "the grid's rows"};
constexpr DimensionNames descinit_cols{"n", "nb", "csrc", "cols", "the grid's columns"};

// Returns the number of an argument of XREDIST_DESCINIT, from 1; `otherwise` if the error names none.
int argument_number(const ArgumentError& error, int otherwise) {
  static constexpr std::string_view names[] = {"desc", "m",    "n",   "mb",   "nb",   "rsrc",
                                               "csrc", "ctxt", "lld", "info", "rows", "cols"};
  const auto* found = std::ranges::find(names, error.argument.argument);
  return found == std::end(names) ? otherwise : static_cast<int>(found - names) + 1;
}
constexpr int number_of_rows = 11, number_of_cols = 12;

void set_local_size(const OwnedLayout& owned, Index m, Index n, int rank, xredist_int* local_rows,
                    xredist_int* local_cols) {
  const xredist_layout layout = owned.get();
  const auto [rows, cols] = local_size(&layout, m, n, rank);
  *local_rows = static_cast<xredist_int>(rows), *local_cols = static_cast<xredist_int>(cols);
}

}  // namespace
}  // namespace xredist::core

using namespace xredist::core;

extern "C" {

XREDIST_API void xredist_fortran_local_size_blacs(const xredist_int* desc, xredist_int* local_rows,
                                                  xredist_int* local_cols, XREDIST_KEYWORDS_ONLY,
                                                  const CFI_cdesc_t* rows, const CFI_cdesc_t* cols,
                                                  const CFI_cdesc_t* owners_rows, const CFI_cdesc_t* owners_cols,
                                                  const CFI_cdesc_t* places_rows, const CFI_cdesc_t* places_cols,
                                                  xredist_int* info) {
  const int code = coded_in_fortran([&] {
    *local_rows = *local_cols = 0;
    const Grid grid = grid_of(desc[ctxt_]);
    if (!grid.member()) return;
    const OwnedLayout owned = described(desc, grid, rows, cols, owners_rows, owners_cols, places_rows, places_cols);
    set_local_size(owned, desc[m_], desc[n_], position_in(grid), local_rows, local_cols);
  });
  set_info("XREDIST_LOCAL_SIZE", code, info);
}

XREDIST_API void xredist_fortran_local_size_comm(const FortranLayout* layout, const xredist_int* m,
                                                 const xredist_int* n, const xredist_int* rank, xredist_int* local_rows,
                                                 xredist_int* local_cols, XREDIST_KEYWORDS_ONLY,
                                                 const CFI_cdesc_t* rows, const CFI_cdesc_t* cols,
                                                 const CFI_cdesc_t* owners_rows, const CFI_cdesc_t* owners_cols,
                                                 const CFI_cdesc_t* places_rows, const CFI_cdesc_t* places_cols,
                                                 const CFI_cdesc_t* ranks, xredist_int* info) {
  const int code = coded_in_fortran([&] {
    *local_rows = *local_cols = 0;
    const OwnedLayout owned(*layout, ranks, "ranks", {rows, owners_rows, places_rows, "rows"},
                            {cols, owners_cols, places_cols, "cols"});
    set_local_size(owned, *m, *n, narrowed(*rank), local_rows, local_cols);
  });
  set_info("XREDIST_LOCAL_SIZE", code, info);
}

// INFO is -k if argument k is invalid, as in DESCINIT. For a dimension with a partition, the block size and source of
// the descriptor are 0, which no routine without partitions accepts.
XREDIST_API void xredist_fortran_descinit(xredist_int* desc, const xredist_int* m, const xredist_int* n,
                                          const xredist_int* mb, const xredist_int* nb, const xredist_int* rsrc,
                                          const xredist_int* csrc, const xredist_int* ctxt, const xredist_int* lld,
                                          xredist_int* info, XREDIST_KEYWORDS_ONLY, const CFI_cdesc_t* rows,
                                          const CFI_cdesc_t* cols, const CFI_cdesc_t* owners_rows,
                                          const CFI_cdesc_t* owners_cols, const CFI_cdesc_t* places_rows,
                                          const CFI_cdesc_t* places_cols) {
  int argument = 0;  // the one that is invalid
  const auto check = [&](const MaybeError& error, int otherwise) {
    if (error) argument = argument_number(*error, otherwise);
    demand(error);
  };
  const int code = coded_in_fortran([&] {
    std::fill_n(desc, lld_ + 1, 0);
    check(context_error({"ctxt"}, *ctxt), 0);
    const Grid grid = grid_of(*ctxt);
    argument = number_of_rows;
    OwnedPartition of_rows(rows, owners_rows, places_rows, "rows");
    argument = number_of_cols;
    OwnedPartition of_cols(cols, owners_cols, places_cols, "cols");
    check(dimension_error(descinit_rows, *m, of_rows, *mb, *rsrc, grid.nprow), number_of_rows);
    check(dimension_error(descinit_cols, *n, of_cols, *nb, *csrc, grid.npcol), number_of_cols);
    const bool cyclic_rows = !of_rows.present, cyclic_cols = !of_cols.present;
    const FortranLayout numbers{grid.nprow, grid.npcol, *mb, *nb, *rsrc, *csrc};
    const OwnedLayout owned(numbers, nullptr, "", std::move(of_rows), std::move(of_cols));
    xredist_int local_rows = 0, local_cols = 0;
    set_local_size(owned, *m, *n, position_in(grid), &local_rows, &local_cols);
    const xredist_int min_lld = std::max<xredist_int>(1, local_rows);
    if (lld != nullptr) check(bounds_error({"lld"}, *lld, min_lld), 0);
    const xredist_int made[] = {1,
                                *ctxt,
                                *m,
                                *n,
                                cyclic_rows ? *mb : 0,
                                cyclic_cols ? *nb : 0,
                                cyclic_rows ? *rsrc : 0,
                                cyclic_cols ? *csrc : 0,
                                lld != nullptr ? *lld : min_lld};
    std::ranges::copy(made, desc);
  });
  set_info("XREDIST_DESCINIT", code == XREDIST_INVALID_ARGUMENT ? -argument : code, info);
}

}  // extern "C"
