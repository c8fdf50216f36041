// SPDX-License-Identifier: BSD-3-Clause
// The functions of file.h, for all interfaces.
#pragma once

#include "storage/agreed_call.hpp"

namespace xredist::files {

/// Do the work of xredist_write and xredist_read. `callers`: a failure of the caller on this process, or nullptr. All
/// processes throw the same failure.
void write_matrix(const PassedMatrix& matrix, const xredist_file* file, const Failure* callers = nullptr);
void read_matrix(const PassedMatrix& matrix, const xredist_file* file, const Failure* callers = nullptr);

/// Do the work of xredist_array_write and xredist_array_read.
void write_array(const PassedArray& array, const xredist_array_file* file, const Failure* callers = nullptr);
void read_array(const PassedArray& array, const xredist_array_file* file, const Failure* callers = nullptr);

}  // namespace xredist::files
