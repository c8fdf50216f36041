// SPDX-License-Identifier: BSD-3-Clause
// xredist_write.
#include <unistd.h>

#include <chrono>
#include <optional>
#include <string>

#include "storage/failure.hpp"
#include "storage/files.hpp"
#include "storage/marks.hpp"
#include "storage/new_file.hpp"
#include "storage/traverse.hpp"

namespace xredist::files {
namespace {

// A file that rank 0 has prepared. Rank 0 broadcasts this struct.
struct Prepared {
  Contents contents;
  Index number;  // of a new file's temporary name
};

// Creates a file of full size with its header. Elements that are not written are 0.
void create(NewFile& made, const xredist_file& file, Contents& contents) {
  FileHandle handle = made.create();
  if (file.format == 'N') {
    const std::string header = npy_header(contents.descr, contents.order == 'F', contents.rows, contents.cols);
    handle.write(0, reinterpret_cast<const std::byte*>(header.data()), std::ssize(header));
  }
  handle.resize(contents.end());
  contents.stripe = handle.block_bytes();
  handle.close();
}

}  // namespace

void write_matrix(const DistributedMatrix& matrix, const xredist_file* passed, int callers) {
  const InFunction function("xredist_write", passed);
  const MPI_Comm comm = matrix.comm;
  const Index buffer = buffer_of(comm);
  const xredist_file file = agreed_file(matrix, passed, callers);
  const bool updates = file.update == 'Y';
  std::optional<NewFile> made;  // before the file: if this process fails, the object removes it
  const Prepared prepared = from_first(comm, [&]() -> Prepared {
    if (updates) return {contents_found(file, true), 0};
    Prepared whole{contents_of(file), std::chrono::system_clock::now().time_since_epoch().count() ^ getpid()};
    fitting(whole.contents, file);
    create(made.emplace(file.name, whole.number), file, whole.contents);
    return whole;
  });
  const FilePath path = on_all(comm, [&] {
    // No conditional expression: GCC 12 destroys the temporary objects of an operand wrongly if one of them throws.
    if (updates) return FilePath{{}, file.name};
    return temporary_path(file.name, prepared.number);
  });
  traverse(Direction::write, matrix, file, prepared.contents, path, buffer);
  on_all(comm, [&] {
    if (made) made->take_name();
  });
}

}  // namespace xredist::files

using namespace xredist::files;

int xredist_write(MPI_Comm comm, const xredist_layout* layout, const void* a, int64_t lda, const xredist_file* file) {
  return coded([&] { write_matrix({comm, layout, {'a', const_cast<void*>(a), lda}}, file); });
}
