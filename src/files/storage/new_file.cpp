// SPDX-License-Identifier: BSD-3-Clause
#include "storage/new_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace xredist::files {
namespace {

// Bytes of NAME in a temporary name, which has at most 125 with its number. File systems permit 143 (eCryptfs) or more.
constexpr std::size_t max_kept = 100;

// Permissions of all users.
constexpr mode_t all_modes = S_ISUID | S_ISGID | S_ISVTX | S_IRWXU | S_IRWXG | S_IRWXO;

// The parts of a path: the folder, which ends with a slash or is ".", and the name.
FilePath split(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == path.npos) return {".", std::string(path)};
  return {std::string(path.substr(0, slash + 1)), std::string(path.substr(slash + 1))};
}

// Returns the mode of the old file. Permissions of its owner and its group are none of another owner or group.
mode_t kept_mode(const struct stat& old, const struct stat& made) {
  mode_t mode = old.st_mode & all_modes;
  if (made.st_uid != old.st_uid || made.st_gid != old.st_gid) mode &= ~static_cast<mode_t>(S_ISUID | S_ISGID);
  if (made.st_gid != old.st_gid) mode = (mode & ~static_cast<mode_t>(S_IRWXG)) | (mode & S_IRWXO) << 3;
  return mode;
}

}  // namespace

FilePath temporary_path(std::string_view name, Index number) {
  FilePath path = split(name);
  std::size_t kept = std::min(path.name.size(), max_kept);
  while (kept > 0 && kept < path.name.size() && within_character(path.name[kept])) --kept;
  path.name.resize(kept);
  path.name.append(".").append(std::to_string(number)).append(".tmp");
  return path;
}

NewFile::NewFile(const char* name, Index number)
    : shown_(shown_name(name)), name_(split(name).name), old_(regular_file(name)) {
  if (old_ && faccessat(AT_FDCWD, name, W_OK, AT_EACCESS) != 0) fail_for_system(shown_, "replaced");
  if (name_.empty()) {
    errno = ENOENT;
    fail_for_system(shown_, "created");
  }
  FilePath temporary = temporary_path(name, number);
  temporary_ = std::move(temporary.name);
  folder_ = opened_folder(temporary.folder);
  if (folder_.number() < 0) fail_for_system(shown_, "created");
}

NewFile::~NewFile() {
  file_.close();
  if (is_temporary_) unlinkat(folder_.number(), temporary_.c_str(), 0);
}

FileHandle NewFile::create() {
  std::string shown = shown_;
  // Nobody else may read a file whose old one nobody else could. Otherwise, the system decides, by umask or by the
  // folder's list of access.
  const mode_t mode = old_ ? S_IRUSR | S_IWUSR : 0666;
  file_ = Descriptor(uninterrupted(
      [&] { return openat(folder_.number(), temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode); }));
  if (file_.number() < 0) fail_for_system(shown_, "created");
  is_temporary_ = true;
  struct stat made {};
  if (fstat(file_.number(), &made) != 0) fail_for_system(shown_, "created");
  mode_ = made.st_mode & all_modes;
  if ((mode_ & S_IWUSR) == 0 && fchmod(file_.number(), mode_ | S_IWUSR) != 0) fail_for_system(shown_, "created");
  Descriptor second(fcntl(file_.number(), F_DUPFD_CLOEXEC, 0));
  if (second.number() < 0) fail_for_system(shown_, "created");
  return {std::move(second), std::move(shown)};
}

// What the system does not permit is left as it is.
void NewFile::take_owner() const {
  struct stat made {};
  if (fstat(file_.number(), &made) != 0) return;
  const auto give = [&](uid_t owner) { return fchown(file_.number(), owner, old_->st_gid) == 0; };
  constexpr auto same_owner = static_cast<uid_t>(-1);
  if (made.st_uid != old_->st_uid || made.st_gid != old_->st_gid) give(old_->st_uid) || give(same_owner);
  if (fstat(file_.number(), &made) == 0) fchmod(file_.number(), kept_mode(*old_, made));
}

void NewFile::take_name() {
  if (old_)
    take_owner();
  else if ((mode_ & S_IWUSR) == 0)
    fchmod(file_.number(), mode_);
  if (renameat(folder_.number(), temporary_.c_str(), folder_.number(), name_.c_str()) != 0)
    fail_for_system(shown_, "replaced");
  is_temporary_ = false;
}

}  // namespace xredist::files
