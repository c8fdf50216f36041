// SPDX-License-Identifier: BSD-3-Clause
// The functions of file.h that read files.
#include <algorithm>
#include <string>

#include "storage/files.hpp"
#include "storage/marks.hpp"
#include "storage/shared_failure.hpp"
#include "storage/traverse.hpp"

namespace xredist::files {
namespace {

void read_file(const Call& call, Index buffer) {
  const MPI_Comm comm = call.array->comm();
  const Contents contents = on_first(comm, [&] { return contents_found(call.subarray, false); });
  const FilePath path = on_all(comm, [&] { return FilePath{{}, call.subarray.name}; });
  traverse(Direction::read, call, contents, path, buffer);
}

// Returns the contents of a file of NumPy on all processes.
Contents queried(MPI_Comm comm, const char* name, const void* info, int max_axes) {
  buffer_of(comm);  // checks the communicator
  on_all(comm, [&] { demand(first_of({null_error({"name"}, name), null_error({"info"}, info)})); });
  return on_first(comm, [&] {
    regular_file(name);
    const std::string shown = shown_name(name);
    return contents_in(FileHandle({{}, name}, FileHandle::Access::read, shown), shown, max_axes);
  });
}

template <class Info>
void set_elements(const Contents& contents, Info& info) {
  info.bytes = contents.element.bytes, info.offset = contents.offset;
  info.type = contents.element.letter, info.order = contents.order;
  std::ranges::copy(contents.descr, info.descr);
}

}  // namespace

void read_matrix(const PassedMatrix& matrix, const xredist_file* file, const Failure* callers) {
  constexpr const char* function = "xredist_read";
  const InFunction named(function, file);
  const Index buffer = buffer_of(matrix.comm);
  read_file(agreed_call(Direction::read, function, matrix, file, callers), buffer);
}

void read_array(const PassedArray& array, const xredist_array_file* file, const Failure* callers) {
  constexpr const char* function = "xredist_array_read";
  const InFunction named(function);
  const Index buffer = buffer_of(array.comm);
  read_file(agreed_call(Direction::read, function, array, file, callers), buffer);
}

}  // namespace xredist::files

using namespace xredist::files;

int xredist_read(MPI_Comm comm, const xredist_layout* layout, void* b, int64_t ldb, const xredist_file* file) {
  return coded([&] { read_matrix({comm, layout, {b, ldb}}, file); });
}

int xredist_array_read(MPI_Comm comm, const xredist_array_layout* layout, void* b, const int64_t strides[],
                       const xredist_array_file* file) {
  return coded([&] { read_array({comm, layout, {.data = b, .strides = strides}}, file); });
}

int xredist_file_query(MPI_Comm comm, const char* name, xredist_file_info* info) {
  return coded([&] {
    const InFunction function("xredist_file_query");
    const Contents contents = queried(comm, name, info, 2);
    *info = {};
    info->rows = contents.shape[0], info->cols = contents.shape[1];
    set_elements(contents, *info);
  });
}

int xredist_array_file_query(MPI_Comm comm, const char* name, xredist_array_file_info* info) {
  return coded([&] {
    const InFunction function("xredist_array_file_query");
    const Contents contents = queried(comm, name, info, max_dims);
    *info = {};
    info->dims = contents.dims;
    std::ranges::copy(contents.sizes(), info->shape);
    set_elements(contents, *info);
  });
}
