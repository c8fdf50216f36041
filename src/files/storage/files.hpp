// SPDX-License-Identifier: BSD-3-Clause
// The functions of file.h, for all interfaces.
#pragma once

#include "storage/array.hpp"
#include "storage/matrix.hpp"

namespace xredist::files {

/// Does the work of xredist_write and xredist_read. `callers`: the code of a failure of the caller on this process,
/// whose sentence xredist_error() has. All processes throw the same failure.
void write_matrix(const DistributedMatrix& matrix, const xredist_file* file, int callers = XREDIST_SUCCESS);
void read_matrix(const DistributedMatrix& matrix, const xredist_file* file, int callers = XREDIST_SUCCESS);

/// Do the work of xredist_array_write and xredist_array_read.
void write_array(const PassedArray& array, const xredist_array_file* file, int callers = XREDIST_SUCCESS);
void read_array(const PassedArray& array, const xredist_array_file* file, int callers = XREDIST_SUCCESS);

}  // namespace xredist::files
