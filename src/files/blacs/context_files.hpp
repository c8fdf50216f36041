// SPDX-License-Identifier: BSD-3-Clause
// Files of matrices that array descriptors describe.
#pragma once

#include <optional>
#include <string>

#include "api/failure.hpp"
#include "file/numbers.hpp"
#include "xredist/blacs.h"

namespace xredist::files {

/// Write and read files as xredist_write_blacs and xredist_read_blacs do. Writing does not change `a`. `partitions`:
/// those of the matrix are rows_a and cols_a. `size`: number of elements of the local array, if the caller knows it.
/// `callers`: a failure of the caller on this process, or nullptr. All processes throw the same failure.
void write_on_context(xredist_int ctxt, const xredist_int* desc, const xredist_partitions& partitions, void* a,
                      std::optional<Index> size, const xredist_file* file, const Failure* callers);
void read_on_context(xredist_int ctxt, const xredist_int* desc, const xredist_partitions& partitions, void* b,
                     std::optional<Index> size, const xredist_file* file, const Failure* callers);

/// Returns the file with elements that plans know: 'I' names xredist_int, and a plan copies integers of 64 bits without
/// a letter. `descr`: has room for the description of such integers, to which the result refers. File: xredist_file or
/// xredist_array_file.
template <class File>
File with_integers_of_c(const File& file, std::string& descr);

}  // namespace xredist::files
