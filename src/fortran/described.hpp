// SPDX-License-Identifier: BSD-3-Clause
// A matrix on a grid of BLACS and its dimensions, from the arguments of a routine of module xredist.
#pragma once

#include <ISO_Fortran_binding.h>

#include <string>
#include <string_view>

#include "fortran/owned_layout.hpp"
#include "scalapack/blacs.hpp"
#include "scalapack/routine.hpp"
#include "xredist/integer.h"

namespace xredist::core {

/// The arguments of a dimension, as messages name them.
struct DimensionNames {
  std::string_view size, block, source;
  const char *partition, *range;
};
inline constexpr DimensionNames descriptor_rows{"desc, entry 3 (M_)", "desc, entry 5 (MB_)", "desc, entry 7 (RSRC_)",
                                                "rows", "the grid's rows"};
inline constexpr DimensionNames descriptor_cols{"desc, entry 4 (N_)", "desc, entry 6 (NB_)", "desc, entry 8 (CSRC_)",
                                                "cols", "the grid's columns"};

/// One dimension of a matrix over `procs` rows, or columns, of a grid.
struct DistributedDimension {
  DistributedDimension(const DimensionNames& names, Index count, Index block, Index source, Index procs,
                       const CFI_cdesc_t* bounds, const CFI_cdesc_t* owners)
      : size_name(names.size),
        size(count),
        partition(bounds, owners, names.partition),
        axis{partition.get(), block, source, procs, {names.partition}, {names.block}, {names.source}, names.range} {}

  MaybeError error() const {
    if (MaybeError error = bounds_error({size_name}, size, 0)) return error;
    if (MaybeError error = axis_error(axis)) {
      if (axis.partition == nullptr && axis.block == 0)
        error->reason += std::string(", unless ").append(axis.partition_name.argument) + " is passed";
      return error;
    }
    return last_bound_error(axis.partition_name, axis.partition, size_name, size);
  }
  xredist_int local_size(Index process) const {
    return static_cast<xredist_int>(
        local_count(make_axis(axis.partition, axis.block, axis.procs, axis.source, 0), process, size));
  }

  std::string_view size_name;
  Index size;
  OwnedPartition partition;
  AxisArguments axis;
};

/// A matrix of an array descriptor on a grid with this process, which throws if an entry is invalid. Not copied: `in_c`
/// points into it. Ranks of `in_c` are positions in the grid, row by row.
struct DescribedMatrix {
  DescribedMatrix(const xredist_int* desc, const Grid& grid, const CFI_cdesc_t* rows_bounds,
                  const CFI_cdesc_t* cols_bounds, const CFI_cdesc_t* owners_rows, const CFI_cdesc_t* owners_cols)
      : rows(descriptor_rows, desc[m_], desc[mb_], desc[rsrc_], grid.nprow, rows_bounds, owners_rows),
        cols(descriptor_cols, desc[n_], desc[nb_], desc[csrc_], grid.npcol, cols_bounds, owners_cols) {
    demand(first_of({rows.error(), cols.error()}));
    in_c = {.nprow = grid.nprow,
            .npcol = grid.npcol,
            .mb = desc[mb_],
            .nb = desc[nb_],
            .rsrc = narrowed(desc[rsrc_]),
            .csrc = narrowed(desc[csrc_]),
            .ranks = nullptr,
            .rows = rows.partition.get(),
            .cols = cols.partition.get()};
  }
  DescribedMatrix(const DescribedMatrix&) = delete;
  DescribedMatrix& operator=(const DescribedMatrix&) = delete;

  DistributedDimension rows, cols;
  xredist_layout in_c;
};

}  // namespace xredist::core
