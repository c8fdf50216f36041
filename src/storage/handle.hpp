// SPDX-License-Identifier: BSD-3-Clause
// A file that this process has opened.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>

#include "layout/index.hpp"

namespace xredist::core {

/// An open file. Each process opens it for itself: opening is not collective, and no view or shared pointer is used.
/// All functions throw FileError.
class FileHandle {
 public:
  enum class Access { create, read, update };

  /// Opens a file; `create`: it must not exist. `shown`: its name in sentences.
  FileHandle(const std::string& name, Access access, const std::string& shown);
  ~FileHandle();
  FileHandle(const FileHandle&) = delete;
  FileHandle& operator=(const FileHandle&) = delete;

  Index size() const;
  void resize(Index bytes);
  void write(Index offset, const std::byte* from, Index bytes);
  /// Reads exactly so many bytes.
  void read(Index offset, std::byte* to, Index bytes) const;
  /// Closes the file. Some file systems report only now that there was no room.
  void close();

 private:
  void demand(int error, const std::string& action) const;

  std::string shown_;
  MPI_File file_ = MPI_FILE_NULL;
};

}  // namespace xredist::core
