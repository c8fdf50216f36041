// SPDX-License-Identifier: BSD-3-Clause
// Errors of files.
#pragma once

#include <stdexcept>

namespace xredist::files {

/// The contents of a file are not those of an array. what() is the sentence for the user, without the name of the file.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace xredist::files
