// SPDX-License-Identifier: BSD-3-Clause
// xredist_write.
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "api/outcome.hpp"
#include "file/error.hpp"
#include "storage/files.hpp"
#include "storage/traverse.hpp"

namespace xredist::core {
namespace {

// Removes a file at the end, unless the file has got its name.
class Temporary {
 public:
  explicit Temporary(std::string path) : path_(std::move(path)) {}
  ~Temporary() {
    if (!path_.empty()) unlink(path_.c_str());
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  void rename_to(const char* name) {
    if (std::rename(path_.c_str(), name) != 0)
      throw FileError(std::string(name) + " cannot be replaced: " + std::strerror(errno));
    path_.clear();
  }

 private:
  std::string path_;
};

// A file that rank 0 has prepared. Rank 0 broadcasts this struct.
struct Prepared {
  Contents contents;
  Index number;  // of a new file's temporary name
};

std::string temporary_name(const char* name, Index number) {
  return std::string(name) + "." + std::to_string(number) + ".tmp";
}

// Creates a file of full size with its header. Elements that are not written are 0.
Prepared create(const xredist_file& file, Type integer, std::unique_ptr<Temporary>& temporary) {
  Prepared made{contents_of(file, integer), std::chrono::system_clock::now().time_since_epoch().count() ^ getpid()};
  fitting(made.contents, file, integer);
  demand_regular(file.name);
  const std::string path = temporary_name(file.name, made.number);
  FileHandle handle(path, FileHandle::Access::create, file.name);
  temporary = std::make_unique<Temporary>(path);
  if (file.format == 'N') {
    const std::string header =
        npy_header(made.contents.descr, made.contents.order == 'F', made.contents.rows, made.contents.cols);
    handle.write(0, reinterpret_cast<const std::byte*>(header.data()), std::ssize(header));
  }
  handle.resize(made.contents.end());
  handle.close();
  made.contents.stripe = stripe_of(path);
  return made;
}

Prepared find(const xredist_file& file, Type integer) {
  demand_regular(file.name);
  const FileHandle handle(file.name, FileHandle::Access::read, file.name);
  Prepared found{};
  if (file.format == 'N') {
    found.contents = contents_in(handle, file.name);
    demand_length(found.contents, handle.size(), file.name);
  } else {
    found.contents = contents_of(file, integer);
  }
  fitting(found.contents, file, integer);
  found.contents.stripe = stripe_of(file.name);
  return found;
}

}  // namespace

void write_matrix(const DistributedMatrix& matrix, const xredist_file* passed, const MaybeError& found) {
  Channel& channel = channel_for_files(matrix.comm);
  const xredist_file file = agreed_file(matrix, passed, found, channel);
  const bool first = channel.rank() == 0, updates = file.update == 'Y';
  std::unique_ptr<Temporary> temporary;
  Prepared prepared{};
  together(channel, [&] {
    if (first) prepared = updates ? find(file, matrix.integer) : create(file, matrix.integer, temporary);
  });
  broadcast_value(prepared, channel);
  std::string path;
  together(channel, [&] { path = updates ? file.name : temporary_name(file.name, prepared.number); });
  traverse(Direction::write, matrix, file, prepared.contents, path.c_str(), channel);
  together(channel, [&] {
    if (temporary) temporary->rename_to(file.name);
  });
}

}  // namespace xredist::core

using namespace xredist::core;

int xredist_write(MPI_Comm comm, const xredist_layout* layout, const void* a, int64_t lda, const xredist_file* file) {
  return coded([&] { write_matrix({comm, layout, {'a', const_cast<void*>(a), lda}, Type::integer}, file, {}); });
}
