// SPDX-License-Identifier: BSD-3-Clause
// The functions of file.h, for all interfaces.
#pragma once

#include "storage/matrix.hpp"

namespace xredist::core {

/// Does the work of xredist_write and xredist_read. `found`: an error that the caller has found on this process.
/// Throws.
void write_matrix(const DistributedMatrix& matrix, const xredist_file* passed, const MaybeError& found);
void read_matrix(const DistributedMatrix& matrix, const xredist_file* passed, const MaybeError& found);

}  // namespace xredist::core
