// SPDX-License-Identifier: BSD-3-Clause
// The layout of a matrix on a grid of BLACS, from the arguments of a routine of module xredist.
#pragma once

#include <ISO_Fortran_binding.h>

#include <string>
#include <string_view>
#include <utility>

#include "fortran/owned_layout.hpp"
#include "scalapack/blacs.hpp"
#include "scalapack/routine.hpp"
#include "xredist/integer.h"

namespace xredist::core {

/// The arguments of a dimension, as messages name them.
struct DimensionNames {
  std::string_view size, block, source, partition;
  const char* range;
};
inline constexpr DimensionNames descriptor_rows{"desc, entry 3 (M_)", "desc, entry 5 (MB_)", "desc, entry 7 (RSRC_)",
                                                "rows", "the grid's rows"};
inline constexpr DimensionNames descriptor_cols{"desc, entry 4 (N_)", "desc, entry 6 (NB_)", "desc, entry 8 (CSRC_)",
                                                "cols", "the grid's columns"};

/// Checks a dimension of a matrix over `procs` rows, or columns, of a grid.
inline MaybeError dimension_error(const DimensionNames& names, Index size, const OwnedPartition& partition, Index block,
                                  Index source, Index procs) {
  if (MaybeError error = bounds_error({names.size}, size, 0)) return error;
  const AxisArguments axis{partition.get(),   block,         source,         procs,
                           {names.partition}, {names.block}, {names.source}, names.range};
  if (MaybeError error = axis_error(axis)) {
    if (!partition.present && block == 0) error->reason << ", unless " << names.partition << " is passed";
    return error;
  }
  return last_bound_error({names.partition}, partition.get(), names.size, size);
}

/// Returns the layout of a descriptor's matrix on a grid, whose ranks are positions in the grid, row by row. Throws
/// InvalidArgument.
inline OwnedLayout described(const xredist_int* desc, const Grid& grid, const CFI_cdesc_t* rows,
                             const CFI_cdesc_t* cols, const CFI_cdesc_t* owners_rows, const CFI_cdesc_t* owners_cols,
                             const CFI_cdesc_t* places_rows, const CFI_cdesc_t* places_cols) {
  OwnedPartition of_rows(rows, owners_rows, places_rows, "rows"), of_cols(cols, owners_cols, places_cols, "cols");
  demand(first_of({dimension_error(descriptor_rows, desc[m_], of_rows, desc[mb_], desc[rsrc_], grid.nprow),
                   dimension_error(descriptor_cols, desc[n_], of_cols, desc[nb_], desc[csrc_], grid.npcol)}));
  const FortranLayout numbers{grid.nprow, grid.npcol, desc[mb_], desc[nb_], desc[rsrc_], desc[csrc_]};
  return {numbers, nullptr, "", std::move(of_rows), std::move(of_cols)};
}

/// Returns the rank of this process in the layout of a descriptor's matrix.
inline int position_in(const Grid& grid) { return grid.myrow * grid.npcol + grid.mycol; }

}  // namespace xredist::core
