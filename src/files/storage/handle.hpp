// SPDX-License-Identifier: BSD-3-Clause
// A file that this process has opened.
#pragma once

#include <sys/stat.h>

#include <cerrno>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "file/numbers.hpp"
#include "storage/marks.hpp"

namespace xredist::files {

/// A file descriptor of this process, which the object closes.
class Descriptor {
 public:
  /// `number`: -1 for none.
  explicit Descriptor(int number = -1) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  /// Closes the file, and leaves errno.
  ~Descriptor() {
    const int before = errno;
    close();
    errno = before;
  }

  int number() const { return number_; }
  /// Closes the file now. Returns 0, or -1 with a reason in errno.
  int close();

 private:
  int number_;
};

/// Calls a function of the system again as long as a signal interrupts it.
template <class Call>
auto uninterrupted(Call call) {
  const InWait wait("a file is accessed, and the file system has not answered");
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

/// Returns whether a byte is within a character of UTF-8, not its first one.
constexpr bool within_character(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

/// Returns the name of a file for sentences, which have room for 300 bytes of it: of a longer one, the end.
std::string shown_name(std::string_view name);

/// Throws FileFailure with the reason of an error number: "a.npy cannot be opened: Permission denied". `shown`: of
/// shown_name().
[[noreturn]] void fail_for_system(const std::string& shown, const char* action, int error = errno);

/// The path of a file. A path may be too long for the system with another name at its end, so the folder is opened
/// first, and the file is opened within it.
struct FilePath {
  std::string folder;  ///< empty: `name` is the whole path
  std::string name;
};

/// Returns the status of a file, or nothing if there is no such file. Throws FileFailure if it is not a regular file.
std::optional<struct stat> regular_file(const char* name);

/// Opens a folder, in which files are opened by their names. Returns a descriptor without a number if it fails, with
/// the reason in errno.
Descriptor opened_folder(const std::string& path);

/// An open file. Each process opens it for itself, and accesses extents of its own by calls of POSIX: what MPI-IO would
/// do for them, for any path. Data are visible to processes that open the file after it has been closed here, as
/// network file systems promise. All functions throw FileFailure.
class FileHandle {
 public:
  enum class Access { read, update };

  /// Opens a file that exists. `shown`: its name in sentences.
  FileHandle(const FilePath& path, Access access, std::string shown);
  /// Takes a file that the caller has opened.
  FileHandle(Descriptor file, std::string shown);

  Index size() const;
  /// Returns the block size that the file system prefers (bytes).
  Index block_bytes() const;
  void resize(Index bytes);
  void write(Index offset, const std::byte* from, Index bytes);
  /// Reads exactly so many bytes.
  void read(Index offset, std::byte* to, Index bytes) const;
  /// Closes the file. Some file systems report only now that there was no room.
  void close();

 private:
  std::string shown_;
  Descriptor file_;
};

}  // namespace xredist::files
