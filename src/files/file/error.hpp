// SPDX-License-Identifier: BSD-3-Clause
// Errors of files.
#pragma once

#include <stdexcept>

namespace xredist::files {

/// A file cannot be opened, read or written, or its contents do not fit. what() is the sentence for the user.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace xredist::files
