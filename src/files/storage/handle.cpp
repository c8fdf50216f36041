// SPDX-License-Identifier: BSD-3-Clause
#include "storage/handle.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "layout/sentence.hpp"
#include "storage/shared_failure.hpp"

namespace xredist::files {
namespace {

static_assert(sizeof(off_t) == sizeof(Index));

// Bytes that one call moves: Linux moves less than 2^31 bytes at once.
constexpr Index max_piece = Index{1} << 30;

// Of a folder in which files are looked up, but whose list is not read: that may not be permitted.
#ifdef O_PATH
constexpr int lookup = O_PATH;
#else
constexpr int lookup = O_RDONLY;
#endif

Descriptor opened(const FilePath& path, int flags) {
  const auto in_folder = [&](int folder) {
    return Descriptor(uninterrupted([&] { return openat(folder, path.name.c_str(), flags | O_CLOEXEC); }));
  };
  if (path.folder.empty()) return in_folder(AT_FDCWD);
  const Descriptor folder = opened_folder(path.folder);
  return folder.number() < 0 ? Descriptor() : in_folder(folder.number());
}

// Returns the limit of the size of files (bytes). The system ends a program by a signal that goes beyond.
Index file_size_limit() {
  constexpr Index none = std::numeric_limits<Index>::max();
  rlimit limit{};
  const bool limited = getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < static_cast<rlim_t>(none);
  return limited ? static_cast<Index>(limit.rlim_cur) : none;
}

struct stat status_of(const Descriptor& file, const std::string& shown) {
  struct stat status {};
  if (fstat(file.number(), &status) != 0) fail_for_system(shown, "read");
  return status;
}

}  // namespace

int Descriptor::close() {
  const int number = std::exchange(number_, -1);
  return number < 0 ? 0 : ::close(number);
}

std::string shown_name(std::string_view name) {
  constexpr std::size_t room = 300;
  if (name.size() <= room) return std::string(name);
  name.remove_prefix(name.size() - room);
  while (!name.empty() && within_character(name.front())) name.remove_prefix(1);
  return std::string("...").append(name);
}

void fail_for_system(const std::string& shown, const char* action, int error) {
  const std::string reason = std::strerror(error);
  throw FileFailure(Text() << shown << " cannot be " << action << ": " << reason);
}

std::optional<struct stat> regular_file(const char* name) {
  const std::string shown = shown_name(name);
  struct stat status {};
  if (stat(name, &status) != 0) {
    if (errno == ENOENT) return std::nullopt;
    fail_for_system(shown, "opened");
  }
  if (!S_ISREG(status.st_mode)) throw FileFailure(Text() << shown << ": is not a regular file");
  return status;
}

Descriptor opened_folder(const std::string& path) {
  return Descriptor(uninterrupted([&] { return open(path.c_str(), lookup | O_DIRECTORY | O_CLOEXEC); }));
}

FileHandle::FileHandle(const FilePath& path, Access access, std::string shown)
    : shown_(std::move(shown)), file_(opened(path, access == Access::read ? O_RDONLY : O_WRONLY)) {
  if (file_.number() < 0) fail_for_system(shown_, "opened");
}

FileHandle::FileHandle(Descriptor file, std::string shown) : shown_(std::move(shown)), file_(std::move(file)) {}

Index FileHandle::size() const { return status_of(file_, shown_).st_size; }

Index FileHandle::block_bytes() const { return status_of(file_, shown_).st_blksize; }

void FileHandle::resize(Index bytes) {
  if (bytes > file_size_limit()) fail_for_system(shown_, "given its size", EFBIG);
  if (uninterrupted([&] { return ftruncate(file_.number(), bytes); }) != 0) fail_for_system(shown_, "given its size");
}

void FileHandle::write(Index offset, const std::byte* from, Index bytes) {
  while (bytes > 0) {
    const Index room = file_size_limit() - offset;
    if (room <= 0) fail_for_system(shown_, "written", EFBIG);
    const std::size_t piece = as_size(std::min({bytes, max_piece, room}));
    const Index written = uninterrupted([&] { return pwrite(file_.number(), from, piece, offset); });
    if (written < 0) fail_for_system(shown_, "written");
    // A short write is no error. The next one tells the reason, if there is one.
    if (written == 0) throw FileFailure(Text() << shown_ << " cannot be written: the file system takes no more bytes");
    offset += written, from += written, bytes -= written;
  }
}

void FileHandle::read(Index offset, std::byte* to, Index bytes) const {
  while (bytes > 0) {
    const std::size_t piece = as_size(std::min(bytes, max_piece));
    const Index received = uninterrupted([&] { return pread(file_.number(), to, piece, offset); });
    if (received < 0) fail_for_system(shown_, "read");
    if (received == 0) throw FileFailure(Text() << shown_ << " cannot be read: it ends at byte " << offset);
    offset += received, to += received, bytes -= received;
  }
}

void FileHandle::close() {
  if (file_.close() != 0) fail_for_system(shown_, "closed");
}

}  // namespace xredist::files
