// SPDX-License-Identifier: BSD-3-Clause
// An array moves between the processes and a file, panel by panel.
#pragma once

#include "storage/agreed_call.hpp"
#include "storage/contents.hpp"

namespace xredist::files {

/// Writes the subarray to a file that exists, or reads it. `path`: of the file, which sentences call by the name of the
/// call. `buffer`: bytes of memory on each process. Collective. All processes throw the same error.
void traverse(Direction direction, const Call& call, const Contents& contents, const FilePath& path, Index buffer);

}  // namespace xredist::files
