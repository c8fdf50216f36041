// SPDX-License-Identifier: BSD-3-Clause
// A matrix moves between the processes and a file, panel by panel.
#pragma once

#include "storage/contents.hpp"
#include "storage/matrix.hpp"

namespace xredist::files {

enum class Direction { write, read };

/// Writes the submatrix to a file that exists, or reads it. `path`: of the file, which sentences call file.name.
/// `buffer`: bytes of memory on each process. Collective. All processes throw the same error.
void traverse(Direction direction, const DistributedMatrix& matrix, const xredist_file& file, const Contents& contents,
              const FilePath& path, Index buffer);

}  // namespace xredist::files
