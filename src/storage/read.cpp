// SPDX-License-Identifier: BSD-3-Clause
// xredist_read and xredist_file_query.
#include <algorithm>
#include <string>

#include "api/operation.hpp"
#include "storage/files.hpp"
#include "storage/traverse.hpp"

namespace xredist::core {
namespace {

Contents find(const xredist_file& file, Type integer) {
  const std::string shown = shown_name(file.name);
  regular_file(file.name);
  const FileHandle handle({{}, file.name}, FileHandle::Access::read, shown);
  Contents contents = file.format == 'N' ? contents_in(handle, shown) : contents_of(file, integer);
  fitting(contents, file, integer);
  demand_length(contents, handle.size(), shown);
  contents.stripe = handle.block_bytes();
  return contents;
}

}  // namespace

void read_matrix(const DistributedMatrix& matrix, const xredist_file* passed, const Failure* callers) {
  const InCall call("xredist_read");
  Channel& channel = channel_for_files(matrix.comm);
  const xredist_file file = agreed_file(matrix, passed, callers, channel);
  const Contents contents = from_first(channel, [&] { return find(file, matrix.integer); });
  const FilePath path = on_all(channel, [&] { return FilePath{{}, file.name}; });
  traverse(Direction::read, matrix, file, contents, path, channel);
}

}  // namespace xredist::core

using namespace xredist::core;

int xredist_read(MPI_Comm comm, const xredist_layout* layout, void* b, int64_t ldb, const xredist_file* file) {
  return coded([&] { read_matrix({comm, layout, {'b', b, ldb}, Type::integer}, file, nullptr); });
}

int xredist_file_query(MPI_Comm comm, const char* name, xredist_file_info* info) {
  return coded([&] {
    const InCall call("xredist_file_query");
    const Channel& channel = channel_for_files(comm);
    on_all(channel, [&] { demand(first_of({null_error({"name"}, name), null_error({"info"}, info)})); });
    const Contents contents = from_first(channel, [&] {
      regular_file(name);
      const std::string shown = shown_name(name);
      return contents_in(FileHandle({{}, name}, FileHandle::Access::read, shown), shown);
    });
    char type = 0;
    for (const char letter : {'I', 'S', 'D', 'C', 'Z'})
      if (type_of(letter) == contents.element.type) type = letter;
    *info = {contents.rows, contents.cols, contents.element.bytes, contents.offset, type, contents.order, {}};
    std::ranges::copy(contents.descr, info->descr);
  });
}
