// SPDX-License-Identifier: BSD-3-Clause
// Files of matrices on the context of a BLACS.
#pragma once

#include "storage/matrix.hpp"
#include "xredist/integer.h"

namespace xredist::core {

/// Write and read files as xredist_write_blacs and xredist_read_blacs do. Writing does not change `a`. `size`: number
/// of elements of the local array, if the caller knows it. `callers`: a failure of the caller, or nullptr. All
/// processes throw the same failure.
void write_on_context(xredist_int ctxt, const xredist_int* desca, const xredist_partition* rows,
                      const xredist_partition* cols, void* a, std::optional<Index> size, const xredist_file* file,
                      const Failure* callers);
void read_on_context(xredist_int ctxt, const xredist_int* descb, const xredist_partition* rows,
                     const xredist_partition* cols, void* b, std::optional<Index> size, const xredist_file* file,
                     const Failure* callers);

}  // namespace xredist::core
