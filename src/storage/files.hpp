// SPDX-License-Identifier: BSD-3-Clause
// The functions of file.h, for all interfaces.
#pragma once

#include "storage/matrix.hpp"

namespace xredist::core {

/// Does the work of xredist_write and xredist_read. `callers`: a failure of the caller on this process, or nullptr. All
/// processes throw the same failure.
void write_matrix(const DistributedMatrix& matrix, const xredist_file* passed, const Failure* callers);
void read_matrix(const DistributedMatrix& matrix, const xredist_file* passed, const Failure* callers);

}  // namespace xredist::core
