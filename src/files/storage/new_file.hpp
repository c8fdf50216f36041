// SPDX-License-Identifier: BSD-3-Clause
// A file that takes the place of another one when it is complete.
#pragma once

#include <optional>
#include <string>

#include "storage/handle.hpp"

namespace xredist::files {

/// Returns the path of a new file until it is complete: "NAME.<number>.tmp" in the same folder, with the beginning of a
/// long NAME.
FilePath temporary_path(std::string_view name, Index number);

/// A new file. The object exists before the file does, and removes the file unless it has got its name. All functions
/// but the destructor throw FileFailure.
class NewFile {
 public:
  /// Creates nothing. Checks that a file of this name, if there is one, may be overwritten. `number`: for
  /// temporary_path().
  NewFile(const char* name, Index number);
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// Creates the file. The processes of the user may open it and write until it gets its name.
  FileHandle create();

  /// Gives the file its name. It takes the place of an old file, with the mode, the owner and the group of that one as
  /// far as the system permits. Otherwise it has the mode of a file that open() creates.
  void take_name();

 private:
  void take_owner() const;

  std::string shown_, name_, temporary_;  // in the folder
  std::optional<struct stat> old_;
  Descriptor folder_;
  Descriptor file_;            // open as long as the file has its temporary name
  mode_t mode_ = 0;            // of a file without an old one
  bool is_temporary_ = false;  // the file exists, under its temporary name
};

}  // namespace xredist::files
