// SPDX-License-Identifier: BSD-3-Clause
// xredist_write and xredist_array_write.
#include <unistd.h>

#include <chrono>
#include <optional>
#include <string>

#include "storage/files.hpp"
#include "storage/marks.hpp"
#include "storage/new_file.hpp"
#include "storage/shared_failure.hpp"
#include "storage/traverse.hpp"

namespace xredist::files {
namespace {

// A file that rank 0 has prepared. Rank 0 broadcasts this struct.
struct Prepared {
  Contents contents;
  Index number;  // of a new file's temporary name
};

// Creates a file of full size with its header. Elements that are not written are 0.
void create(NewFile& made, const Subarray& subarray, Contents& contents) {
  FileHandle handle = made.create();
  if (subarray.format == 'N') {
    const std::string header = npy_header(contents.descr, contents.order == 'F', contents.sizes());
    handle.write(0, reinterpret_cast<const std::byte*>(header.data()), std::ssize(header));
  }
  handle.resize(contents.end());
  contents.stripe = handle.block_bytes();
  handle.close();
}

void write_file(const Call& call, Index buffer) {
  const MPI_Comm comm = call.array->comm();
  const Subarray& subarray = call.subarray;
  const bool updates = subarray.update == 'Y';
  std::optional<NewFile> made;  // before the file: if this process fails, the object removes it
  const Prepared prepared = on_first(comm, [&]() -> Prepared {
    if (updates) return {contents_found(subarray, true), 0};
    Prepared whole{contents_of(subarray), std::chrono::system_clock::now().time_since_epoch().count() ^ getpid()};
    conversion_for(whole.contents, subarray);
    create(made.emplace(subarray.name, whole.number), subarray, whole.contents);
    return whole;
  });
  const FilePath path = on_all(comm, [&] {
    // No conditional expression: GCC 12 destroys the temporary objects of an operand wrongly if one of them throws.
    if (updates) return FilePath{{}, subarray.name};
    return temporary_path(subarray.name, prepared.number);
  });
  traverse(Direction::write, call, prepared.contents, path, buffer);
  on_all(comm, [&] {
    if (made) made->take_name();
  });
}

}  // namespace

void write_matrix(const PassedMatrix& matrix, const xredist_file* file, const Failure* callers) {
  constexpr const char* function = "xredist_write";
  const InFunction named(function, file);
  const Index buffer = buffer_of(matrix.comm);
  write_file(agreed_call(Direction::write, function, matrix, file, callers), buffer);
}

void write_array(const PassedArray& array, const xredist_array_file* file, const Failure* callers) {
  constexpr const char* function = "xredist_array_write";
  const InFunction named(function);
  const Index buffer = buffer_of(array.comm);
  write_file(agreed_call(Direction::write, function, array, file, callers), buffer);
}

}  // namespace xredist::files

using namespace xredist::files;

int xredist_write(MPI_Comm comm, const xredist_layout* layout, const void* a, int64_t lda, const xredist_file* file) {
  return coded([&] { write_matrix({comm, layout, {const_cast<void*>(a), lda}}, file); });
}

int xredist_array_write(MPI_Comm comm, const xredist_array_layout* layout, const void* a, const int64_t strides[],
                        const xredist_array_file* file) {
  return coded([&] { write_array({comm, layout, {.data = const_cast<void*>(a), .strides = strides}}, file); });
}
