// SPDX-License-Identifier: BSD-3-Clause
// The functions of xredist.h that map a matrix to local arrays, which throw InvalidArgument.
#pragma once

#include "layout/index.hpp"
#include "xredist/xredist.h"

namespace xredist::core {

/// The size of a local array, in elements.
struct LocalSize {
  Index rows = 0, cols = 0;
};

/// Each does the work of the function of xredist.h with its name.
LocalSize local_size(const xredist_layout* layout, Index m, Index n, int rank);
void local_to_global(const xredist_layout* layout, Index m, Index n, int rank, Index rows[], Index cols[]);
void global_to_local(const xredist_layout* layout, Index count, const Index rows[], const Index cols[], int ranks[],
                     Index local_rows[], Index local_cols[]);

}  // namespace xredist::core
