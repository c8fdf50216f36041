// SPDX-License-Identifier: BSD-3-Clause
#include "storage/handle.hpp"

#include <algorithm>
#include <array>

#include "file/error.hpp"

namespace xredist::core {
namespace {

// Bytes that one call of MPI-IO moves: its counts are of type int, and Linux moves less than 2^31 bytes at once.
constexpr Index max_piece = Index{1} << 30;

int mode_of(FileHandle::Access access) {
  switch (access) {
    case FileHandle::Access::create: return MPI_MODE_CREATE | MPI_MODE_EXCL | MPI_MODE_WRONLY;
    case FileHandle::Access::update: return MPI_MODE_WRONLY;
    default: return MPI_MODE_RDONLY;
  }
}

// Returns MPI's sentence in one line.
std::string sentence_of_mpi(int error) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(error, text.data(), &length);
  std::string line(text.data(), as_size(length));
  std::ranges::replace(line, '\n', ' ');
  return line;
}

}  // namespace

FileHandle::FileHandle(const std::string& name, Access access, const std::string& shown) : shown_(shown) {
  demand(MPI_File_open(MPI_COMM_SELF, name.c_str(), mode_of(access), MPI_INFO_NULL, &file_),
         access == Access::create ? "created" : "opened");
}

FileHandle::~FileHandle() {
  if (file_ != MPI_FILE_NULL) MPI_File_close(&file_);
}

void FileHandle::demand(int error, const std::string& action) const {
  if (error != MPI_SUCCESS) throw FileError(shown_ + " cannot be " + action + ": " + sentence_of_mpi(error));
}

Index FileHandle::size() const {
  MPI_Offset bytes = 0;
  demand(MPI_File_get_size(file_, &bytes), "read");
  return bytes;
}

void FileHandle::resize(Index bytes) { demand(MPI_File_set_size(file_, bytes), "given its size"); }

void FileHandle::write(Index offset, const std::byte* from, Index bytes) {
  while (bytes > 0) {
    MPI_Status status;
    int written = 0;
    const int piece = static_cast<int>(std::min(bytes, max_piece));
    demand(MPI_File_write_at(file_, offset, from, piece, MPI_BYTE, &status), "written");
    MPI_Get_count(&status, MPI_BYTE, &written);
    // A short write is no error of MPI. The next one tells the reason, if there is one.
    if (written <= 0) throw FileError(shown_ + " cannot be written: the file system takes no more bytes");
    offset += written, from += written, bytes -= written;
  }
}

void FileHandle::read(Index offset, std::byte* to, Index bytes) const {
  while (bytes > 0) {
    MPI_Status status;
    int received = 0;
    const int piece = static_cast<int>(std::min(bytes, max_piece));
    demand(MPI_File_read_at(file_, offset, to, piece, MPI_BYTE, &status), "read");
    MPI_Get_count(&status, MPI_BYTE, &received);
    if (received <= 0) throw FileError(shown_ + " cannot be read: it ends at byte " + std::to_string(offset));
    offset += received, to += received, bytes -= received;
  }
}

void FileHandle::close() { demand(MPI_File_close(&file_), "closed"); }

}  // namespace xredist::core
