// SPDX-License-Identifier: BSD-3-Clause
// xredist_read and xredist_file_query.
#include <algorithm>
#include <string>

#include "storage/failure.hpp"
#include "storage/files.hpp"
#include "storage/marks.hpp"
#include "storage/traverse.hpp"

namespace xredist::files {

void read_matrix(const DistributedMatrix& matrix, const xredist_file* passed, int callers) {
  const InFunction function("xredist_read", passed);
  const Index buffer = buffer_of(matrix.comm);
  const xredist_file file = agreed_file(matrix, passed, callers);
  const Contents contents = from_first(matrix.comm, [&] { return contents_found(file, false); });
  const FilePath path = on_all(matrix.comm, [&] { return FilePath{{}, file.name}; });
  traverse(Direction::read, matrix, file, contents, path, buffer);
}

}  // namespace xredist::files

using namespace xredist::files;

int xredist_read(MPI_Comm comm, const xredist_layout* layout, void* b, int64_t ldb, const xredist_file* file) {
  return coded([&] { read_matrix({comm, layout, {'b', b, ldb}}, file); });
}

int xredist_file_query(MPI_Comm comm, const char* name, xredist_file_info* info) {
  return coded([&] {
    const InFunction function("xredist_file_query");
    buffer_of(comm);  // checks the communicator
    on_all(comm, [&] {
      if (name == nullptr) throw InvalidArgument("name is NULL");
      if (info == nullptr) throw InvalidArgument("info is NULL");
    });
    const Contents contents = from_first(comm, [&] {
      regular_file(name);
      const std::string shown = shown_name(name);
      return contents_in(FileHandle({{}, name}, FileHandle::Access::read, shown), shown);
    });
    *info = {};
    info->rows = contents.rows, info->cols = contents.cols;
    info->bytes = contents.element.bytes, info->offset = contents.offset;
    info->type = contents.element.letter, info->order = contents.order;
    std::ranges::copy(contents.descr, info->descr);
  });
}
